"""How far the judges of a study agree: all together, by method, kind of change and week, and each
of them beside the others."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from accounts.models import User
from annotation.agreement.selectors import comparison, votes
from annotation.models import Project
from annotation.people.selectors import pseudonyms
from annotation.projects import protocols
from annotation.stats import measures, others
from annotation.stats.agreement import Tally, VoteTable
from annotation.stats.consensus import Protocol, decide_tally
from annotation.stats.measures import SEED, Estimate, Filtered
from annotation.stats.others import Beside

Key = TypeVar("Key")
# How many decided pairs have each (key of a person, side of their answer, votes against and for).
Answers = Mapping[tuple[int, int, Tally], int]


@dataclass(frozen=True, slots=True)
class Part(Generic[Key]):
    """The decided pairs that share a method, a kind of change or a week."""

    key: Key
    measured: Filtered


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All decided pairs, and their parts. `kinds` are by method and kind, `weeks` by Monday."""

    overall: Filtered
    methods: list[Part[str]]
    kinds: list[Part[tuple[str, str]]]
    weeks: list[Part[date]]


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody with an answer on a decided pair, beside what the others say on the same pairs.

    `pseudonym` is what the person is called where their name must not stand.
    """

    user: User
    pseudonym: str
    beside: Beside

    @property
    def accuracy(self) -> Estimate:
        """How often their answer is that of the majority of the others."""
        return Estimate(self.beside.accuracy, self.beside.accuracy_interval)

    @property
    def kappa(self) -> Estimate:
        """The same beyond chance: Cohen's."""
        return Estimate(self.beside.kappa, self.beside.kappa_interval(seed=SEED))


def of_project(project: Project) -> Breakdown:
    """One statement, and for each part some milliseconds of resampling."""
    return of_votes(votes.of_project(project), protocols.of(project))


def of_votes(found: votes.Votes, protocol: Protocol) -> Breakdown:
    """The same of votes that have been read already."""
    return Breakdown(
        overall=measures.filtered(found.every, protocol),
        methods=list(_parts(found.methods, protocol)),
        kinds=list(_parts(found.kinds, protocol)),
        weeks=list(_parts(found.weeks, protocol)),
    )


def annotators(project: Project) -> list[Annotator]:
    """Everybody, by pseudonym: two statements."""
    found = others.leaving_one_out(answers(project))
    people = [
        Annotator(user, pseudonyms.within(project, user.pk), found[user.pk])
        for user in User.objects.filter(pk__in=found)
    ]
    return sorted(people, key=lambda each: each.pseudonym)


def answers(project: Project) -> Answers:
    """The answers on decided pairs that count, for annotation.stats.others: one statement, which
    groups them into a few hundred rows."""
    protocol = protocols.of(project)
    found = Counter[tuple[int, int, Tally]]()
    # From labels and tallies of labels to sides and votes.
    for (person, label, tally), number in comparison.by_tally(project).items():
        votes = decide_tally(tally, protocol).votes
        found[person, int(label >= protocol.paraphrase_from), votes] += number
    return found


def _parts(tables: Mapping[Key, VoteTable], protocol: Protocol) -> Iterator[Part[Key]]:
    for key, table in tables.items():
        yield Part(key, measures.filtered(table, protocol))
