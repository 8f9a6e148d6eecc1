"""Labels that a model gives to pairs, out of a file: what is read is kept, the rest has a reason.

A TSV file's header, or each object of a JSON Lines file, names pair (the public id) and label, and
where wanted score, from 0 to 1. Empty lines are passed over.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BufferedIOBase
from uuid import UUID

from generation.records import (
    Format,
    Record,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

REQUIRED = ("pair", "label")
OPTIONAL = ("score",)


class GuestFault(StrEnum):
    """Why a line was refused, beside the reasons of generation.records."""

    BAD_PAIR = "pair_is_no_id"
    BAD_LABEL = "label_not_on_the_scale"
    BAD_SCORE = "score_not_from_0_to_1"
    UNKNOWN_PAIR = "unknown_pair"
    OTHERWISE_BEFORE = "said_otherwise_before"


@dataclass(frozen=True, slots=True)
class GuestLine:
    """What a model says of a pair; `score` is how probable a paraphrase is to it, 0 to 1."""

    line: int
    pair: UUID
    label: int
    score: float | None = None


@dataclass(frozen=True, slots=True)
class RefusedGuestLine:
    """A line that gives no label: its number and a named reason."""

    line: int
    reason: str


class _NoLabel(ValueError):
    """A value that is none of those that a column holds."""

    def __init__(self, reason: GuestFault) -> None:
        super().__init__(reason)
        self.reason = reason


def read(
    stream: BufferedIOBase, file_format: Format, *, max_label: int
) -> Iterator[GuestLine | RefusedGuestLine]:
    """A label or a refusal for each line that is not empty.

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
            yield _said(record, number, max_label)
        except (RefusedLine, _NoLabel) as refused:
            yield RefusedGuestLine(number, str(refused.reason))


def _said(record: Record, line: int, max_label: int) -> GuestLine:
    return GuestLine(
        line=line,
        pair=_pair(record.get("pair", "").strip()),
        label=_label(record.get("label", "").strip(), max_label),
        score=_score(record.get("score", "").strip()),
    )


def _pair(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise _NoLabel(GuestFault.BAD_PAIR) from None


def _label(text: str, max_label: int) -> int:
    if text not in map(str, range(max_label + 1)):
        raise _NoLabel(GuestFault.BAD_LABEL)
    return int(text)


def _score(text: str) -> float | None:
    try:
        score = float(text) if text else None
    except ValueError:
        raise _NoLabel(GuestFault.BAD_SCORE) from None
    if score is not None and not 0 <= score <= 1:
        raise _NoLabel(GuestFault.BAD_SCORE)
    return score


def _numbers_as_text(line: str) -> str:
    """Labels and scores may be written as numbers; what else is wrong is told by the reader."""
    try:
        return json.dumps(json.loads(line, parse_int=str, parse_float=str))
    except (ValueError, RecursionError):
        return line
