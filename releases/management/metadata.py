"""Options of commands for the licence, authors and citation of a release."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from releases.dataset.metadata import Metadata, checked

FIELDS = ("licence", "authors", "languages", "homepage", "citation", "bibtex")


def add_arguments(parser: ArgumentParser) -> None:
    about = parser.add_argument_group("its licence and citation")
    about.add_argument("--licence", metavar="SPDX", help="such as CC-BY-4.0")
    about.add_argument(
        "--author",
        action="append",
        dest="authors",
        metavar="AUTHOR",
        help='"Family name, given names; ORCID; affiliation", once for each author',
    )
    about.add_argument(
        "--language", action="append", dest="languages", metavar="TAG", help="such as en"
    )
    about.add_argument("--homepage", metavar="URL")
    about.add_argument("--citation", help="one sentence; default: created from the authors")
    about.add_argument("--bibtex", type=Path, metavar="FILE", help="a file with one BibTeX entry")


def given(options: Mapping[str, Any]) -> Metadata | None:
    """Return what was given, None if nothing was. Raises CommandError."""
    values = {name: options[name] for name in FIELDS if options[name] is not None}
    if not values:
        return None
    try:
        if "bibtex" in values:
            values["bibtex"] = values["bibtex"].read_text(encoding="utf-8")
        values["authors"] = [_author(text) for text in values.get("authors", ())]
        return checked(values)
    except (OSError, ValueError) as error:
        raise CommandError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error


def _author(text: str) -> dict[str, str]:
    """Split an author. Raises ValueError."""
    parts = [part.strip() for part in text.split(";")]
    if len(parts) > 3:
        raise ValueError(
            f"{text} is not a name, an ORCID and an affiliation, divided by semicolons"
        )
    return dict(zip(("name", "orcid", "affiliation"), parts, strict=False))
