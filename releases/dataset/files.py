"""The files of a release that have rows, each declared once with its columns.

The reader, the writers, croissant.json, the card and the preview derive from these declarations. A
column of a JSONL file is a field of its record in `rows`, which may name the version of the format
that added it; the columns of the tables are declared here, by version. `at_version` and `tables`
return the files as a version has them.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar, get_type_hints

from releases.dataset.cells import (
    KINDS,
    NULL,
    NUMBER,
    OPTIONAL_TEXT,
    OPTIONAL_WHOLE,
    TEXT,
    WHOLE,
    Kind,
)
from releases.dataset.columns import ENTITY, FURTHER, GRADE, MEAN
from releases.dataset.rows import (
    IF_ANY,
    NEWEST,
    AdjudicationRow,
    JudgmentRow,
    ModelJudgmentRow,
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
Row = tuple[str | int | float | None, ...]
R = TypeVar("R", bound=tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Column:
    """A column, and what it means. In a table it holds an attribute of its pairs."""

    name: str
    about: str | object
    kind: Kind = TEXT
    attribute: str = ""
    since: int = 1

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
        return float in self.kind.types

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

    `about` describes it to catalogues, `card` to readers of the card. An optional file exists only
    if it has rows.
    """

    path: str
    record: Callable[..., R]
    about: str
    card: str
    optional: bool = False
    version: int = NEWEST

    def at_version(self, version: int) -> "LineFile[R]":
        """Return the file as a version of the format has it."""
        return _at_version(self, version)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Return the columns that every row has, then those of the rows that have a value."""
        hints = get_type_hints(self.record, include_extras=True)
        columns = [_column(name, hint) for name, hint in hints.items() if _is_column(hint)]
        columns = [column for column in columns if column.since <= self.version]
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
    """A table of pairs, written as TSV and as Parquet."""

    subset: Subset
    split: Split
    tsv: str
    columns: tuple[Column, ...]

    @property
    def parquet(self) -> str:
        return f"parquet/{self.subset}/{self.split}.parquet"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def row(self) -> Callable[[Any], Row]:
        return attrgetter(*(column.attribute or column.name for column in self.columns))


def format_names(*kinds: ReleaseKind) -> tuple[str, ...]:
    """Return the names of the formats of these kinds, by default of all, in each version."""
    return tuple(
        f"{kind}/{version}"
        for kind in kinds or VERSIONS
        for version in range(1, VERSIONS[kind] + 1)
    )


def tsv_lines(rows: Sequence[Row]) -> str:
    """Return rows of the same length as TSV without quoting; None is an empty cell.

    Raises ValueError if a cell has a tab or a line break.
    """
    text = (
        "\n".join(["\t".join(["" if cell is None else str(cell) for cell in row]) for row in rows])
        + "\n"
    )
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
JUDGMENTS = LineFile("judgments.jsonl", JudgmentRow, about="Every answer", card="every answer")
ADJUDICATIONS = LineFile(
    "adjudications.jsonl",
    AdjudicationRow,
    about="Expert decisions on pairs on which too few agree; in no label",
    card="expert decisions on pairs on which too few agreed; in no label",
    optional=True,
)
MODEL_JUDGMENTS = LineFile(
    "model_judgments.jsonl",
    ModelJudgmentRow,
    about="Labels of models for judged pairs; in no label and no figure",
    card="labels of models for judged pairs; in no label and no figure",
    optional=True,
)
# In the order of the card.
LINE_FILES = (PAIRS, SENTENCES, JUDGMENTS, ADJUDICATIONS, MODEL_JUDGMENTS)

# Columns of releases whose settings name them; only people give grades.
_GRADE = Column(
    GRADE,
    "The grade that most people gave, else the median; empty if the pair was not judged",
    OPTIONAL_WHOLE,
)
_MEAN = Column(MEAN, "The mean of the answers; empty if the pair was not judged", NUMBER)
_ENTITY = Column(ENTITY, "What both sentences define; empty if unknown", OPTIONAL_TEXT)
TEXTS = (
    Column("sentence1", "One sentence", attribute="text1"),
    Column("sentence2", "The other sentence", attribute="text2"),
)
_ENDS = (
    Column("id", "Id of the pair, also in pairs.jsonl if it was judged or recombined"),
    *TEXTS,
)
LABEL = Column("label", "1: a paraphrase; 0: none", WHOLE)
_NOISY_LABEL = Column(
    "noisy_label", "What the method suggests, whatever people say", WHOLE, "label"
)
_NO_LABEL = Column("label", "Empty: too few people agree", OPTIONAL_WHOLE)
# After the label, in all tables of the second version: their columns have equal types.
_FURTHER = (
    _GRADE,
    _MEAN,
    Column("votes0", "Number of votes against a paraphrase; empty if not judged", OPTIONAL_WHOLE),
    Column("votes1", "Number of votes for a paraphrase; empty if not judged", OPTIONAL_WHOLE),
    Column("soft_label", "Share of the votes for a paraphrase; empty if not judged", NUMBER),
    Column("domain", "Corpus of both sentences; two are joined by a slash", OPTIONAL_TEXT),
    Column("method", "How one sentence became the other, or recombined"),
    Column("kind", "What the method changed; empty if recombined or unknown", OPTIONAL_TEXT),
    Column("generator", "Models of the run that made the pair; empty if recombined", OPTIONAL_TEXT),
    Column("run", "Number of that run, as in manifest.json", OPTIONAL_WHOLE),
    _ENTITY,
    Column("split", "train, dev or test, also of pairs of low agreement"),
)
_FIRST_VOTES = (
    Column("votes0", "Number of votes against a paraphrase", WHOLE),
    Column("votes1", "Number of votes for a paraphrase", WHOLE),
)
# By version, the columns of the tables with labels, of unlabeled_final, and of low_agreement.
_COLUMNS: Mapping[int, tuple[tuple[Column, ...], ...]] = {
    1: (
        (*_ENDS, LABEL, _GRADE, _ENTITY),
        (*_ENDS, _NOISY_LABEL, _ENTITY),
        (*_ENDS, *_FIRST_VOTES, _GRADE, _ENTITY),
    ),
    2: (
        (*_ENDS, LABEL, *_FURTHER),
        (*_ENDS, _NOISY_LABEL, *_FURTHER),
        (*_ENDS, _NO_LABEL, *_FURTHER),
    ),
}


@cache
def tables(columns: tuple[str, ...] = (), version: int = NEWEST) -> tuple[Table, ...]:
    """Return the tables as a version of the format has them, with these of the FURTHER columns.

    Graded releases have the mean with the grade. `datasets` calls the only split of a dataset
    "train", so low_agreement has that one, whatever the splits of its pairs.
    """
    columns = (*columns, MEAN) if GRADE in columns else columns
    labelled, noisy, low_agreement = (
        tuple(
            column
            for column in columns_of_table
            if column.name not in (*FURTHER, MEAN) or column.name in columns
        )
        for columns_of_table in _COLUMNS[version]
    )
    return (
        Table("labeled_final", "train", "labeled_final/train.tsv", labelled),
        Table("labeled_final", "dev", "labeled_final/dev.tsv", labelled),
        Table("labeled_final", "test", "labeled_final/test.tsv", labelled),
        Table("labeled_swap", "train", "labeled_swap/train.tsv", labelled),
        Table("unlabeled_final", "train", "unlabeled_final/train.tsv", noisy),
        Table("unlabeled_final", "dev", "unlabeled_final/dev.tsv", noisy),
        Table("low_agreement", "train", "low_agreement.tsv", low_agreement),
    )


TABLES = tables()
