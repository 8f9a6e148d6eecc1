"""Pairs whose answer is known, out of a file: what is read is kept, the rest comes with a reason.

A TSV file's header, or each object of a JSON Lines file, names sentence1, sentence2 and label, and
where wanted explanation and language. Empty lines are passed over.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from io import BufferedIOBase

from generation.nlp.text import RefusedText, check
from generation.readers import MAX_CHARACTERS
from generation.records import (
    Format,
    Record,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

REQUIRED = ("sentence1", "sentence2", "label")
OPTIONAL = ("explanation", "language")
MAX_EXPLANATION = 2000
# The shape of a BCP 47 tag, such as de or zh-Hant-TW, as far as a corpus keeps one.
LANGUAGE = re.compile(r"(?=.{2,35}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)


class KnownFault(StrEnum):
    """Why a line was refused, beside the reasons of generation.records and generation.nlp.text."""

    BAD_LABEL = "label_not_on_the_scale"
    BAD_LANGUAGE = "bad_language"


@dataclass(frozen=True, slots=True)
class KnownPair:
    """Two sentences and the answer that is known.

    `language` is a BCP 47 tag, or empty for the project's; `line` is where the pair was read.
    """

    sentence1: str
    sentence2: str
    label: int
    explanation: str = ""
    language: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that gives no pair: its number, a named reason, and itself, to be mended."""

    line: int
    reason: str
    text: str


class _NotKnown(ValueError):
    """A value that is none of those that a column holds."""

    def __init__(self, reason: KnownFault) -> None:
        super().__init__(reason)
        self.reason = reason


def read(
    stream: BufferedIOBase, file_format: Format, *, max_label: int
) -> Iterator[KnownPair | Refused]:
    """A pair or a refusal for each line that is not empty.

    Raises generation.records.UnreadableFile where the header line lacks a column.
    """
    lines = numbered_lines(stream)
    record_of = record_reader(lines, file_format, required=REQUIRED, optional=OPTIONAL)
    for number, line in lines:
        if line == b"":
            continue
        try:
            text = decoded(line)
            record = record_of(_numbers_as_text(text) if file_format is Format.JSONL else text)
            yield _pair(record, number, max_label)
        except (RefusedText, RefusedLine, _NotKnown) as refused:
            yield Refused(number, str(refused.reason), (line or b"").decode(errors="replace"))


def _pair(record: Record, line: int, max_label: int) -> KnownPair:
    explanation = record.get("explanation", "").strip()
    return KnownPair(
        sentence1=check(record.get("sentence1", ""), max_characters=MAX_CHARACTERS),
        sentence2=check(record.get("sentence2", ""), max_characters=MAX_CHARACTERS),
        label=_label(record.get("label", "").strip(), max_label),
        explanation=explanation and check(explanation, max_characters=MAX_EXPLANATION),
        language=_language(record.get("language", "").strip()),
        line=line,
    )


def _label(text: str, max_label: int) -> int:
    if text not in map(str, range(max_label + 1)):
        raise _NotKnown(KnownFault.BAD_LABEL)
    return int(text)


def _language(tag: str) -> str:
    if tag and not LANGUAGE.fullmatch(tag):
        raise _NotKnown(KnownFault.BAD_LANGUAGE)
    return tag


def _numbers_as_text(line: str) -> str:
    """A label may be written as a number; what is wrong with a line is told by its reader."""
    try:
        return json.dumps(json.loads(line, parse_int=str))
    except (ValueError, RecursionError):
        return line
