"""Sentences out of files: plain text, TSV and JSON Lines, a line at a time in constant memory.

Whatever a line holds, it gives a row or a refusal with its number and a reason, and the next line
is read. Only a file that cannot be read at all raises.
"""

import codecs
import gzip
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BufferedIOBase, BufferedReader
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from generation.nlp.text import RefusedText, check

MAX_LINE_BYTES = 1_000_000
MAX_CHARACTERS = 2_000
MAX_ID_CHARACTERS = 200
COMPRESSED = (".gz", ".xz")

_SENTENCE_END = re.compile(r"[.!?]\W*$")


class Format(StrEnum):
    """How a file holds its sentences.

    txt: a sentence a line. tsv: a header line with the columns id, text and perhaps group, and no
    quoting. jsonl: an object a line with the strings id, text and perhaps group.
    """

    TXT = "txt"
    TSV = "tsv"
    JSONL = "jsonl"


class Fault(StrEnum):
    """Why a line was refused, beside the reasons of generation.nlp.text.check."""

    LINE_TOO_LONG = "line_too_long"
    BROKEN_UTF8 = "broken_utf8"
    WRONG_COLUMNS = "wrong_columns"
    BAD_JSON = "bad_json"
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_STRING = "not_a_string"
    MISSING_ID = "missing_id"
    BAD_ID = "bad_id"
    BAD_GROUP = "bad_group"
    DUPLICATE_ID = "duplicate_id"


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as it stands in a file; lines are counted from 1."""

    line: int
    text: str
    external_id: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that gives no sentence."""

    line: int
    reason: str


Splitter: TypeAlias = Callable[[str], Iterable[str]]


class UnreadableFile(Exception):
    """The file as a whole cannot be read; the text says why and where."""


class _RefusedLine(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.reason = fault


@dataclass(frozen=True, slots=True)
class _Fields:
    text: str
    external_id: str = ""
    group: str = ""


def format_of(path: Path) -> Format:
    """The format that a file's name tells, compressed or not. Raises UnreadableFile."""
    name = path.with_suffix("") if path.suffix in COMPRESSED else path
    try:
        return Format(name.suffix.removeprefix("."))
    except ValueError:
        raise UnreadableFile(f"{path.name}: the name does not tell the format.") from None


def decompressed(path: Path, stream: BufferedReader) -> BufferedIOBase:
    """The contents of an open file, unpacked where its name ends in .gz or .xz."""
    if path.suffix == ".gz":
        return gzip.GzipFile(fileobj=stream)
    return lzma.LZMAFile(stream) if path.suffix == ".xz" else stream


def read(
    stream: BufferedIOBase, file_format: Format, *, max_characters: int = MAX_CHARACTERS
) -> Iterator[Row | Refusal]:
    """The rows and refusals of a file, one for each line. Raises UnreadableFile."""
    lines = _lines(stream)
    fields_of = _tsv_fields(lines) if file_format is Format.TSV else _FIELDS[file_format]
    for number, line in lines:
        try:
            yield _row(number, fields_of(_decoded(line)), max_characters)
        except (RefusedText, _RefusedLine) as refused:
            yield Refusal(number, refused.reason)


def read_running_text(
    stream: BufferedIOBase, split: Splitter, *, max_characters: int = MAX_CHARACTERS
) -> Iterator[Row | Refusal]:
    """The sentences of running text, numbered by the line where their passage begins.

    A passage ends at an empty line, and at a line that ends like a sentence. Raises UnreadableFile.
    """
    for passage in _passages(_lines(stream)):
        if isinstance(passage, Refusal):
            yield passage
            continue
        number, text = passage
        for sentence in split(text):
            try:
                yield _row(number, _Fields(sentence.strip(" ")), max_characters)
            except RefusedText as refused:
                yield Refusal(number, refused.reason)


def _lines(stream: BufferedIOBase) -> Iterator[tuple[int, bytes | None]]:
    """Lines without their ends; None stands for one of more than MAX_LINE_BYTES."""
    for number in count(1):
        try:
            line = stream.readline(MAX_LINE_BYTES)
            complete = len(line) < MAX_LINE_BYTES or line.endswith(b"\n") or not _skip_line(stream)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise UnreadableFile(f"Damaged after line {number - 1:,}: {error}") from error
        if not line:
            return
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        yield number, line.removesuffix(b"\n").removesuffix(b"\r") if complete else None


def _skip_line(stream: BufferedIOBase) -> bool:
    """Read up to the end of the line; whether there was anything to read."""
    rest = stream.readline(MAX_LINE_BYTES)
    skipped = bool(rest)
    while rest and not rest.endswith(b"\n"):
        rest = stream.readline(MAX_LINE_BYTES)
    return skipped


def _decoded(line: bytes | None) -> str:
    if line is None:
        raise _RefusedLine(Fault.LINE_TOO_LONG)
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise _RefusedLine(Fault.BROKEN_UTF8) from None


def _row(number: int, fields: _Fields, max_characters: int) -> Row:
    return Row(
        line=number,
        text=check(fields.text, max_characters=max_characters),
        external_id=_label(fields.external_id, Fault.BAD_ID),
        group=_label(fields.group, Fault.BAD_GROUP),
    )


def _label(value: str, fault: Fault) -> str:
    try:
        return check(value, max_characters=MAX_ID_CHARACTERS) if value else ""
    except RefusedText:
        raise _RefusedLine(fault) from None


def _tsv_fields(lines: Iterator[tuple[int, bytes | None]]) -> Callable[[str], _Fields]:
    """Takes the header off the lines and reads the others by it."""
    try:
        columns = _decoded(next(lines, (1, b""))[1]).split("\t")
    except _RefusedLine as refused:
        raise UnreadableFile(f"The header line is not text: {refused.reason}.") from refused
    if not {"id", "text"} <= set(columns):
        raise UnreadableFile("The header line must name the columns id and text.")

    def fields(line: str) -> _Fields:
        cells = line.split("\t")
        if len(cells) != len(columns) and line:
            raise _RefusedLine(Fault.WRONG_COLUMNS)
        return _identified(dict(zip(columns, cells, strict=False)))

    return fields


def _jsonl_fields(line: str) -> _Fields:
    try:
        value = json.loads(line) if line else {"text": ""}
    except (ValueError, RecursionError):
        raise _RefusedLine(Fault.BAD_JSON) from None
    if not isinstance(value, dict):
        raise _RefusedLine(Fault.NOT_AN_OBJECT)
    return _identified(value)


def _identified(values: dict[str, Any]) -> _Fields:
    """Fields with an id; an empty text is left for the text rule to name."""
    fields = _Fields(values.get("text", ""), values.get("id", ""), values.get("group", ""))
    if not all(isinstance(value, str) for value in (fields.text, fields.external_id, fields.group)):
        raise _RefusedLine(Fault.NOT_A_STRING)
    if fields.text and not fields.external_id:
        raise _RefusedLine(Fault.MISSING_ID)
    return fields


def _passages(
    lines: Iterator[tuple[int, bytes | None]],
) -> Iterator[tuple[int, str] | Refusal]:
    first, gathered = 0, list[str]()
    for number, line in lines:
        try:
            text = _decoded(line).strip(" ")
        except _RefusedLine as refused:
            yield Refusal(number, refused.reason)
            text = ""
        first = first if gathered else number
        gathered += [text] if text else []
        if gathered and (not text or _SENTENCE_END.search(text)):
            yield first, " ".join(gathered)
            gathered = []
    if gathered:
        yield first, " ".join(gathered)


_FIELDS: dict[Format, Callable[[str], _Fields]] = {
    Format.TXT: _Fields,
    Format.JSONL: _jsonl_fields,
}
