"""Translation files, one for each language: updated, compiled and checked."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from scripts.translations.extraction import ROOT

LOCALE = ROOT / "locale"
PLACEHOLDERS = re.compile(r"%(?:\(\w+\))?[a-z%]|\{\w*\}|</?\w+")
HEADER = "# docs/contributor/translating.md says how this file is kept."


def paths() -> list[Path]:
    """Return the translation file of each language."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def read(path: Path) -> Catalog:
    """Read the catalogue of a language, named by its folder; an empty file is a new language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, abort_invalid=True)


def update(path: Path, template: Catalog) -> None:
    """Add new messages with an empty translation, and remove those no longer used."""
    catalog = read(path)
    catalog.header_comment, catalog.project, catalog.version = HEADER, "Pawsmith", "pages"
    catalog.msgid_bugs_address = catalog.last_translator = ""
    catalog.fuzzy = False
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    with path.open("wb") as file:
        write_po(file, catalog, width=100, include_lineno=False, ignore_obsolete=True)


def compile_(path: Path) -> None:
    """Write the compiled file atomically: other processes may be reading or writing it."""
    unfinished = path.with_suffix(f".{os.getpid()}.mo")
    with unfinished.open("wb") as file:
        write_mo(file, read(path))
    unfinished.replace(path.with_suffix(".mo"))


def faults(catalog: Catalog, template: Catalog) -> Iterator[str]:
    """Yield a line for each missing, unused or invalid translation."""
    wanted, had = _by_key(template), _by_key(catalog)
    yield from (f"missing: {_told(wanted[key])}" for key in wanted if key not in had)
    yield from (f"not used: {_told(had[key])}" for key in had if key not in wanted)
    for key in [key for key in had if key in wanted]:
        yield from (f"{fault}: {_told(had[key])}" for fault in _faults(had[key], wanted[key]))


def _faults(message: Message, wanted: Message) -> Iterator[str]:
    originals, translations = _forms(wanted.id), _forms(message.string)
    if len(_forms(message.id)) != len(originals) or len(translations) < len(originals):
        yield "plural forms are missing"
    elif not all(translations):
        yield "empty"
    elif message.fuzzy:
        yield "fuzzy"
    else:
        pairs = zip(_stretched(originals, len(translations)), translations, strict=True)
        if any(_placeholders(one) != _placeholders(other) for one, other in pairs):
            yield "other placeholders"


def _by_key(catalog: Catalog) -> dict[tuple[str, str | None], Message]:
    return {(_forms(each.id)[0], each.context): each for each in catalog if each.id}


def _forms(strings: object) -> tuple[str, ...]:
    return (strings,) if isinstance(strings, str) else tuple(strings)  # type: ignore[arg-type]


def _stretched(originals: tuple[str, ...], length: int) -> tuple[str, ...]:
    """Return the original of each translated form: English has two, other languages up to six."""
    return originals + originals[-1:] * (length - len(originals))


def _placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDERS.findall(text))


def _told(message: Message) -> str:
    return " | ".join(_forms(message.id))
