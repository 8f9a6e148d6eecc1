"""croissant.json: describes the release in the Croissant format for machine-learning catalogues.

Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html. Built by hand, because
mlcroissant takes five seconds to import; the tests read the result with it.

Every file with rows is a record set. Those of the Parquet tables have the plain names, such as
"labeled_final/dev": mlcroissant, like most readers of TSV, interprets quotes in a sentence.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from releases.dataset.columns import COLUMNS, Column
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.tables import TABLES

TYPES = {
    ".tsv": "text/tab-separated-values",
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
}
_TSV = "Tab-separated with a header and no quoting: quotes belong to the sentences. "
ABOUT = {
    **{table.parquet: f"The table {table.subset}, {table.split}" for table in TABLES},
    **{table.tsv: f"{_TSV}The same rows as in {table.parquet}" for table in TABLES},
    "sentences.jsonl": "Every sentence; where it belongs to a group, `group` names it",
    "pairs.jsonl": "Every judged pair, and every pair composed of them",
    "judgments.jsonl": "Every answer",
    "adjudications.jsonl": "What experts say of pairs on which too few agree; in no label",
    "guests.jsonl": "What models say of judged pairs; in no label and no figure",
}
NAMES = {
    **{table.parquet: f"{table.subset}/{table.split}" for table in TABLES},
    **{table.tsv: f"tsv/{table.subset}/{table.split}" for table in TABLES},
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
    name = NAMES.get(path, PurePosixPath(path).stem)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": ABOUT[path],
        "field": [field(name, column, path) for column in COLUMNS[path]],
    }


def field(records: str, column: Column, path: str) -> dict[str, Any]:
    """Return the Field of a column."""
    repeated = {"repeated": True} if column.many else {}
    return repeated | {
        "@type": "cr:Field",
        "@id": f"{records}/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": column.kind.value,
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }
