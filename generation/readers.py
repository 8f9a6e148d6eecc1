"""Reads sentences and pairs from plain text, TSV and JSON Lines files, in constant memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BufferedIOBase
from typing import TypeVar

from generation.nlp.text import MAX_CHARACTERS as MAX_CHARACTERS
from generation.nlp.text import RefusedText, check
from generation.records import (
    Fault,
    Format,
    NumberedLine,
    Record,
    Refusal,
    RefusedLine,
    UnreadableFile,
    decoded,
    numbered_lines,
    record_reader,
)

MAX_LABEL_CHARACTERS = 200
PAIR_COLUMNS = ("sentence1", "sentence2")
OPTIONAL_PAIR_COLUMNS = ("sentence1_id", "method", "model")
LABEL = "label"
HAS_LABELS = (
    "The file has a column label, so nothing was imported. Take its labels with --labels-of NAME, "
    "or pass over them with --ignore-labels."
)

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a file; lines are counted from 1."""

    line: int
    text: str
    external_id: str = ""
    group: str = ""


class Labels(StrEnum):
    """What to do with a column of labels in a file of pairs."""

    REFUSE = "refuse"
    TAKE = "take"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class PairLine:
    """A rewrite and its source sentence.

    `sentence1_id` is the source's id in its original file, or its public id.
    """

    line: int
    sentence1: str
    sentence2: str
    sentence1_id: str = ""
    method: str = ""
    model: str = ""
    label: str = ""


def read(
    stream: BufferedIOBase, file_format: Format, *, max_characters: int = MAX_CHARACTERS
) -> Iterator[Row | Refusal]:
    """Yield one row or refusal for each line of a file. Raises UnreadableFile."""
    lines = numbered_lines(stream)
    if file_format is Format.TXT:
        return _each(lines, lambda number, line: row(number, {"text": line}, max_characters))
    record_of = record_reader(lines, file_format, required=("id", "text"), optional=("group",))

    def named(number: int, line: str) -> Row:
        record = record_of(line)
        # An empty text is refused as such, with or without an id.
        if record.get("text") and not record.get("id"):
            raise RefusedLine(Fault.MISSING_ID)
        return row(number, record, max_characters)

    return _each(lines, named)


def row(number: int, record: Record, max_characters: int = MAX_CHARACTERS) -> Row:
    """Return the sentence of a record. Raises RefusedText or RefusedLine."""
    return Row(
        line=number,
        text=check(record.get("text", ""), max_characters=max_characters),
        external_id=label(record.get("id", ""), Fault.BAD_ID),
        group=label(record.get("group", ""), Fault.BAD_GROUP),
    )


def read_pairs(
    stream: BufferedIOBase,
    file_format: Format,
    *,
    max_characters: int,
    labels: Labels = Labels.REFUSE,
    unread: set[str] | None = None,
) -> Iterator[PairLine | Refusal]:
    """Yield one pair or refusal for each line; add the names of unread columns to `unread`.

    Raises UnreadableFile, also for the first label of a TSV file whose labels are not expected.
    """
    lines = numbered_lines(stream)
    optional = [*OPTIONAL_PAIR_COLUMNS, *([] if labels is Labels.IGNORE else [LABEL])]
    record_of = record_reader(
        lines, file_format, required=PAIR_COLUMNS, optional=optional, unread=unread
    )

    def pair(number: int, line: str) -> PairLine:
        record = record_of(line)
        if labels is Labels.REFUSE and LABEL in record:
            raise _unexpected_label(file_format)
        return pair_line(number, record, max_characters)

    return _each(lines, pair)


def pair_line(number: int, record: Record, max_characters: int = MAX_CHARACTERS) -> PairLine:
    """Return the pair of a record. Raises RefusedText or RefusedLine."""
    return PairLine(
        line=number,
        sentence1=check(record.get("sentence1", ""), max_characters=max_characters),
        sentence2=check(record.get("sentence2", ""), max_characters=max_characters),
        sentence1_id=label(record.get("sentence1_id", ""), Fault.BAD_ID),
        method=label(record.get("method", ""), Fault.UNKNOWN_METHOD),
        model=label(record.get("model", ""), Fault.BAD_MODEL),
        label=record.get(LABEL, "").strip(),
    )


def _unexpected_label(file_format: Format) -> Exception:
    """Return why a label is refused: with the file, where a header promised labels, or its line."""
    if file_format is Format.TSV:
        return UnreadableFile(HAS_LABELS)
    return RefusedLine(Fault.HAS_LABEL)


def label(value: str, fault: Fault) -> str:
    """Return a short name from a file, such as an id. Raises RefusedLine with the fault."""
    try:
        return check(value, max_characters=MAX_LABEL_CHARACTERS) if value else ""
    except RefusedText:
        raise RefusedLine(fault) from None


def _each(
    lines: Iterator[NumberedLine], parse: Callable[[int, str], Line]
) -> Iterator[Line | Refusal]:
    for number, line in lines:
        try:
            yield parse(number, decoded(line))
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(number, refused.reason)
