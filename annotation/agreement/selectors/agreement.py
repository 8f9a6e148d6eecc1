"""Inter-annotator agreement: overall, by method, kind of change and week, and by annotator."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from accounts.models import User
from annotation.agreement.selectors import comparison, votes
from annotation.models import Project
from annotation.people.selectors import names
from annotation.projects import protocols
from annotation.stats import measures
from annotation.stats.agreement import Tally, VoteTable
from annotation.stats.consensus import Protocol, decide_tally
from annotation.stats.measures import Filtered
from annotation.stats.others import Confusion

Key = TypeVar("Key")
# (person key, side of their answer, votes against and for) -> number of decided pairs.
Answers = Mapping[tuple[int, int, Tally], int]


@dataclass(frozen=True, slots=True)
class Part(Generic[Key]):
    """The decided pairs of one method, kind of change or week."""

    key: Key
    measured: Filtered


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All decided pairs and subsets. `kinds` are by method and kind, `weeks` by Monday."""

    overall: Filtered
    methods: list[Part[str]]
    kinds: list[Part[tuple[str, str]]]
    weeks: list[Part[date]]


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person whose answers are compared with other people's (comparison.with_others).

    `pseudonym` is shown where the user name must not appear.
    """

    user: User
    pseudonym: str
    confusion: Confusion


def of_project(project: Project) -> Breakdown:
    """Return the agreement in a project: one query, and some milliseconds per part to resample."""
    return of_votes(votes.of_project(project), protocols.of(project))


def of_votes(found: votes.Votes, protocol: Protocol) -> Breakdown:
    """Return the agreement of votes that have already been read."""
    return Breakdown(
        overall=measures.filtered(found.every, protocol),
        methods=list(_parts(found.methods, protocol)),
        kinds=list(_parts(found.kinds, protocol)),
        weeks=list(_parts(found.weeks, protocol)),
    )


def annotators(project: Project) -> list[Annotator]:
    """Return all annotators by pseudonym, in two queries."""
    found = comparison.with_others(project)
    people = [
        Annotator(user, names.pseudonym(project, user.pk), found[user.pk])
        for user in User.objects.filter(pk__in=found)
    ]
    return sorted(people, key=lambda each: each.pseudonym)


def answers(project: Project) -> Answers:
    """Return counting answers on decided pairs for annotation.stats.others, in one query."""
    protocol = protocols.of(project)
    found = Counter[tuple[int, int, Tally]]()
    # Convert labels and tallies of labels to sides and votes.
    for (person, label, tally), number in comparison.by_tally(project).items():
        votes = decide_tally(tally, protocol).votes
        found[person, int(label >= protocol.paraphrase_from), votes] += number
    return found


def _parts(tables: Mapping[Key, VoteTable], protocol: Protocol) -> Iterator[Part[Key]]:
    for key, table in tables.items():
        yield Part(key, measures.filtered(table, protocol))
