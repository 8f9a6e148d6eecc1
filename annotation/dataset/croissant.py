"""croissant.json: the release in the vocabulary of machine-learning catalogues.

Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html. Written by hand, since
the library that knows the format takes five seconds to import; the tests read it with that library.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from annotation.dataset.manifest import ReleaseFacts
from annotation.dataset.tables import TABLES, Table

TYPES = {
    ".tsv": "text/tab-separated-values",
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
}
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(facts: ReleaseFacts, files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The description of a release whose data files have these digests and sizes."""
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.name,
        "description": facts.description,
        "version": facts.version,
        "datePublished": facts.created,
        "inLanguage": facts.language,
        "license": facts.licence,
        "citeAs": facts.citation,
        "distribution": [file_object(path, files[path]) for path in sorted(files)],
        "recordSet": [record_set(table) for table in TABLES],
    }
    return {key: value for key, value in described.items() if value}


def file_object(path: str, file: Mapping[str, Any]) -> dict[str, Any]:
    """A file, by its path inside the release."""
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": TYPES[PurePosixPath(path).suffix],
        "sha256": file["sha256"],
    }


def record_set(table: Table) -> dict[str, Any]:
    """The columns of a table, read from its Parquet file: TSV readers tend to look for quotes."""
    name = f"{table.subset}/{table.split}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": "sc:Integer" if column in table.values else "sc:Text",
                "source": {
                    "fileObject": {"@id": table.parquet},
                    "extract": {"column": column},
                },
            }
            for column in table.columns
        ],
    }
