"""How a release is cited: BibTeX, a sentence, CITATION.cff, and .zenodo.json.

CITATION.cff follows the Citation File Format 1.2.0, https://citation-file-format.github.io;
.zenodo.json has the names of Zenodo's deposits, https://developers.zenodo.org.
"""

import html
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from annotation.stats import latex
from releases.dataset.files import CFF, ZENODO
from releases.dataset.metadata import Author, Metadata
from releases.dataset.task import KEYWORDS

if TYPE_CHECKING:
    from releases.dataset.facts import ReleaseFacts

# Braces and backslashes would end or change a value of BibTeX.
_PLAIN = str.maketrans("", "", "{}\\")


def complete_metadata(
    metadata: Metadata, *, key: str, name: str, version: str, year: int, software: str
) -> Metadata:
    """Return metadata with a citation and BibTeX; what people entered stays as it is."""
    release_facts: dict[str, Any] = {"name": name, "version": version, "year": year}
    values = metadata.to_dict()
    values.setdefault("bibtex", bibtex(metadata, key=key, software=software, **release_facts))
    if metadata.authors:
        values.setdefault("citation", sentence(metadata, **release_facts))
    return Metadata.from_dict(values)


def bibtex(
    metadata: Metadata, *, key: str, name: str, version: str, year: int, software: str
) -> str:
    authors = " and ".join(map(_bibtex_name, metadata.authors))
    lines = {
        "author": authors,
        "title": f"{{{_bibtex_text(name)}}}",
        "year": str(year),
        "version": _bibtex_text(version),
        "url": _without_braces(metadata.homepage),
        "note": f"Dataset, built with Pawsmith {software}",
    }
    fields = (f"  {field} = {{{text}}}," for field, text in lines.items() if text)
    return "\n".join((f"@misc{{{key},", *fields, "}"))


def sentence(metadata: Metadata, *, name: str, version: str, year: int) -> str:
    authors = "; ".join(author.name for author in metadata.authors)
    if not authors:
        return f"{name} (version {version}) [Data set]. {year}."
    text = f"{authors} ({year}). {name} (version {version}) [Data set]."
    return f"{text} {metadata.homepage}".strip()


def documents(facts: "ReleaseFacts") -> dict[str, str]:
    """Return the files for citation by their paths; none without authors, whom both require."""
    if facts.metadata is None or not facts.metadata.authors:
        return {}
    return {CFF: cff(facts, facts.metadata), ZENODO: zenodo(facts, facts.metadata)}


def cff(facts: "ReleaseFacts", metadata: Metadata) -> str:
    """Return CITATION.cff: YAML, whose texts are written as JSON, which YAML reads alike."""
    values = {
        "cff-version": "1.2.0",
        "message": _message(facts),
        "type": "dataset",
        "title": facts.name,
        "version": facts.version,
        "date-released": facts.created[:10],
        "license": metadata.licence,
        "url": metadata.homepage,
    }
    lines = [f"{name}: {_quote(text)}" for name, text in values.items() if text]
    lines.append("authors:")
    for author in metadata.authors:
        marks = iter("-")
        for name, text in _cff_author(author):
            lines.append(f"  {next(marks, ' ')} {name}: {_quote(text)}")
    return "\n".join(lines) + "\n"


def _message(facts: "ReleaseFacts") -> str:
    if not (publishers := " ".join(facts.published.get("citation", "").split())):
        return "Please cite this dataset as below."
    title = facts.published["title"]
    return f"Please cite this dataset as below, and the publishers of {title}: {publishers}"


def zenodo(facts: "ReleaseFacts", metadata: Metadata) -> str:
    link = {"identifier": metadata.homepage, "relation": "isDocumentedBy"}
    about = html.escape(facts.description or f"{facts.name}, built with Pawsmith")
    values: Mapping[str, Any] = {
        "title": facts.name,
        "upload_type": "dataset",
        "version": facts.version,
        "publication_date": facts.created[:10],
        "description": f"<p>{about}</p>",
        "creators": [
            {name: text for name, text in _creator(author).items() if text}
            for author in metadata.authors
        ],
        "license": metadata.licence.lower(),
        "keywords": [*facts.task.get("keywords", KEYWORDS)],
        "related_identifiers": [link] if metadata.homepage else [],
        "references": [*filter(None, [facts.published.get("citation", "")])],
    }
    nonempty = {name: value for name, value in values.items() if value}
    return json.dumps(nonempty, indent=2, ensure_ascii=False) + "\n"


def _creator(author: Author) -> dict[str, str]:
    return {"name": author.name, "affiliation": author.affiliation, "orcid": author.orcid}


def _cff_author(author: Author) -> Iterator[tuple[str, str]]:
    """Yield the fields of an author; a group has no affiliation there."""
    if not author.is_person:
        yield "name", author.name
    else:
        yield "family-names", author.family
        yield "given-names", author.given
        if author.affiliation:
            yield "affiliation", author.affiliation
    if author.orcid:
        yield "orcid", author.orcid_address


def _bibtex_name(author: Author) -> str:
    name = _bibtex_text(author.name)
    return name if author.is_person else f"{{{name}}}"


def _bibtex_text(text: str) -> str:
    """Return a text for a value that LaTeX sets; addresses are set otherwise."""
    return latex.escape(_without_braces(text))


def _without_braces(text: str) -> str:
    return text.translate(_PLAIN)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
