"""Finds out how an uploaded file is to be read, and what its columns hold."""

import codecs
import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from charset_normalizer import from_bytes

from annotation.imports import compression
from annotation.imports.records import Problem, UnreadableTable
from annotation.imports.tables import DELIMITERS, REASON, Layout, Shape, Table

SAMPLE_BYTES, SAMPLE_LINES = 400_000, 50
MAGIC_OF_ZIP, MAGIC_OF_XLS = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
ENCODINGS = {
    "utf-8": "Unicode (UTF-8)",
    "utf-16": "Unicode (UTF-16)",
    "cp1252": "Western European (Windows-1252, Latin-1)",
    "iso8859-15": "Western European (ISO 8859-15)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "shift_jis": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "euc_kr": "Korean (EUC-KR)",
}
OBJECT_LIST = re.compile(r"\s*\[\s*\{")
OBJECT_OF_OBJECTS = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')
# In a text of several bytes a letter, this share of broken ones is still that encoding.
MOST_BROKEN = 0.1
# A sentence has some words; where no spaces separate them, some letters that are not Latin.
FEWEST_WORDS, UNSPACED = 3, re.compile(r"[^\W\d_a-zA-Z\u00c0-\u024f]{8}")
# The share of rows with as many columns, from which on a character separates columns.
REGULAR, MOST_REGULAR = 0.8, 0.9


Text: TypeAlias = Any  # str, or one that is translated when it is shown


@dataclass(frozen=True, slots=True)
class Field:
    """What a column may hold, in texts if it `is_text`.

    `aliases` are names of columns that hold it in usual files. Commands take a column under its
    `name` alone, but one that `is_id` under its aliases too: it decides nothing.
    """

    name: str
    label: Text = ""
    aliases: tuple[str, ...] = ()
    is_required: bool = False
    is_text: bool = False
    is_id: bool = False
    help: Text = ""


def layout_of(path: Path, name: str, fields: Sequence[Field], *, encoding: str = "") -> Layout:
    """Return the likely layout of a file. Raises UnreadableTable for what is no table."""
    with path.open("rb") as raw:
        stream = compression.content(raw)
        sample = stream.read(SAMPLE_BYTES)
    if not sample.strip():
        raise UnreadableTable(Problem.EMPTY)
    is_book = sample.startswith(MAGIC_OF_ZIP)
    if compression.is_compressed(sample) or (is_book and stream is not raw):
        raise UnreadableTable(Problem.COMPRESSED)
    if is_book:
        return Layout(Shape.XLSX)
    if sample.startswith(MAGIC_OF_XLS):
        raise UnreadableTable(Problem.OLD_EXCEL)
    encoding = encoding or encoding_of(sample)
    text = sample.decode(encoding, errors="replace").removeprefix("\ufeff")
    if "\0" in text[:1000]:
        raise UnreadableTable(Problem.NOT_TEXT)
    for suffix in compression.SUFFIXES:
        name = name.removesuffix(suffix)
    return _layout_of_text(text, name, fields, encoding)


def encoding_of(sample: bytes) -> str:
    for mark, encoding in MARKS.items():
        if sample.startswith(mark):
            return encoding
    if _is_utf8(sample):
        return "utf-8"
    names = [name for name in ENCODINGS if not name.startswith("utf")]
    scores: dict[str, float] = {}
    for match in from_bytes(sample[:50_000], cp_isolation=names):
        for charset in match.could_be_from_charset:
            scores.setdefault(codecs.lookup(charset).name, match.coherence - match.chaos)
    # Of equally likely ones, the first of the list.
    return max(names, key=lambda name: scores.get(codecs.lookup(name).name, -2.0))


def columns_of(table: Table, fields: Sequence[Field]) -> dict[str, int]:
    """Return the likely column of each field: by its name, else by the length of its texts.

    A required text that no column is named after has none if the named columns hold no texts.
    """
    names = [_plain(name) for name in table.header]
    columns_by_field: dict[str, int] = {}
    for field in fields:
        columns = [names.index(alias) for alias in field.aliases if alias in names]
        if free := [column for column in columns if column not in columns_by_field.values()]:
            columns_by_field[field.name] = free[0]
    missing = [
        field for field in fields if field.is_required and field.name not in columns_by_field
    ]
    for field, column in zip(
        missing, _longest_columns(table, columns_by_field, missing), strict=False
    ):
        if not field.is_text or not _has_names(table) or _holds_texts(table, column):
            columns_by_field[field.name] = column
    return columns_by_field


def name_all(header: Sequence[str], fields: Sequence[Field]) -> bool:
    """Return whether each field has a column that is named after it, and no two share one."""
    names = [_plain(name) for name in header]
    columns = [{at for at, name in enumerate(names) if name in field.aliases} for field in fields]
    return all(columns) and len(set.union(*columns)) >= len(fields)


def _has_names(table: Table) -> bool:
    return table.layout.has_header and table.layout.shape is not Shape.TXT


def _holds_texts(table: Table, column: int) -> bool:
    """Return whether most cells of a column have several words."""
    cells = [record.cells[column] for record in table.sample if len(record.cells) > column]
    texts = [cell for cell in cells if len(cell.split()) >= FEWEST_WORDS or UNSPACED.search(cell)]
    return 2 * len(texts) > len(cells)


def _is_utf8(sample: bytes) -> bool:
    """Return whether the sample is UTF-8 but for its cut end and some broken letters."""
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(sample)
    broken = text.count("\ufffd")
    letters = len(text) - len(text.encode("ascii", "ignore"))
    return broken <= MOST_BROKEN * letters


def _layout_of_text(text: str, name: str, fields: Sequence[Field], encoding: str) -> Layout:
    if text.lstrip().startswith("{"):
        return Layout(Shape.JSON if _is_object_of_objects(text) else Shape.JSONL, encoding)
    if name.endswith(".json") or OBJECT_LIST.match(text):
        return Layout(Shape.JSON, encoding)
    is_table = name.endswith((".csv", ".tsv", ".tab"))
    # One sentence per line: its commas separate columns only if the first line names them.
    has_one_field = sum(field.is_required for field in fields) == 1
    separators = DELIMITERS if is_table or not has_one_field else ("\t", "|")
    delimiter = _delimiter_of_header(text, fields) or _delimiter_of_regular_rows(text, separators)
    if not delimiter and has_one_field and not is_table:
        return Layout(Shape.TXT, encoding, has_header=False)
    delimiter = delimiter or ("\t" if name.endswith((".tsv", ".tab")) else ",")
    cells = next(iter(_sample_rows(text, delimiter)), [])
    return Layout(Shape.CSV, encoding, delimiter, has_header=_is_header(cells, fields, text))


def _is_object_of_objects(text: str) -> bool:
    """Return whether the text is one object, and all of its members are objects."""
    if not OBJECT_OF_OBJECTS.match(text):
        return False
    first_line, *further_lines = text.lstrip().split("\n", 1)
    try:
        members = json.loads(first_line).values()
    except ValueError:  # its objects go on in the next line, or after the sample
        return True
    return not "".join(further_lines).strip() and set(map(type, members)) == {dict}


def _sample_rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the first rows; none if they cannot be separated so."""
    lines = [line for line in text.splitlines()[:SAMPLE_LINES] if line.strip()]
    if delimiter == "\t":
        return [line.split("\t") for line in lines]
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return []


def _delimiter_of_header(text: str, fields: Sequence[Field]) -> str:
    """Return what separates the columns that the first row names; "" if it names none."""
    for delimiter in DELIMITERS:
        cells = next(iter(_sample_rows(text, delimiter)), [])
        if len(cells) > 1 and _names_fields(cells, fields):
            return delimiter
    return ""


def _delimiter_of_regular_rows(text: str, delimiters: Sequence[str]) -> str:
    """Return what separates rows into equally many columns; "" if nothing does."""
    best, best_share = "", 0.0
    # Of equally regular ones, the tab: no sentence has one.
    for delimiter in sorted(delimiters, key=lambda delimiter: delimiter != "\t"):
        rows = _sample_rows(text, delimiter)
        if not rows or len(rows[0]) < 2:
            continue
        width, number = Counter(map(len, rows)).most_common(1)[0]
        share = number / len(rows)
        # Sentences have commas of their own, which separate nothing.
        least = MOST_REGULAR if delimiter in ",;" else REGULAR
        if width > 1 and share >= least and share > best_share:
            best, best_share = delimiter, share
    return best


def _plain(name: str) -> str:
    return "_".join(name.strip().casefold().replace("-", " ").split())


def _names_fields(cells: Sequence[str], fields: Sequence[Field]) -> bool:
    names = {name for field in fields for name in (field.name, *field.aliases)}
    return REASON in cells or any(_plain(cell) in names for cell in cells)


def _is_header(cells: Sequence[str], fields: Sequence[Field], text: str) -> bool:
    """Return whether cells name columns: one names a field, or all are much shorter than texts."""
    if _names_fields(cells, fields):
        return True
    longest = max((len(line) for line in text.splitlines()[1:SAMPLE_LINES]), default=0)
    return all(0 < len(cell) <= 20 for cell in cells) and sum(map(len, cells)) < longest / 3


def _longest_columns(table: Table, columns: dict[str, int], missing: Sequence[Field]) -> list[int]:
    """Return as many free columns as fields are missing: those with the longest cells, in order."""
    lengths = Counter[int]()
    for record in table.sample:
        lengths.update({column: len(cell) for column, cell in enumerate(record.cells)})
    for column in range(len(table.header)):
        lengths.setdefault(column, 0)
    free = [column for column, _length in lengths.most_common() if column not in columns.values()]
    return sorted(free[: len(missing)])
