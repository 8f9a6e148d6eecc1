"""Reads gold pairs: sentence1, sentence2 and label, with optional explanation and language."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BufferedIOBase

from annotation.pairs import labelled_lines
from annotation.pairs.labelled_lines import BadLine, LabelFault, value
from generation.nlp.text import check
from generation.readers import MAX_CHARACTERS
from generation.records import Format, Record, RefusedLine

REQUIRED = ("sentence1", "sentence2", "label")
OPTIONAL = ("explanation", "language")
MAX_EXPLANATION = 2000
# A BCP 47 tag, such as de or zh-Hant-TW, within the length that a corpus stores.
LANGUAGE = re.compile(r"(?=.{2,35}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class GoldPair:
    """Two sentences with their known answer.

    `language` is a BCP 47 tag, or empty for the project's language; `line` is the line number.
    """

    sentence1: str
    sentence2: str
    label: int
    explanation: str = ""
    language: str = ""
    line: int = field(default=0, compare=False)


def read(
    stream: BufferedIOBase, file_format: Format, *, max_label: int
) -> Iterator[GoldPair | BadLine]:
    """Yield a pair or a BadLine for each non-empty line. Raises UnreadableFile."""
    make = partial(_pair, max_label=max_label)
    return labelled_lines.read(stream, file_format, required=REQUIRED, optional=OPTIONAL, make=make)


def _pair(line: int, record: Record, max_label: int) -> GoldPair:
    explanation = value(record, "explanation")
    return GoldPair(
        sentence1=check(record.get("sentence1", ""), max_characters=MAX_CHARACTERS),
        sentence2=check(record.get("sentence2", ""), max_characters=MAX_CHARACTERS),
        label=labelled_lines.label(record, max_label),
        explanation=explanation and check(explanation, max_characters=MAX_EXPLANATION),
        language=_language(value(record, "language")),
        line=line,
    )


def _language(tag: str) -> str:
    if tag and not LANGUAGE.fullmatch(tag):
        raise RefusedLine(LabelFault.BAD_LANGUAGE)
    return tag
