"""Published labels of pairs compared with those that people gave when they judged the pairs again.

Labels are 1 for a paraphrase and 0 for none. Accuracy is the share of pairs on which both agree,
with Wilson's interval; Cohen's kappa corrects it for chance.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter

from annotation.stats.agreement import Confusion, Estimate
from annotation.stats.agreement_tables import coefficient, share
from common.tables import ALL, Row, count

SPLITS = ("train", "dev", "test")
# Of entities and domains, those with the most pairs that tables list.
MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """A decided pair; `label` is the side with more of the `votes`, `kept` if enough agree.

    `grades` are the published and the new one, where both are on the same scale.
    """

    published: int
    label: int
    votes: tuple[int, int]
    kept: bool
    split: str = ""
    entity: str = ""
    domain: str = ""
    grades: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """How well published and new labels of a number of pairs agree."""

    pairs: int
    accuracy: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class Relabelling:
    """Published labels compared with new ones.

    `ties` of the `decided` pairs have no majority, and are compared nowhere. `grades` is null
    unless both are on one scale. `table` counts pairs by published label (rows) and new label
    (columns): by grade if there are grades. `parts` divides the pairs by split, votes such as
    "4-1", entity and domain, where that makes several parts.
    """

    pairs: int
    decided: int
    ties: int
    all: Compared
    kept: Compared
    grades: Compared | None
    table: list[list[int]]
    parts: dict[str, dict[str, Compared]]


def relabelling(
    rows: Sequence[JudgedAgain], *, pairs: int, ties: int, max_grade: int | None
) -> Relabelling:
    """Compare the labels of all pairs that have a majority.

    Of `pairs` in the study, `ties` are decided without one. `max_grade` is that of a scale of
    grades that both share.
    """
    sides = [(row.published, row.label) for row in rows]
    grades = [row.grades for row in rows if row.grades is not None]
    return Relabelling(
        pairs=pairs,
        decided=len(rows) + ties,
        ties=ties,
        all=_compare(sides),
        kept=_compare((row.published, row.label) for row in rows if row.kept),
        grades=_compare(grades) if max_grade else None,
        table=_table(grades, max_grade) if max_grade else _table(sides, 1),
        parts=_parts(rows),
    )


def summary(figures: Relabelling) -> list[Row]:
    """Return a row for all pairs, and for each part."""
    lines = [(ALL, figures.all), ("Kept pairs", figures.kept)]
    lines += [("On the grade", figures.grades)] if figures.grades else []
    for division, parts in figures.parts.items():
        listed = islice(parts.items(), MOST_LISTED)
        lines += [(f"{division.capitalize()}: {name}", part) for name, part in listed]
    return [
        ("", "Pairs", "Accuracy", "Cohen's kappa"),
        *(
            (name, count(part.pairs), share(part.accuracy), coefficient(part.kappa))
            for name, part in lines
        ),
    ]


def cross_table(figures: Relabelling) -> list[Row]:
    header = ("", *map(str, range(len(figures.table))))
    rows = (map(count, row) for row in figures.table)
    return [header, *((str(label), *cells) for label, cells in enumerate(rows))]


def _compare(labels: Iterable[tuple[int, int]]) -> Compared:
    confusion = Confusion(Counter(labels))
    return Compared(confusion.pairs, confusion.accuracy, confusion.kappa)


def _table(labels: Sequence[tuple[int, int]], highest: int) -> list[list[int]]:
    counts = Counter(labels)
    scale = range(highest + 1)
    return [[counts[published, label] for label in scale] for published in scale]


def _parts(rows: Sequence[JudgedAgain]) -> dict[str, dict[str, Compared]]:
    by_split = sorted(rows, key=lambda row: SPLITS.index(row.split))
    clearest_first = sorted(rows, key=lambda row: (min(row.votes), -max(row.votes)))
    divisions = {
        "split": _division(by_split, attrgetter("split")),
        "votes": _division(clearest_first, lambda row: f"{max(row.votes)}-{min(row.votes)}"),
        "entity": _largest_first(rows, attrgetter("entity")),
        "domain": _largest_first(rows, attrgetter("domain")),
    }
    return {name: parts for name, parts in divisions.items() if len(parts) > 1}


def _division(
    rows: Iterable[JudgedAgain], part_of: Callable[[JudgedAgain], str]
) -> dict[str, Compared]:
    """Compare the labels of each part, in the order of the rows; those in no part are left out."""
    labels_by_part = defaultdict[str, list[tuple[int, int]]](list)
    for row in rows:
        if part := part_of(row):
            labels_by_part[part].append((row.published, row.label))
    return {part: _compare(labels) for part, labels in labels_by_part.items()}


def _largest_first(
    rows: Iterable[JudgedAgain], part_of: Callable[[JudgedAgain], str]
) -> dict[str, Compared]:
    parts = _division(rows, part_of)
    return dict(sorted(parts.items(), key=lambda part: (-part[1].pairs, part[0])))
