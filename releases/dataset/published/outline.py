"""What a reading of published files has met, however far it came: people then say the rest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from releases.dataset.published.counts import Counts
from releases.dataset.published.values import (
    MISSING,
    NUMBERS,
    Cells,
    form_of,
    read_annotations,
    read_score,
)

# The first rows of a table, and the most frequent labels, that are shown.
ROWS, LABELS = 3, 20
LEFT_OUT = "-"


@dataclass(frozen=True, slots=True)
class FirstRows:
    """A header with the cells of the first rows, and the places of roles, as they are found."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    places: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Outline:
    """The parts of a set; those that were not reached are empty.

    `splits` has all tables: "" if nothing says the split of one, "-" if it is left out. `cells`
    counts the labels of all rows.
    """

    configs: Sequence[str] = ()
    splits: dict[str, str] = field(default_factory=dict)
    tables: dict[str, FirstRows] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    cells: Counter[Cells] = field(default_factory=Counter)
    counts: Counts = field(default_factory=Counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the outline as JSON values, of the table whose columns are understood best."""
        best = max(self.tables.values(), key=lambda table: len(table.places), default=None)
        return {
            "configs": list(self.configs),
            "files": [
                {"name": name, "split": split, "rows": self.rows.get(name)}
                for name, split in self.splits.items()
            ],
            "header": list(best.header) if best else [],
            "rows": [[str(cell) for cell in row] for row in best.rows] if best else [],
            "places": dict(best.places) if best else {},
            "refused": [
                {"reason": reason, "number": number, "lines": self.counts.lines[reason]}
                for reason, number in self.counts.refused.most_common()
            ],
            **_labels(self.cells),
        }


def _labels(cells: Mapping[Cells, int]) -> dict[str, Any]:
    """Return the labels with their numbers of rows, and what they are."""
    columns = {role: _column(cells, role) for role in Cells._fields}
    labels = next(filter(None, columns.values()), Counter[str]())
    form = form_of(columns["label"])
    numbers = list(_numbers(columns, form))
    return {
        "labels": labels.most_common(LABELS),
        "more_labels": max(0, len(labels) - LABELS),
        "are_names": bool(columns["label"]) and _may_be_names(form, len(labels)),
        "are_votes": form == "votes",
        "numbers": [min(numbers), max(numbers)] if numbers else None,
    }


def _may_be_names(form: str, number: int) -> bool:
    """Return whether each label may have its own meaning: 0, 1 and 2 may be names too."""
    return not form or (form in NUMBERS and number <= LABELS)


def _column(cells: Mapping[Cells, int], role: str) -> Counter[str]:
    counts = Counter[str]()
    for row, number in cells.items():
        if (text := getattr(row, role)) not in MISSING:
            counts[text] += number
    return counts


def _numbers(columns: Mapping[str, Counter[str]], form: str) -> list[float]:
    """Return the grades or scores, or else the answers of a list."""
    texts = columns["grade"] or (columns["label"] if form in NUMBERS else ())
    if texts or columns["label"]:
        return [number for number in map(read_score, texts) if number is not None]
    answers = (read_annotations(text, {}) or () for text in columns["votes"])
    return [number for row in answers for number in row]
