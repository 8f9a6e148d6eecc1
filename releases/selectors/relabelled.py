"""Selects what people say now of pairs that a release labels, next to its labels."""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.stats.consensus import Decision, decide_tally
from annotation.stats.labels import Scheme
from annotation.stats.relabelled import JudgedAgain, Relabelling, relabelling
from common.spreadsheets import Cell
from releases.models import Comparison, Example
from releases.selectors.comparisons import drawn_examples
from releases.selectors.releases import scheme_of

COLUMNS = (
    *("id", "published_id", "split", "entity", "domain", "sentence1", "sentence2"),
    *("published_label", "label", "published_grade", "grade", "votes0", "votes1", "kept"),
)


class DecidedPair(NamedTuple):
    """A pair of the release, what the votes of the project decided, and both compared.

    `compared` is None if the votes are tied.
    """

    example: Example
    decision: Decision
    compared: JudgedAgain | None


def published_labels(comparison: Comparison) -> Relabelling:
    """Compare the labels of a release with those that people gave its pairs again."""
    decided = _decided_pairs(comparison)
    rows = [pair.compared for pair in decided if pair.compared]
    scheme = common_scheme(comparison)
    return relabelling(
        rows,
        pairs=study_rows.pairs(comparison.project).count(),
        ties=len(decided) - len(rows),
        max_grade=scheme.values[-1] if scheme else None,
    )


def differing_pairs(comparison: Comparison) -> Iterator[tuple[Cell, ...]]:
    """Yield, with `COLUMNS`, the pairs whose labels or grades differ, in the release's order."""
    decided = _decided_pairs(comparison)
    for example, decision, compared in sorted(decided, key=lambda pair: pair.example.position):
        if compared is None:
            continue
        grade, new_grade = compared.grades or (None, None)
        if (compared.published, grade) != (compared.label, new_grade):
            yield (
                str(example.public_id),
                *(example.published_id, example.split, example.entity, example.domain),
                *(example.sentence1, example.sentence2),
                *(compared.published, compared.label, grade, new_grade),
                *(*decision.votes, decision.kept),
            )


def common_scheme(comparison: Comparison) -> Scheme | None:
    """Return the grades that release and project share; None if they share none."""
    ours, theirs = comparison.project.scheme, scheme_of(comparison.release)
    is_shared = (ours.values, ours.border) == (theirs.values, theirs.border)
    return theirs if is_shared and theirs.folds else None


def _decided_pairs(comparison: Comparison) -> list[DecidedPair]:
    examples = drawn_examples(comparison)
    protocol = protocols.of_project(comparison.project)
    has_grades = common_scheme(comparison) is not None
    rows = study_rows.consensus_rows(comparison.project).values_list("pair__texts_key", "tally")
    decided = [
        (examples[key], decide_tally(tally, protocol)) for key, tally in rows if key in examples
    ]
    return [
        DecidedPair(example, decision, _compared(example, decision, has_grades=has_grades))
        for example, decision in decided
    ]


def _compared(example: Example, decision: Decision, *, has_grades: bool) -> JudgedAgain | None:
    if decision.majority is None or example.label is None:
        return None
    grades = None
    if has_grades and example.grade is not None and decision.grade is not None:
        grades = example.grade, decision.grade
    return JudgedAgain(
        published=example.label,
        label=decision.majority,
        votes=(decision.votes[0], decision.votes[1]),
        kept=decision.kept,
        split=example.split,
        entity=example.entity,
        domain=example.domain,
        grades=grades,
    )
