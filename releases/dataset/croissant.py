"""croissant.json: describes the release in the Croissant format for machine-learning catalogues.

Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html. Built by hand, because
mlcroissant takes five seconds to import; the tests read the result with it.

Every file with rows is a record set. Those of the Parquet tables have the plain names, such as
"labeled_final/dev": mlcroissant, like most readers of TSV, interprets quotes in a sentence.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from common import licences
from releases.dataset.files import Column, LineFile, Table
from releases.dataset.formats import Format
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.metadata import Author, Metadata
from releases.dataset.rows import IF_ANY

TYPES = {
    ".tsv": "text/tab-separated-values",
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
}
NOT_QUOTED = "Tab-separated with a header and no quoting: quotes belong to the sentences. "


def records(
    tables: Iterable[Table], line_files: Iterable[LineFile[Any]]
) -> Iterator[tuple[str, str, str, tuple[Column, ...]]]:
    """Yield of each file with rows its path, the name of its records, what it is, its columns."""
    for table in tables:
        name = f"{table.subset}/{table.split}"
        yield table.parquet, name, f"The table {table.subset}, {table.split}", table.columns
        about = f"{NOT_QUOTED}The same rows as in {table.parquet}"
        yield table.tsv, f"tsv/{name}", about, table.columns
    for file in line_files:
        yield file.path, PurePosixPath(file.path).stem, file.about, file.columns


# The @context that Croissant 1.0 prescribes.
CONTEXT = json.loads(Path(__file__).with_name("croissant_context.json").read_text(encoding="utf-8"))


def croissant(
    facts: ReleaseFacts,
    files: Mapping[str, Mapping[str, Any]],
    *,
    tables: Iterable[Table],
    release_format: Format,
) -> dict[str, Any]:
    rows = sorted(records(tables, release_format.line_files))
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": f"http://mlcommons.org/croissant/{release_format.croissant}",
        "name": facts.name,
        "description": facts.description,
        "version": facts.version,
        "datePublished": facts.created,
        "inLanguage": facts.language,
        "license": facts.licence,
        "citeAs": facts.citation,
        "distribution": [file_object(path, files[path]) for path in sorted(files)],
        "recordSet": [record_set(*record) for record in rows if record[0] in files],
    }
    document |= declared_values(facts.metadata or Metadata())
    return {key: value for key, value in document.items() if value}


def declared_values(metadata: Metadata) -> dict[str, Any]:
    """Return what people declared of the release, which replaces what is known of its texts."""
    values = {
        "license": licences.address(metadata.licence) if metadata.licence else "",
        "creator": list(map(creator_entry, metadata.authors)),
        "inLanguage": list(metadata.languages),
        "url": metadata.homepage,
    }
    return {name: value for name, value in values.items() if value}


def creator_entry(author: Author) -> dict[str, Any]:
    affiliation = {"@type": "sc:Organization", "name": author.affiliation}
    values = {
        "@type": "sc:Person" if author.is_person else "sc:Organization",
        "name": author.spoken,
        "url": author.orcid_address,
        "affiliation": affiliation if author.affiliation else None,
    }
    return {name: value for name, value in values.items() if value}


def file_object(path: str, file: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": TYPES[PurePosixPath(path).suffix],
        "sha256": file["sha256"],
    }


def record_set(path: str, name: str, about: str, columns: tuple[Column, ...]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": about,
        "field": [
            field_entry(name, column, path) for column in columns if column.about is not IF_ANY
        ],
    }


def field_entry(records: str, column: Column, path: str) -> dict[str, Any]:
    repetition = {"repeated": True} if column.kind.many else {}
    return repetition | {
        "@type": "cr:Field",
        "@id": f"{records}/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": column.kind.name,
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }
