"""Agreement in a project: votes on decided pairs, and pairs that may be judged again."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from django.db.models import Count, QuerySet

from annotation.models import Judgment, Project, SentencePair
from annotation.people.selectors import workforce
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.stats.agreement import UNDEFINED, Filtered, Tally, VoteTable, as_key, filtered
from annotation.stats.confusion import Counts, has_confusions, pairs_of_answers
from annotation.stats.consensus import Protocol
from annotation.work.keys import KEYS_PER_ITEM

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Votes:
    """Decided pairs by tally (judgments for label 0, 1, ...). `kinds` are by method and kind."""

    every: VoteTable
    methods: Mapping[str, VoteTable]
    kinds: Mapping[tuple[str, str], VoteTable]


@dataclass(frozen=True, slots=True)
class Part(Generic[Key]):
    """The decided pairs of one method or kind of change."""

    key: Key
    measured: Filtered


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All decided pairs and subsets; `kinds` are by method and kind.

    `confusions` count any two answers to one pair, if labels can be confused; else empty.
    """

    overall: Filtered
    methods: list[Part[str]]
    kinds: list[Part[tuple[str, str]]]
    confusions: Counts


def votes(project: Project) -> Votes:
    """Return the votes of a project from one query that groups all decided pairs."""
    all_votes = Counter[Tally]()
    methods = defaultdict[str, Counter[Tally]](Counter)
    kinds = defaultdict[tuple[str, str], Counter[Tally]](Counter)
    columns = ("pair__candidate__run__method", "pair__candidate__kind", "tally", "first_tally")
    grouped = study_rows.consensus_rows(project).values_list(*columns).annotate(Count("pk"))
    for method, kind, tally, first, pairs in grouped:
        for table in (all_votes, methods[method], kinds[method, kind]):
            table[as_key(tally, first)] += pairs
    return Votes(all_votes, dict(sorted(methods.items())), dict(sorted(kinds.items())))


def of_project(project: Project) -> Breakdown:
    """Return the agreement in a project: one query, and some milliseconds per part to resample."""
    return breakdown_of(votes(project), protocols.of_project(project))


def breakdown_of(tables: Votes, protocol: Protocol) -> Breakdown:
    overall = _measured(tables.every, protocol)

    def parts(by_key: Mapping[Key, VoteTable]) -> list[Part[Key]]:
        return [
            Part(key, overall if table == tables.every else _measured(table, protocol))
            for key, table in by_key.items()
        ]

    confusions = pairs_of_answers(tables.every) if has_confusions(protocol.scheme) else ()
    return Breakdown(overall, parts(tables.methods), parts(tables.kinds), confusions)


def _measured(votes: VoteTable, protocol: Protocol) -> Filtered:
    """Measure votes; human agreement is undefined where these decide no label."""
    measured = filtered(votes, protocol)
    if protocol.scheme.decides:
        return measured
    before, after = measured.before, measured.after
    return Filtered(replace(before, human=UNDEFINED), replace(after, human=UNDEFINED))


def reopenable_pairs(project: Project, *, kept: bool = False) -> QuerySet[SentencePair]:
    """Return decided pairs whose queue keys suffice for another round; `kept` ones if asked."""
    most = KEYS_PER_ITEM - 1 - protocols.of_project(project).most_judgments
    pairs = study_rows.pairs(project).filter(consensus__isnull=False, slot_count__lte=most)
    return pairs if kept else pairs.filter(consensus__kept=False)


def finishable_pairs(project: Project, pairs: Sequence[int]) -> list[int]:
    """Return those of the pairs, by key, which enough people are left to judge in another round."""
    left = workforce.count_people_left(project, Judgment.KIND, pairs)
    needed = protocols.of_project(project).most_judgments
    return [pair for pair in pairs if left[pair] >= needed]
