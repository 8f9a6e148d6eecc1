"""The rows of the files of a published set, as they are."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from annotation.imports import tables
from annotation.imports.records import Nested, TableFault, UnreadableTable
from annotation.imports.tables import Table
from releases.dataset.published.columns import NONE, ROLES, Columns, find_columns
from releases.dataset.published.counts import Counts
from releases.dataset.published.layout import SetFile, splits_in
from releases.dataset.published.outline import ROWS, FirstRows, Outline
from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.published.values import Cells
from releases.dataset.rows import SPLITS, Split

OTHER_LANGUAGE = "other_language"


class RawRow(NamedTuple):
    """A row of a file, by the number of the file; empty texts for what the file does not have."""

    file: int
    line: int
    split: Split
    text1: str
    text2: str
    cells: Cells
    id: str
    entity: str
    domain: str
    method: str


def columns_of_set(files: Sequence[SetFile], choices: Choices, outline: Outline) -> Columns:
    """Return the columns of the first file that has labels, or else of the first one.

    Without headers, it is the one with the most columns: others may lack the labels at their end.
    """
    if any(choices.files.values()):  # they say the splits, and not a column
        choices = replace(choices, columns={"split": NONE} | dict(choices.columns))
    outcomes = [_columns_or_error(file, choices, outline) for file in files]
    columns_of_files = [outcome for outcome in outcomes if isinstance(outcome, Columns)]
    labelled = [columns for columns in columns_of_files if columns.has_labels]
    if labelled:
        return max(labelled, key=lambda columns: columns.has_header or len(columns.header))
    if isinstance(outcomes[0], UnusableSet):
        raise outcomes[0]
    return outcomes[0]


def _columns_or_error(file: SetFile, choices: Choices, outline: Outline) -> Columns | UnusableSet:
    try:
        with opened(file) as table:
            rows = [record.cells for record in table.sample[:ROWS]]
            outline.tables[file.name] = first_rows = FirstRows(table.header, rows)
            return find_columns(file.name, table, choices, first_rows.places)
    except UnusableSet as error:
        return error


def rows_of_file(
    number: int, file: SetFile, columns: Columns, choices: Choices, counts: Counts
) -> Iterator[RawRow]:
    """Yield the rows that can be read, and count all. Raises UnusableSet."""
    with opened(file) as table:
        places = columns.in_file(file.name, table)
        # A column that the file lacks is the empty cell that each row gets at its end.
        take = itemgetter(*(places.get(role, -1) for role in ROLES))
        width, has_splits = len(table.header) + 1, "split" in places
        for line, cells, fault in table.records:
            counts.rows += 1
            if fault and fault is not TableFault.NOT_A_STRING:
                counts.refuse(fault, file.name, line)
                continue
            cells += [""] * max(1, width - len(cells))
            values = dict(zip(ROLES, take(cells), strict=True))
            if _is_other_language(values["language"], choices.language):
                counts.left_out[OTHER_LANGUAGE] += 1
            elif fault and Nested in (type(values["sentence1"]), type(values["sentence2"])):
                counts.refuse(fault, file.name, line)
            else:
                split = _split(values["split"], file, line) if has_splits else file.split
                yield _raw_row(number, line, split or SPLITS[0], values)


@contextmanager
def opened(file: SetFile) -> Iterator[Table]:
    try:
        with tables.open_table(file.path, file.layout) as table:
            if not (table.sample and table.header):
                raise UnusableSet(f"{file.name} has no rows. Name files with labelled pairs.")
            yield table
    except UnreadableTable as error:
        raise UnusableSet(f"{file.name}: {error}") from error


def _raw_row(file: int, line: int, split: Split, values: Mapping[str, str]) -> RawRow:
    votes = values["votes"] or _annotations(values["votes0"], values["votes1"])
    return RawRow(
        file,
        line,
        split,
        values["sentence1"],
        values["sentence2"],
        Cells(*map(_word, (values["label"], values["grade"], votes))),
        " ".join(values["id"].split()),
        *(_word(values[role]) for role in ("entity", "domain", "method")),
    )


def _word(cell: str) -> str:
    """Return a cell without breaks; equal ones share one object."""
    return sys.intern(" ".join(cell.split()))


@cache
def _annotations(votes0: str, votes1: str) -> str:
    """Return two numbers of votes as a list of answers; "" if they are no numbers."""
    if not (votes0.isdecimal() and votes1.isdecimal()):
        return ""
    return f"[{', '.join(['0'] * int(votes0) + ['1'] * int(votes1))}]"


def _is_other_language(cell: str, language: str) -> bool:
    if not (cell and language):
        return False
    return cell.casefold().split("-")[0].strip() != language.casefold().split("-")[0]


def _split(cell: str, file: SetFile, line: int) -> Split:
    splits = splits_in(cell)
    if len(splits) != 1:
        raise UnusableSet(
            f"{file.name}, line {line}: the split {cell} is none of {', '.join(SPLITS)}.",
            "columns",
            "Correct it, or leave that column out: --columns split=-.",
        )
    return splits[0]
