"""Reads sentences and pairs from plain text, TSV and JSON Lines files, in constant memory."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from typing import TypeAlias

from generation.nlp.text import RefusedText, check
from generation.records import (
    Fault,
    Format,
    NumberedLine,
    Record,
    Refusal,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

MAX_CHARACTERS = 2_000
MAX_LABEL_CHARACTERS = 200

_SENTENCE_END = re.compile(r"[.!?]\W*$")

Splitter: TypeAlias = Callable[[str], Iterable[str]]
PAIR_COLUMNS = ("sentence1", "sentence2")
OPTIONAL_PAIR_COLUMNS = ("sentence1_id", "method", "model")


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a file; lines are counted from 1."""

    line: int
    text: str
    external_id: str = ""
    group: str = ""


def read(
    stream: BufferedIOBase, file_format: Format, *, max_characters: int = MAX_CHARACTERS
) -> Iterator[Row | Refusal]:
    """Yield one row or refusal for each line of a file. Raises UnreadableFile."""
    lines = numbered_lines(stream)
    record_of = _record_reader(lines, file_format)
    for number, line in lines:
        try:
            yield _row(number, record_of(decoded(line)), max_characters)
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(number, refused.reason)


def read_running_text(
    stream: BufferedIOBase, split: Splitter, *, max_characters: int = MAX_CHARACTERS
) -> Iterator[Row | Refusal]:
    """Yield the sentences of running text, with the number of their passage's first line.

    A passage ends at an empty line, and at a line that ends like a sentence. Raises UnreadableFile.
    """
    for passage in _passages(numbered_lines(stream)):
        if isinstance(passage, Refusal):
            yield passage
            continue
        number, text = passage
        for sentence in split(text):
            try:
                yield _row(number, {"text": sentence.strip(" ")}, max_characters)
            except RefusedText as refused:
                yield Refusal(number, refused.reason)


def label(value: str, fault: Fault) -> str:
    """Return a short name from a file, such as an id. Raises RefusedLine with the fault."""
    try:
        return check(value, max_characters=MAX_LABEL_CHARACTERS) if value else ""
    except RefusedText:
        raise RefusedLine(fault) from None


def _record_reader(lines: Iterator[NumberedLine], file_format: Format) -> Callable[[str], Record]:
    if file_format is Format.TXT:
        return lambda line: {"text": line}
    read_record = record_reader(lines, file_format, required=("id", "text"), optional=("group",))
    return lambda line: _identified(read_record(line))


def _identified(record: Record) -> Record:
    """Require an id, except for an empty text, which the text check refuses."""
    if record.get("text") and not record.get("id"):
        raise RefusedLine(Fault.MISSING_ID)
    return record


def _row(number: int, record: Record, max_characters: int) -> Row:
    return Row(
        line=number,
        text=check(record.get("text", ""), max_characters=max_characters),
        external_id=label(record.get("id", ""), Fault.BAD_ID),
        group=label(record.get("group", ""), Fault.BAD_GROUP),
    )


def _passages(lines: Iterator[NumberedLine]) -> Iterator[tuple[int, str] | Refusal]:
    first, gathered = 0, list[str]()
    for number, line in lines:
        refusal = None
        try:
            text = decoded(line).strip(" ")
        except RefusedLine as refused:
            text, refusal = "", Refusal(number, refused.reason)
        first = first if gathered else number
        gathered += [text] if text else []
        if gathered and (not text or _SENTENCE_END.search(text)):
            yield first, " ".join(gathered)
            gathered = []
        if refusal:
            yield refusal
    if gathered:
        yield first, " ".join(gathered)


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


def read_pairs(
    stream: BufferedIOBase, file_format: Format, *, max_characters: int
) -> Iterator[PairLine | Refusal]:
    """Yield one pair or refusal for each line of a file. Raises UnreadableFile."""
    lines = numbered_lines(stream)
    record_of = record_reader(
        lines, file_format, required=PAIR_COLUMNS, optional=OPTIONAL_PAIR_COLUMNS
    )
    for number, line in lines:
        try:
            yield _pair(number, record_of(decoded(line)), max_characters)
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(number, refused.reason)


def _pair(number: int, record: Record, max_characters: int) -> PairLine:
    return PairLine(
        line=number,
        sentence1=check(record.get("sentence1", ""), max_characters=max_characters),
        sentence2=check(record.get("sentence2", ""), max_characters=max_characters),
        sentence1_id=label(record.get("sentence1_id", ""), Fault.BAD_ID),
        method=label(record.get("method", ""), Fault.UNKNOWN_METHOD),
        model=label(record.get("model", ""), Fault.BAD_MODEL),
    )
