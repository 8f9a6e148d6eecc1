"""croissant.json: describes the release in the Croissant format for machine-learning catalogues.

Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html. Built by hand, because
mlcroissant takes five seconds to import; the tests read the result with it.

Every file with rows is a record set. Those of the Parquet tables have the plain names, such as
"labeled_final/dev": mlcroissant, like most readers of TSV, interprets quotes in a sentence.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from releases.dataset.files import LINE_FILES, OLD_MODEL_JUDGMENTS, TABLES, Column
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.rows import IF_ANY

TYPES = {
    ".tsv": "text/tab-separated-values",
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
}
_TSV = "Tab-separated with a header and no quoting: quotes belong to the sentences. "
# Of each file by its path: the name of its records, what they are, and their columns.
RECORDS = {
    **{
        t.parquet: (f"{t.subset}/{t.split}", f"The table {t.subset}, {t.split}", t.columns)
        for t in TABLES
    },
    **{
        t.tsv: (f"tsv/{t.subset}/{t.split}", f"{_TSV}The same rows as in {t.parquet}", t.columns)
        for t in TABLES
    },
    **{
        file.path: (PurePosixPath(file.path).stem, file.about, file.columns)
        for file in (*LINE_FILES, OLD_MODEL_JUDGMENTS)
    },
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
    """Return the description of a release whose data files have these digests and sizes."""
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
        "recordSet": [record_set(path) for path in sorted(files)],
    }
    return {key: value for key, value in described.items() if value}


def file_object(path: str, file: Mapping[str, Any]) -> dict[str, Any]:
    """Return the FileObject of a file, given its path inside the release."""
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": TYPES[PurePosixPath(path).suffix],
        "sha256": file["sha256"],
    }


def record_set(path: str) -> dict[str, Any]:
    """Return the RecordSet of a file, given its path inside the release."""
    name, about, columns = RECORDS[path]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": about,
        "field": [field(name, column, path) for column in columns if column.about is not IF_ANY],
    }


def field(records: str, column: Column, path: str) -> dict[str, Any]:
    """Return the Field of a column."""
    repeated = {"repeated": True} if column.kind.many else {}
    return repeated | {
        "@type": "cr:Field",
        "@id": f"{records}/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": column.kind.name,
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }
