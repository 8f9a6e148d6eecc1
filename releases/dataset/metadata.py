"""What people declare of a release: licence, authors, languages, home page, documentation.

Declared once for each release; its card, croissant.json, manifest.json, CITATION.cff and
.zenodo.json all repeat it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from common import licences
from common.marked import gettext_noop as _
from releases.dataset.documentation import Documentation

_ORCID = re.compile(r"(?:https?://orcid\.org/)?((?:\d{4}-){3}\d{3}[\dXx])/?", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*", re.ASCII)
_BIBTEX = re.compile(r"@[A-Za-z]+\s*\{\s*[^\s,{}]+\s*,", re.ASCII)
ORCID_WEIGHT, ORCID_MODULUS, ORCID_TEN = 2, 11, "X"


@dataclass(frozen=True, slots=True)
class Author:
    """An author: a person as "Family name, given names", or a group by its name without a comma."""

    name: str
    orcid: str = ""
    affiliation: str = ""

    @property
    def is_person(self) -> bool:
        return "," in self.name

    @property
    def family(self) -> str:
        return self.name.partition(",")[0].strip()

    @property
    def given(self) -> str:
        return self.name.partition(",")[2].strip()

    @property
    def spoken(self) -> str:
        """The name as it is spoken: given names first."""
        return f"{self.given} {self.family}".strip()

    @property
    def orcid_address(self) -> str:
        return f"https://orcid.org/{self.orcid}" if self.orcid else ""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What people declare of a release.

    `licence` is an SPDX identifier, `languages` are BCP 47 tags, `citation` is a sentence. An empty
    citation or BibTeX entry is derived from the rest (releases.dataset.citations).
    `documentation` is absent from JSON if it is empty.
    """

    licence: str = ""
    authors: tuple[Author, ...] = ()
    citation: str = ""
    bibtex: str = ""
    languages: tuple[str, ...] = ()
    homepage: str = ""
    documentation: Documentation = Documentation()

    def __bool__(self) -> bool:
        return bool(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        values = {
            "licence": self.licence,
            "authors": [_drop_empty(asdict(author)) for author in self.authors],
            "citation": self.citation,
            "bibtex": self.bibtex,
            "languages": list(self.languages),
            "homepage": self.homepage,
            "documentation": self.documentation.to_dict(),
        }
        return _drop_empty(values)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Metadata":
        fields = dict(values)
        fields["authors"] = tuple(Author(**author) for author in fields.get("authors", ()))
        fields["languages"] = tuple(fields.get("languages", ()))
        fields["documentation"] = Documentation.from_dict(fields.get("documentation", {}))
        return cls(**fields)

    def missing(self) -> list[str]:
        """Return the titles of fields that catalogues and conferences ask for, and are empty."""
        titles = {"authors": _("Authors"), "homepage": _("Home page")}
        empty = [title for name, title in titles.items() if not getattr(self, name)]
        return [*empty, *self.documentation.missing()]


def parse_metadata(values: Mapping[str, Any]) -> Metadata:
    """Return metadata from what a person entered, in its usual form, without documentation.

    Raises ValueError.
    """
    texts = {name: str(values.get(name) or "").strip() for name in ("citation", "bibtex")}
    licence, homepage = str(values.get("licence") or ""), str(values.get("homepage") or "")
    return Metadata(
        licence=licences.spdx(licence) if licence.strip() else "",
        authors=tuple(
            parse_author(**{name: str(text) for name, text in fields.items()})
            for fields in values.get("authors") or ()
        ),
        citation=" ".join(texts["citation"].split()),
        bibtex=parse_bibtex(texts["bibtex"]) if texts["bibtex"] else "",
        languages=parse_languages(values.get("languages") or ()),
        homepage=parse_web_address(homepage) if homepage.strip() else "",
    )


def parse_author(name: str, orcid: str = "", affiliation: str = "") -> Author:
    """Return an author from texts that a person entered. Raises ValueError."""
    if not (clean_name := " ".join(name.split()).strip(" ,;")):
        raise ValueError("an author has no name")
    orcid = parse_orcid(orcid) if orcid.strip() else ""
    return Author(clean_name, orcid, " ".join(affiliation.split()))


def parse_orcid(text: str) -> str:
    """Return an ORCID, given with or without its web address. Raises ValueError.

    Its last character is a check digit (ISO 7064, MOD 11-2).
    """
    match = _ORCID.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text.strip()} is no ORCID such as 0000-0002-1825-0097")
    digits, total = match[1].upper(), 0
    for digit in digits.replace("-", "")[:-1]:
        total = (total + int(digit)) * ORCID_WEIGHT
    check = (ORCID_MODULUS + 1 - total % ORCID_MODULUS) % ORCID_MODULUS
    if digits[-1] != (ORCID_TEN if check == ORCID_MODULUS - 1 else str(check)):
        raise ValueError(f"{digits} is no ORCID: its last digit does not match the others")
    return digits


def parse_languages(tags: Iterable[str]) -> tuple[str, ...]:
    """Return language tags once each, in their order. Raises ValueError."""
    unique = list(dict.fromkeys(filter(None, (tag.strip() for tag in tags))))
    for tag in unique:
        if not _LANGUAGE.fullmatch(tag):
            raise ValueError(f"{tag} is no language tag such as en or pt-BR")
    return tuple(unique)


def parse_bibtex(text: str) -> str:
    """Return a BibTeX entry as it is. Raises ValueError for what no reader of BibTeX takes."""
    if not _BIBTEX.match(text):
        raise ValueError("the BibTeX entry does not begin with its type and key: @misc{key,")
    depth = 0
    for place, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0 or (depth == 0 and character == "}" and text[place + 1 :].strip()):
            raise ValueError("the BibTeX entry has text after its closing brace")
    if depth:
        raise ValueError("the BibTeX entry lacks a closing brace")
    return text


def parse_web_address(text: str) -> str:
    """Return a web address. Raises ValueError."""
    address = text.strip()
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or len(address.split()) > 1:
        raise ValueError(f"{address} is no web address such as https://example.org/dataset")
    return address


def _drop_empty(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}
