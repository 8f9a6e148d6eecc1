"""Answers of people compared with those of others, inside the database.

The SQL works on both engines: the ORM cannot aggregate over window functions, and fetching 250,000
answers to count them in Python would take seconds.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from accounts.models import User
from annotation.models import Judgment, Membership, Project
from annotation.models.slots import COUNTS
from annotation.people.selectors import names, workforce
from annotation.projects import protocols
from annotation.projects.labels import outcome_sql, value_sql
from annotation.stats.agreement import (
    Confusion,
    Tally,
    VoteTable,
    folded,
    human_agreement,
    with_majority,
)
from annotation.stats.consensus import Decision, Protocol, decide_tally, most_frequent

NOTHING_COMPARED = Confusion({})

_NOT_COMPARED = """
            SELECT id FROM annotation_item
            WHERE project_id = %(project)s AND kind = 'judge' AND gold_label IS NOT NULL
            UNION ALL SELECT id FROM annotation_item
            WHERE project_id = %(project)s AND excluded_by_id IS NOT NULL"""
_ANSWERS = """
        SELECT slot.id, slot.item_id, slot.annotator_id, {outcome} AS outcome, {value} AS value,
            CASE WHEN {counts} THEN 1 ELSE 0 END AS counts
        FROM annotation_slot slot
        WHERE slot.project_id = %(project)s AND slot.kind = 'judge' AND slot.label IS NOT NULL
        AND slot.superseded_by_id IS NULL
        AND slot.item_id NOT IN ({not_compared}){of_pairs}"""
# Others' votes by outcome: those of the latest round that count, without the answer itself. Both
# figures of a person come from one pass: a look-up of each answer's consensus took six seconds.
_COMPARED = """
FROM (
    SELECT id, annotator_id, outcome, counts, {others_votes}
    FROM ({answers}) answers
) compared
WHERE annotator_id IS NOT NULL{of_annotator}
"""
_OTHERS_VOTES = """
        SUM(CASE WHEN outcome = {number} THEN counts ELSE 0 END) OVER (PARTITION BY item_id)
            - CASE WHEN outcome = {number} THEN counts ELSE 0 END AS {column}"""
_ANSWERS_BY_OTHERS = f"""
SELECT annotator_id, outcome, counts, COUNT(*), {{columns}} {_COMPARED}
GROUP BY annotator_id, outcome, counts, {{columns}}
"""
_ANSWERS_BESIDE_OTHERS = f"SELECT id, outcome, {{columns}} {_COMPARED}"
# How far each answer is from the mean of the other answers that count.
_DISTANCES = """
SELECT annotator_id, AVG(ABS(value - (1.0 * total - value * counts) / (number - counts)))
FROM (
    SELECT annotator_id, value, counts, SUM(value * counts) OVER (PARTITION BY item_id) AS total,
        SUM(counts) OVER (PARTITION BY item_id) AS number
    FROM ({answers}) answers
) compared
WHERE annotator_id IS NOT NULL AND number - counts >= {fewest_others}{of_annotator}
GROUP BY annotator_id
"""
_MEDIAN_SECONDS = """
SELECT annotator_id, AVG(seconds) FROM (
    SELECT annotator_id, seconds,
        ROW_NUMBER() OVER (PARTITION BY annotator_id ORDER BY seconds) AS place,
        COUNT(*) OVER (PARTITION BY annotator_id) AS number
    FROM annotation_slot
    WHERE project_id = %(project)s AND kind = 'judge'
        AND label IS NOT NULL AND seconds IS NOT NULL{of_annotator}
) timed
WHERE 2 * place BETWEEN number AND number + 2
GROUP BY annotator_id
"""
# Each pair has the numbers of its counted votes by label, and the label of one person.
_BY_VOTES = """
SELECT own, {labels}, COUNT(*)
FROM (
    SELECT MAX(CASE WHEN slot.annotator_id = %(annotator)s THEN slot.label END) AS own, {counted}
    FROM annotation_slot slot
    WHERE slot.project_id = %(project)s AND slot.kind = 'judge' AND {counts}
    AND slot.item_id NOT IN ({not_compared})
    GROUP BY slot.item_id
) pairs
GROUP BY own, {labels}
"""
_OF_ANNOTATOR = {
    "of_annotator": " AND annotator_id = %(annotator)s",
    "of_pairs": """ AND slot.item_id IN (
                SELECT item_id FROM annotation_slot
                WHERE annotator_id = %(annotator)s AND project_id = %(project)s)""",
}
_OF_EVERYBODY = dict.fromkeys(_OF_ANNOTATOR, "")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answers of one person compared with those of others, by side of the scale.

    `with_others` covers every pair, decided or not, on which at least two others (one, where only
    two judge) have a majority; excluded answers are compared, but are part of no majority.
    `with_consensus` covers decided pairs and answers that count, if votes decide; the majority
    holds the person's own answer, as in PARADE 4.3. `distance` is the mean distance between an
    answer and the mean of the others', in steps of the scale; None unless labels have equal steps.
    """

    with_others: Confusion = NOTHING_COMPARED
    with_consensus: Confusion = NOTHING_COMPARED
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person whose answers are compared; `pseudonym` is for those who may not see the name."""

    user: User
    pseudonym: str
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class State:
    """Of the pairs that are decided now: their human agreement, and how many have which state."""

    agreement: float | None
    all_agree: int
    kept: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What an exclusion of a person's answers changes, for the `pairs` that are decided now.

    `to_answer` are the answers to give again, and `able` the people who can judge then, besides
    the person. Answers that a reinstatement made surplus would count again: they are left out.
    """

    now: State
    without: State
    pairs: int
    to_answer: int
    able: int


def without(project: Project, person: Membership) -> Effect:
    """Return the effect of excluding a person's answers: one statement over the counted votes."""
    protocol = protocols.of_project(project)
    now, later = Counter[Tally](), Counter[Tally]()
    to_answer = 0
    for own, *labels, pairs in _rows_by_votes(project, person.user_id):
        left = [number - (label == own) for label, number in enumerate(labels)]
        before, after = decide_tally(labels, protocol), decide_tally(left, protocol)
        if before.decided:
            now[before.tally] += pairs
            later[after.tally] += pairs
        to_answer += pairs * (_missing(after, protocol) - _missing(before, protocol))
    able = workforce.people(project)[Judgment.KIND] - {person.user.person_key}
    return Effect(
        now=_state(now, protocol),
        without=_state(later, protocol),
        pairs=sum(now.values()),
        to_answer=to_answer,
        able=len(able),
    )


def annotators(project: Project) -> list[Annotator]:
    """Return all annotators by pseudonym, in two queries."""
    comparisons = {
        account: comparison
        for account, comparison in compare_people(project).items()
        if comparison.with_others.pairs or comparison.distance is not None
    }
    people = [
        Annotator(user, names.pseudonym(project, user.pk), comparisons[user.pk])
        for user in User.objects.filter(pk__in=comparisons)
    ]
    return sorted(people, key=lambda annotator: annotator.pseudonym)


def compare_people(project: Project, *, annotator: int | None = None) -> dict[int, Comparison]:
    """Compare the answers of each person, or of one annotator, with those of others.

    One query, and another for distances where labels have equal steps.
    """
    protocol = protocols.of_project(project)
    against_others = defaultdict[int, Counter[tuple[int, int]]](Counter)
    votes = Counter[tuple[int, int, Tally]]()
    for account, outcome, counts, pairs, *others in _run_statement(
        _ANSWERS_BY_OTHERS, project, annotator
    ):
        if (majority := _majority_of_others(others, project)) is not None:
            against_others[account][outcome, majority] += pairs
        tally = tuple(number + (place == outcome) for place, number in enumerate(others))
        if counts and protocol.scheme.decides and protocol.are_enough(tally):
            votes[account, outcome, tally] += pairs
    against_consensus = with_majority(votes)
    distances: Mapping[int, float] = {}
    if protocol.scheme.has_equal_steps:
        rows = _run_statement(_DISTANCES, project, annotator)
        distances = {account: float(distance) for account, distance in rows}
    return {
        account: Comparison(
            Confusion(against_others[account]),
            against_consensus.get(account, NOTHING_COMPARED),
            distances.get(account),
        )
        for account in {*against_others, *against_consensus, *distances}
    }


def apart(person: Membership) -> list[int]:
    """Return the keys of a person's answers that the majority of the others contradicts."""
    project = person.project
    rows = _run_statement(_ANSWERS_BESIDE_OTHERS, project, person.user_id)
    majorities = {key: _majority_of_others(others, project) for key, _, *others in rows}
    return [key for key, outcome, *_ in rows if majorities[key] not in (None, outcome)]


def median_seconds(project: Project, *, annotator: int | None = None) -> Mapping[int, float]:
    return {
        who: float(seconds) for who, seconds in _run_statement(_MEDIAN_SECONDS, project, annotator)
    }


def _rows_by_votes(project: Project, annotator: int) -> Sequence[Any]:
    columns = [f"of_{label}" for label in range(project.scheme.size)]
    counted = ", ".join(
        f"SUM(CASE WHEN slot.label = {label} THEN 1 ELSE 0 END) AS {column}"
        for label, column in enumerate(columns)
    )
    parts = {"labels": ", ".join(columns), "counted": counted}
    statement = _BY_VOTES.format(counts=COUNTS, not_compared=_NOT_COMPARED, **parts)
    return _fetch(statement, project, annotator)


def _missing(decision: Decision, protocol: Protocol) -> int:
    """Return how many answers are asked for now: those that the first lack, or one more."""
    return 0 if decision.decided else max(1, protocol.judgments_per_pair - sum(decision.tally))


def _state(tallies: VoteTable, protocol: Protocol) -> State:
    decisions = [(decide_tally(tally, protocol), pairs) for tally, pairs in tallies.items()]
    return State(
        agreement=human_agreement(folded(tallies, protocol.scheme)),
        all_agree=sum(pairs for tally, pairs in tallies.items() if 0 < max(tally) == sum(tally)),
        kept=sum(pairs for decision, pairs in decisions if decision.decided and decision.kept),
    )


def _majority_of_others(votes: Sequence[int], project: Project) -> int | None:
    """Return the outcome with most votes; None in a tie, or if too few others have voted."""
    return most_frequent(votes) if sum(votes) >= _fewest_others(project) else None


def _fewest_others(project: Project) -> int:
    return min(2, max(1, project.judgments_per_pair - 1))


def _run_statement(statement: str, project: Project, annotator: int | None) -> Sequence[Any]:
    scheme = project.scheme
    columns = [f"of_{outcome}" for outcome in range(len(scheme.outcomes))]
    others_votes = ",".join(
        _OTHERS_VOTES.format(number=number, column=column) for number, column in enumerate(columns)
    )
    parts = {
        "counts": COUNTS,
        "not_compared": _NOT_COMPARED,
        "outcome": outcome_sql("slot.label", scheme),
        "others_votes": others_votes,
        "columns": ", ".join(columns),
        "value": value_sql("slot.label", scheme),
        "fewest_others": _fewest_others(project),
        **(_OF_EVERYBODY if annotator is None else _OF_ANNOTATOR),
    }
    answers = _ANSWERS.format(**parts)
    return _fetch(statement.format(answers=answers, **parts), project, annotator)


def _fetch(statement: str, project: Project, annotator: int | None) -> Sequence[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"project": project.pk, "annotator": annotator})
        rows: Sequence[Any] = cursor.fetchall()
    return rows
