"""Read files of labelled lines: valid lines are used, others are refused with a reason.

The header of a TSV file, or each object of a JSON Lines file, names the label and other columns.
Empty lines are skipped.
"""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BufferedIOBase
from typing import TypeVar

from generation.nlp.text import RefusedText
from generation.records import (
    Format,
    Record,
    Refusal,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

Line = TypeVar("Line")


class LabelFault(StrEnum):
    """Reasons to refuse a line, in addition to generation.records and generation.nlp.text."""

    BAD_LABEL = "label_not_on_the_scale"
    BAD_LANGUAGE = "bad_language"
    BAD_PAIR = "pair_is_no_id"
    BAD_SCORE = "score_not_from_0_to_1"
    OTHER_LABEL = "other_label_for_this_pair"
    OTHERWISE_BEFORE = "said_otherwise_before"
    UNKNOWN_PAIR = "unknown_pair"


@dataclass(frozen=True, slots=True)
class BadLine(Refusal):
    """A refused line: its number, reason and text, so that it can be fixed."""

    text: str


def read(
    stream: BufferedIOBase,
    file_format: Format,
    *,
    required: Collection[str],
    optional: Collection[str],
    make: Callable[[int, Record], Line],
) -> Iterator[Line | BadLine]:
    """Yield what `make` returns for the number and record of each non-empty line, or a refusal.

    `make` may raise RefusedLine and RefusedText. Raises generation.records.UnreadableFile if the
    header line lacks a required column.
    """
    lines = numbered_lines(stream)
    record_of = record_reader(lines, file_format, required=required, optional=optional)
    for number, line in lines:
        if line == b"":
            continue
        try:
            text = decoded(line)
            record = record_of(_numbers_as_text(text) if file_format is Format.JSONL else text)
            yield make(number, record)
        except (RefusedText, RefusedLine) as refused:
            yield BadLine(number, refused.reason, (line or b"").decode(errors="replace"))


def value(record: Record, column: str) -> str:
    """Return a column without surrounding space; "" if it is missing."""
    return record.get(column, "").strip()


def label(record: Record, max_label: int) -> int:
    """Return the label of a record, from 0 to `max_label`. Raises RefusedLine."""
    text = value(record, "label")
    if text not in map(str, range(max_label + 1)):
        raise RefusedLine(LabelFault.BAD_LABEL)
    return int(text)


def _numbers_as_text(line: str) -> str:
    """Accept labels and scores as JSON numbers; the record reader reports other errors."""
    try:
        return json.dumps(json.loads(line, parse_int=str, parse_float=str))
    except (ValueError, RecursionError):
        return line
