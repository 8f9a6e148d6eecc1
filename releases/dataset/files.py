"""The files of a release that have rows, each declared once with its columns.

The reader, the writers, croissant.json, the card and the preview derive from these declarations. A
column of a JSONL file is a field of its record in `rows`, which may name the version of the format
that added it; `at_version` returns a file as a version has it. The columns of the tables are
declared in `tables`.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar, get_type_hints

from annotation.stats.labels import Scheme
from releases.dataset.cells import FRACTIONS, KINDS, NULL, NUMBER, TEXT, Kind
from releases.dataset.rows import (
    IF_ANY,
    NEWEST,
    AdjudicationRow,
    AnnotatorRow,
    JudgmentRow,
    ModelJudgmentRow,
    Place,
    PromptRow,
    ReleasedPair,
    SentenceRow,
    Since,
    Split,
    Subset,
)


class ReleaseKind(StrEnum):
    """What a release contains; with a version, the name of its format."""

    RELEASE = "pawsmith-release"  # pairs that people judged
    TRANSLATION = "pawsmith-translation"  # those of another release in another language
    PUBLISHED = "pawsmith-published"  # those that others published


# The newest version of each format: new releases have it.
VERSIONS = {
    ReleaseKind.RELEASE: NEWEST,
    ReleaseKind.TRANSLATION: NEWEST,
    ReleaseKind.PUBLISHED: 1,
}
CFF, ZENODO, PAPER = "CITATION.cff", ".zenodo.json", "paper.tex"
LABELED_FINAL = "labeled_final"
Row = tuple[str | int | float | tuple[int | float, ...] | None, ...]
R = TypeVar("R", bound=tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Column:
    """A column, and what it means. In a table it holds an attribute of its pairs, converted."""

    name: str
    about: str | object
    kind: Kind = TEXT
    attribute: str = ""
    since: int = 1
    convert: Callable[[Any], Any] | None = None

    def read(self, cell: Any) -> Any:
        """Return a cell from its JSON value. Raises ValueError for another type."""
        if type(cell) not in self.kind.types:
            raise ValueError(f"{self.name} is {cell!r}")
        return self.kind.read(cell)

    @property
    def is_text(self) -> bool:
        return str in self.kind.types

    @property
    def is_fraction(self) -> bool:
        return self.kind in (NUMBER, FRACTIONS)

    @property
    def is_catalogued(self) -> bool:
        return self.about is not IF_ANY and bool(self.kind.name)

    @property
    def is_list(self) -> bool:
        return self.kind.many

    @property
    def is_optional(self) -> bool:
        return NULL in self.kind.types

    @property
    def writer(self) -> Callable[[Any], str]:
        return self._write_if_any if self.about is IF_ANY else self.kind.write

    def _write_if_any(self, cell: Any) -> str:
        """Write the name too: the form of a row has only the columns that all rows have."""
        return "" if cell is None else f', "{self.name}": {self.kind.write(cell)}'


@dataclass(frozen=True)
class LineFile(Generic[R]):
    """A JSONL file with one record per line, in exactly one form.

    `about` describes it to catalogues and on the card, unless `card` does. An optional file exists
    only if it has rows, which the manifest counts under `counted_as`. Formats have it `since` a
    version.
    `abouts` describe columns by name otherwise than the record does.
    """

    path: str
    record: Callable[..., R]
    about: str
    card: str = ""
    optional: bool = False
    counted_as: str = ""
    since: int = 1
    version: int = NEWEST
    abouts: tuple[tuple[str, str], ...] = ()

    def at_version(self, version: int) -> "LineFile[R]":
        """Return the file as a version of the format has it."""
        return _at_version(self, version)

    @property
    def card_row(self) -> str:
        """Return its row in the table of files on the card."""
        return f"| `{self.path}` | {self.card or self.about[:1].lower() + self.about[1:]} |"

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Return the columns that every row has, then those of the rows that have a value."""
        hints = get_type_hints(self.record, include_extras=True)
        columns = [_column(name, hint) for name, hint in hints.items() if _is_column(hint)]
        abouts = dict(self.abouts)
        columns = [
            replace(column, about=abouts.get(column.name, column.about))
            for column in columns
            if column.since <= self.version
        ]
        return tuple(sorted(columns, key=lambda column: column.about is IF_ANY))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.about is not IF_ANY)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    @cached_property
    def _places(self) -> tuple[int, ...]:
        """Return the places of the columns among the fields of the record."""
        fields = [*get_type_hints(self.record)]
        return tuple(fields.index(column.name) for column in self.columns)

    @cached_property
    def _is_in_order(self) -> bool:
        """Whether the columns of every row are the first fields: such lines are read faster."""
        return self._places[: len(self.names)] == tuple(range(len(self.names)))

    def lines(self, rows: Sequence[R]) -> str:
        """Return rows as lines of JSON, equal to those of json.dumps.

        Written column by column, at twice the speed: a study has a quarter of a million rows.
        """
        fields_always = ", ".join(f'"{name}": %s' for name in self.names)
        line_format = f"{{{fields_always}{'%s' * (len(self.columns) - len(self.names))}}}\n"
        if not rows:
            return ""
        fields = tuple(zip(*rows, strict=True))
        json_columns = [
            map(column.writer, fields[place])
            for column, place in zip(self.columns, self._places, strict=True)
        ]
        return "".join(map(line_format.__mod__, zip(*json_columns, strict=True)))

    def parse(self, line: str) -> R:
        """Return the row of a line. Raises ValueError or TypeError for another form."""
        cells = json.loads(line)
        if tuple(cells)[: len(self.names)] != self.names:
            raise ValueError(f"not the fields {', '.join(self.names)}")
        if len(cells) == len(self.names) and self._is_in_order:
            return self.record(*map(Column.read, self.columns, cells.values()))
        columns = self._by_name
        if unknown := cells.keys() - columns.keys():
            raise ValueError(f"no field is called {', '.join(sorted(unknown))}")
        return self.record(**{name: columns[name].read(cell) for name, cell in cells.items()})


@cache
def _at_version(file: LineFile[R], version: int) -> LineFile[R]:
    return replace(file, version=version)


def _is_column(hint: Any) -> bool:
    return hasattr(hint, "__metadata__")


def _column(name: str, hint: Any) -> Column:
    """Return the column that an annotated field declares."""
    [about] = hint.__metadata__
    since, about = about if isinstance(about, Since) else (1, about)
    return Column(name, about, KINDS[hint.__origin__], since=since)


@dataclass(frozen=True, eq=False)
class Table:
    """A table of pairs, written as TSV and as Parquet.

    `title` is what readers call its split, if that is none of train, dev and test.
    """

    subset: Subset
    split: Split
    tsv: str
    columns: tuple[Column, ...]
    title: str = ""

    @property
    def split_name(self) -> str:
        return self.title or self.split

    @property
    def place(self) -> Place:
        return self.subset, self.split

    @property
    def parquet(self) -> str:
        return f"parquet/{self.subset}/{self.split_name}.parquet"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def row(self) -> Callable[[Any], Row]:
        """Return a function from a pair to its row."""
        cells = attrgetter(*(column.attribute or column.name for column in self.columns))
        converted = [
            (place, column.convert)
            for place, column in enumerate(self.columns)
            if column.convert is not None
        ]

        def row(pair: Any) -> Row:
            row = list(cells(pair))
            for place, convert in converted:
                row[place] = convert(row[place])
            return tuple(row)

        return row if converted else cells


def format_names(*kinds: ReleaseKind) -> tuple[str, ...]:
    """Return the names of the formats of these kinds, by default of all, in each version."""
    return tuple(
        f"{kind}/{version}"
        for kind in kinds or VERSIONS
        for version in range(1, VERSIONS[kind] + 1)
    )


def tsv_lines(rows: Sequence[Row]) -> str:
    """Return rows of the same length as TSV without quoting.

    None is an empty cell, and the numbers of a list are joined by a space. Raises ValueError if a
    cell has a tab or a line break.
    """
    lines = [
        "\t".join(
            [
                ""
                if cell is None
                else " ".join(map(str, cell))
                if type(cell) is tuple
                else str(cell)
                for cell in row
            ]
        )
        for row in rows
    ]
    text = "\n".join(lines) + "\n"
    tabs, breaks = text.count("\t"), text.count("\n")
    if tabs == len(rows) * (len(rows[0]) - 1) and breaks == len(rows) and "\r" not in text:
        return text
    bad_row = next(row for row in rows if re.search(r"[\t\n\r]", "".join(map(str, row))))
    raise ValueError(f"a tab or a line break in one of {bad_row!r}")


SENTENCES = LineFile(
    "sentences.jsonl",
    SentenceRow,
    about="Every sentence; where it belongs to a group, `group` names it",
    card="every sentence with its source",
)
PAIRS = LineFile(
    "pairs.jsonl",
    ReleasedPair,
    about="Every judged pair, and every pair recombined from them",
    card="every pair with its origin, votes and place",
)
JUDGMENTS = LineFile("judgments.jsonl", JudgmentRow, about="Every answer")
ADJUDICATIONS = LineFile(
    "adjudications.jsonl",
    AdjudicationRow,
    about="Expert decisions on pairs on which too few agree; in no label",
    card="expert decisions on pairs on which too few agreed; in no label",
    optional=True,
    counted_as="adjudications",
)
MODEL_JUDGMENTS = LineFile(
    "model_judgments.jsonl",
    ModelJudgmentRow,
    about="Labels of models for judged pairs; in no label and no figure",
    optional=True,
    counted_as="model_judgments",
)
ANNOTATORS = LineFile(
    "annotators.jsonl",
    AnnotatorRow,
    about="What annotators who allowed it replied to questions about themselves",
    optional=True,
    counted_as="replies",
    since=2,
)
PROMPTS = LineFile(
    "prompts.jsonl",
    PromptRow,
    about="Prompts by which chat models were asked to rewrite sentences or judge pairs",
    optional=True,
    counted_as="prompts",
    since=2,
)
# In the order of the card.
LINE_FILES = (PAIRS, SENTENCES, JUDGMENTS, ANNOTATORS, ADJUDICATIONS, MODEL_JUDGMENTS, PROMPTS)


def described_for(scheme: Scheme, file: LineFile[R]) -> LineFile[R]:
    """Return a file whose columns are described for the labels of a study."""
    if scheme.is_binary:
        return file
    label = "Value of the label that most people gave; null: not settled"
    abouts = {
        PAIRS.path: {
            "label": label if scheme.decides else "Null: answers are not reduced to one label",
            "votes": f"Number of votes for each of: {', '.join(scheme.outcomes)}",
        },
        ADJUDICATIONS.path: {"label": "Value of the expert's label, or null for none"},
        MODEL_JUDGMENTS.path: {"score": "Null: scores are of two sides"},
    }
    return replace(file, abouts=tuple(abouts.get(file.path, {}).items()))
