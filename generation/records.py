"""Reads lines and records from files one at a time, in constant memory.

An invalid line results in a refusal with its number and a reason, and reading continues. Only a
file that cannot be read at all raises an error.
"""

import codecs
import gzip
import lzma
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from io import BufferedIOBase, BufferedReader
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from common import strict_json

MAX_LINE_BYTES = 1_000_000
COMPRESSED = (".gz", ".xz")
# What reading a damaged file raises.
DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
BYTES_AT_ONCE = 1_000_000

FIRST_REFUSALS = 20

Line = TypeVar("Line")
Record: TypeAlias = dict[str, str]
NumberedLine: TypeAlias = tuple[int, bytes | None]


class Format(StrEnum):
    """The format of a file.

    txt: one sentence per line. tsv: a header line with column names, no quoting. jsonl: one object
    per line, with strings as values.
    """

    TXT = "txt"
    TSV = "tsv"
    JSONL = "jsonl"


class Fault(StrEnum):
    """Why a line was refused, in addition to the reasons of generation.nlp.text.check."""

    LINE_TOO_LONG = "line_too_long"
    BROKEN_UTF8 = "broken_utf8"
    WRONG_COLUMNS = "wrong_columns"
    BAD_JSON = "bad_json"
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_STRING = "not_a_string"
    NOT_A_NUMBER = "not_a_number"
    REPEATED_NAME = "repeated_name"
    MISSING_ID = "missing_id"
    BAD_ID = "bad_id"
    BAD_GROUP = "bad_group"
    MISSING_ENTITY = "missing_entity"
    BAD_ENTITY = "bad_entity"
    TOO_FEW_WORDS = "too_few_words"
    TOO_MANY_WORDS = "too_many_words"
    NOT_A_TERM = "not_a_term"
    OTHER_SCRIPT = "other_script"
    SHARED_DEFINITION = "shared_definition"
    DUPLICATE_ID = "duplicate_id"
    NEAR_DUPLICATE = "near_duplicate"
    UNKNOWN_SENTENCE = "unknown_sentence"
    OTHER_TEXT = "other_text_under_this_id"
    UNKNOWN_METHOD = "unknown_method"
    BAD_MODEL = "bad_model"
    IDENTICAL = "identical"
    HAS_LABEL = "label_neither_taken_nor_ignored"


class UnreadableFile(Exception):
    """The file as a whole cannot be read; the message says why and where."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was refused."""

    line: int
    reason: str


class Follower(Protocol):
    """Follows an import: it learns of each refused line, and when those before it are stored."""

    def refused(self, line: int, reason: str) -> None: ...

    def stored(self, report: "Report") -> None: ...


@dataclass(slots=True)
class Report:
    """The outcome for the lines of a file; `refused` counts them by reason."""

    read: int = 0
    added: int = 0
    duplicates: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_refusals: list[Refusal] = field(default_factory=list)
    follower: Follower | None = field(default=None, repr=False, compare=False)

    def refuse(self, line: int, reason: str) -> None:
        """Count a refused line, keep it if it is one of the first, and tell the follower."""
        self.refused[reason] += 1
        if len(self.first_refusals) < FIRST_REFUSALS:
            self.first_refusals.append(Refusal(line, reason))
        if self.follower:
            self.follower.refused(line, reason)

    def stored(self) -> None:
        """Tell the follower, in the transaction that stores the lines which were read so far."""
        if self.follower:
            self.follower.stored(self)

    def readable(self, lines: Iterable[Line | Refusal]) -> Iterator[Line]:
        """Yield the valid lines; count all lines, and refuse the others."""
        for line in lines:
            self.read += 1
            if isinstance(line, Refusal):
                self.refuse(line.line, line.reason)
            else:
                yield line


class RefusedLine(Exception):
    """Raised for an invalid line; `reason` says why."""

    def __init__(self, fault: StrEnum) -> None:
        super().__init__(fault)
        self.reason = fault


def format_of(path: Path) -> Format:
    """Return the format by file name extension, compressed or not. Raises UnreadableFile."""
    name = path.with_suffix("") if path.suffix in COMPRESSED else path
    try:
        return Format(name.suffix.removeprefix("."))
    except ValueError:
        raise UnreadableFile(f"{path.name}: the name does not tell the format.") from None


def decompressed(path: Path, stream: BufferedReader) -> BufferedIOBase:
    """Return the contents of an open file, decompressed if its name ends in .gz or .xz.

    A compressed file is read to its end first, so that nothing of a damaged one is imported. Raises
    UnreadableFile.
    """
    if path.suffix not in COMPRESSED:
        return stream
    content = _opened(path, stream)
    try:
        while content.read(BYTES_AT_ONCE):
            pass
    except DAMAGE as error:
        raise UnreadableFile(
            f"{path.name} is damaged after {content.tell():,} bytes of its content, so nothing of "
            f"it was imported: {error}"
        ) from error
    stream.seek(0)
    return _opened(path, stream)


def _opened(path: Path, stream: BufferedReader) -> BufferedIOBase:
    return gzip.GzipFile(fileobj=stream) if path.suffix == ".gz" else lzma.LZMAFile(stream)


def numbered_lines(stream: BufferedIOBase) -> Iterator[NumberedLine]:
    """Yield lines without line ends, numbered from 1; None if longer than MAX_LINE_BYTES."""
    for number in count(1):
        try:
            line = stream.readline(MAX_LINE_BYTES)
            complete = len(line) < MAX_LINE_BYTES or line.endswith(b"\n") or not _skip_line(stream)
        except DAMAGE as error:
            raise UnreadableFile(f"Damaged after line {number - 1:,}: {error}") from error
        if not line:
            return
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        yield number, line.removesuffix(b"\n").removesuffix(b"\r") if complete else None


def _skip_line(stream: BufferedIOBase) -> bool:
    """Read to the end of the line; return whether there was anything to read."""
    rest = stream.readline(MAX_LINE_BYTES)
    skipped = bool(rest)
    while rest and not rest.endswith(b"\n"):
        rest = stream.readline(MAX_LINE_BYTES)
    return skipped


def in_chunks(lines: Iterable[Line], size: int) -> Iterator[list[Line]]:
    """Yield lists of up to `size` lines; what was read before an UnreadableFile comes before it."""
    chunk: list[Line] = []
    try:
        for line in lines:
            chunk.append(line)
            if len(chunk) == size:
                yield chunk
                chunk = []
    except UnreadableFile:
        yield chunk
        raise
    if chunk:
        yield chunk


def decoded(line: bytes | None) -> str:
    """Decode a line. Raises RefusedLine."""
    if line is None:
        raise RefusedLine(Fault.LINE_TOO_LONG)
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise RefusedLine(Fault.BROKEN_UTF8) from None


def record_reader(
    numbered: Iterator[NumberedLine],
    file_format: Format,
    *,
    required: Collection[str],
    optional: Collection[str] = (),
    unread: set[str] | None = None,
) -> Callable[[str], Record]:
    """Return a function that parses lines of a TSV or JSON Lines file.

    The names of other columns, which are not read, are added to `unread`.

    An empty line gives an empty record. Consumes the header of a TSV file. The function raises
    RefusedLine. Raises UnreadableFile if the header lacks a required column.
    """
    wanted = {*required, *optional}
    others = set() if unread is None else unread
    if file_format is Format.TSV:
        return _tsv_reader(numbered, required, wanted, others)
    return partial(_json_record, wanted=wanted, others=others)


def _tsv_reader(
    numbered: Iterator[NumberedLine],
    required: Collection[str],
    wanted: Collection[str],
    others: set[str],
) -> Callable[[str], Record]:
    try:
        columns = decoded(next(numbered, (1, b""))[1]).split("\t")
    except RefusedLine as refused:
        raise UnreadableFile(f"The header line is not text: {refused.reason}.") from refused
    if twice := [name for name in columns if name in wanted and columns.count(name) > 1]:
        raise UnreadableFile(f"The header line names the column {twice[0]} twice.")
    if missing := [name for name in required if name not in columns]:
        raise UnreadableFile(f"The header line must name the columns {' and '.join(missing)}.")

    others.update(name for name in columns if name not in wanted)
    places = [(name, place) for place, name in enumerate(columns) if name in wanted]

    def record(line: str) -> Record:
        cells = line.split("\t") if line else []
        if cells and len(cells) != len(columns):
            raise RefusedLine(Fault.WRONG_COLUMNS)
        return {name: cells[place] for name, place in places} if cells else {}

    return record


def _label(name: str, member: Any) -> Any:
    """Return a label that is a number as text."""
    return str(member) if name == "label" and type(member) is int else member


def _json_record(line: str, *, wanted: Collection[str], others: set[str]) -> Record:
    try:
        value: Any = strict_json.read(line) if line else {}
    except strict_json.RepeatedName:
        raise RefusedLine(Fault.REPEATED_NAME) from None
    except strict_json.NoNumber:
        raise RefusedLine(Fault.NOT_A_NUMBER) from None
    except (ValueError, RecursionError):
        raise RefusedLine(Fault.BAD_JSON) from None
    if not isinstance(value, dict):
        raise RefusedLine(Fault.NOT_AN_OBJECT)
    others.update(value.keys() - wanted)
    record = {name: _label(name, member) for name, member in value.items() if name in wanted}
    if not all(isinstance(member, str) for member in record.values()):
        raise RefusedLine(Fault.NOT_A_STRING)
    return record
