"""croissant.json: describes the release in the Croissant format for machine-learning catalogues.

Croissant 1.0, or 1.1 with the Responsible-AI vocabulary 1.0: https://mlcommons.org/croissant. Built
by hand, because mlcroissant takes five seconds to import; the tests read the result with it.

Every file with rows is a record set. Those of the Parquet tables have the plain names, such as
"labeled_final/dev": mlcroissant, like most readers of TSV, interprets quotes in a sentence.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from common import licences
from releases.dataset.facts import CROISSANT_1_0, CROISSANT_1_1, ReleaseFacts
from releases.dataset.files import Column, LineFile, Table
from releases.dataset.metadata import Author, Metadata

CROISSANT = "croissant.json"
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
        name = f"{table.subset}/{table.split_name}"
        yield table.parquet, name, f"The table {table.subset}, {table.split_name}", table.columns
        about = f"{NOT_QUOTED}The same rows as in {table.parquet}"
        yield table.tsv, f"tsv/{name}", about, table.columns
    for file in line_files:
        yield file.path, PurePosixPath(file.path).stem, file.about, file.columns


PLACE = Path(__file__).parent
# By version, the @context that Croissant prescribes; of 1.1 with prov, and with https, which
# mlcroissant expects.
CONTEXTS = {
    version: json.loads((PLACE / f"croissant_context_{name}.json").read_text(encoding="utf-8"))
    for version, name in ((CROISSANT_1_0, "1_0"), (CROISSANT_1_1, "1_1"))
}
CONFORMS_TO = {
    CROISSANT_1_0: "http://mlcommons.org/croissant/1.0",
    CROISSANT_1_1: ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
}
LABELS = ("label", "noisy_label", "soft_label", "grade", "published_label")


def croissant(
    facts: ReleaseFacts,
    files: Mapping[str, Mapping[str, Any]],
    *,
    tables: Iterable[Table],
    line_files: Iterable[LineFile[Any]],
    properties: Callable[[], Mapping[str, Any]],
    asked: str = "",
) -> dict[str, Any]:
    """Return the description in the version of Croissant of the release.

    `properties` returns those of Responsible AI and the provenance, which 1.0 does not have.
    `asked` says what people were asked, if that is known.
    """
    version = facts.croissant
    documented = {} if version == CROISSANT_1_0 else properties()
    description = {
        "@context": CONTEXTS[version],
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO[version],
        "name": facts.name,
        # Croissant 1.1 requires one.
        "description": facts.description
        or " ".join(filter(None, (asked, documented.get("rai:dataCollection", "")))),
        "version": facts.version,
        "datePublished": facts.created,
        "inLanguage": facts.language,
        "license": facts.licence if version == CROISSANT_1_0 else licences.link(facts.licence),
        "citeAs": "\n\n".join(filter(None, (facts.citation, facts.published.get("citation", "")))),
    }
    description |= declared_values(facts.metadata or Metadata())
    description |= files_and_records(files, tables, line_files, version=version)
    return {key: value for key, value in description.items() if value} | dict(documented)


def version_of(description: Mapping[str, Any]) -> str:
    """Return the version that a description states. Raises KeyError, and ValueError if unknown."""
    stated = description["conformsTo"]
    for version, conforms_to in CONFORMS_TO.items():
        if conforms_to == stated:
            return version
    raise ValueError(f"conformsTo is {stated}")


def files_and_records(
    files: Mapping[str, Mapping[str, Any]],
    tables: Iterable[Table],
    line_files: Iterable[LineFile[Any]],
    *,
    version: str,
) -> dict[str, Any]:
    """Return what follows from the files that have rows, and their columns."""
    all_records = sorted(records(tables, line_files))
    return {
        "distribution": [file_object(path, files[path]) for path in sorted(files)],
        "recordSet": [
            record_set(*record, version=version) for record in all_records if record[0] in files
        ],
    }


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


def record_set(
    path: str, name: str, about: str, columns: tuple[Column, ...], *, version: str
) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": about,
        "field": [
            field_entry(name, column, path, version=version)
            for column in columns
            if column.is_catalogued
        ],
    }


def field_entry(records: str, column: Column, path: str, *, version: str) -> dict[str, Any]:
    is_old = version == CROISSANT_1_0
    entry = {
        "@type": "cr:Field",
        "@id": f"{records}/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": column.kind.name,
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }
    if column.kind.many:
        entry |= {"repeated": True} if is_old else {"isArray": True, "arrayShape": "-1"}
    if column.name in LABELS and not is_old:
        entry["dataType"] = [column.kind.name, "cr:Label"]
    return entry
