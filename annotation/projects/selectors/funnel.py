"""From candidates to kept pairs, by method: the current PAWS Tables 3 and 4 (PAWS 4)."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, QuerySet

from annotation.models import Correction, Item, Judgment, Project
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.projects.selectors.over_time import Course
from annotation.stats.agreement import Estimate, Tally, VoteTable, as_key, kept_votes
from annotation.stats.consensus import Protocol
from annotation.stats.intervals import wilson
from annotation.stats.paws_tables import Identification, identification

# The action of a correction that is still open.
WAITING = ""

Action = Correction.Action


@dataclass(frozen=True, slots=True)
class Funnel:
    """One method, or all of them if `method` is empty.

    `corrected` is whether candidates are corrected first, `waiting` how many still have to be.
    `repeats` counts candidates whose two texts the project had already. `pairs` leaves out pairs
    that managers `excluded`. `judged` counts decided pairs by majority, `kept` those with enough
    agreeing votes; `votes` is the table that both were counted from.

    A pair that several methods made counts for each of them, but once in the total. `shared` has
    those that another method made first, as their tallies, None while undecided;
    `shared_excluded` is how many of those are excluded.
    """

    method: str
    corrected: bool
    candidates: int
    accepted: int
    fixed: int
    rejected: int
    waiting: int
    repeats: int
    pairs: int
    excluded: int
    shared: list[Tally | None]
    shared_excluded: int
    judged: Identification
    kept: Identification
    votes: VoteTable

    @property
    def balance(self) -> Estimate:
        """Of two sides, the share of the upper one among kept pairs, with Wilson's interval."""
        part, whole = self.kept.by_outcome[1], self.kept.total
        return Estimate(part / whole if whole else None, wilson(part, whole))


def by_method(project: Project, course: Course | None) -> list[Funnel]:
    """Return a funnel for each method, corrected methods first.

    The votes are those of the course of the study. Six queries count the rest.
    """
    votes = course.by_method if course else {}
    candidates = _numbers(study_rows.candidates(project), "run__method")
    corrections, (shared, shared_excluded) = _corrections(project), _repeat_tallies(project)
    pairs, excluded = (
        _numbers(study_rows.pairs(project)),
        _numbers(study_rows.excluded_pairs(project)),
    )
    repeats = _numbers(
        Item.objects.filter(project=project, duplicate_of__isnull=False, origin=None)
    )
    methods = {*candidates, *corrections, *pairs, *excluded, *votes}
    order = sorted(methods, key=lambda name: (name not in project.corrected_methods, name))
    return [
        _funnel(
            method,
            corrected=method in project.corrected_methods or method in corrections,
            candidates=candidates[method],
            actions=corrections[method],
            repeats=repeats[method],
            pairs=pairs[method] + len(shared[method]),
            excluded=excluded[method] + shared_excluded[method],
            shared=shared[method],
            shared_excluded=shared_excluded[method],
            votes=Counter(votes.get(method, {})) + Counter(filter(None, shared[method])),
            protocol=protocols.of_project(project),
        )
        for method in order
    ]


def total(funnels: list[Funnel], protocol: Protocol) -> Funnel:
    actions, votes = Counter[str](), Counter[tuple[int, ...]]()
    for funnel in funnels:
        actions[Action.ACCEPT] += funnel.accepted
        actions[Action.FIX] += funnel.fixed
        actions[Action.REJECT] += funnel.rejected
        actions[WAITING] += funnel.waiting
        votes.update(Counter(funnel.votes) - Counter(filter(None, funnel.shared)))
    return _funnel(
        "",
        corrected=any(funnel.corrected for funnel in funnels),
        candidates=sum(funnel.candidates for funnel in funnels),
        actions=actions,
        repeats=sum(funnel.repeats for funnel in funnels),
        pairs=sum(funnel.pairs - len(funnel.shared) for funnel in funnels),
        excluded=sum(funnel.excluded - funnel.shared_excluded for funnel in funnels),
        shared=[],
        shared_excluded=0,
        votes=votes,
        protocol=protocol,
    )


def _funnel(
    method: str, *, actions: Counter[str], votes: VoteTable, protocol: Protocol, **counts: Any
) -> Funnel:
    return Funnel(
        method=method,
        accepted=actions[Action.ACCEPT],
        fixed=actions[Action.FIX],
        rejected=actions[Action.REJECT],
        waiting=actions[WAITING],
        judged=identification(votes, protocol),
        kept=identification(kept_votes(votes, protocol), protocol),
        votes=votes,
        **counts,
    )


def _corrections(project: Project) -> defaultdict[str, Counter[str]]:
    rows = Correction.objects.filter(project=project)
    rows_by_action = rows.values_list("item__candidate__run__method", "action")
    corrections = defaultdict[str, Counter[str]](Counter)
    for method, action, number in rows_by_action.annotate(Count("pk")):
        corrections[method][action] += number
    return corrections


def _repeat_tallies(project: Project) -> tuple[defaultdict[str, list[Tally | None]], Counter[str]]:
    """Return what each method made after another one: tallies, and the number of excluded pairs."""
    repeats = Item.objects.filter(
        project=project,
        kind=Judgment.KIND,
        duplicate_of__isnull=False,  # lets PostgreSQL begin with the few repeats
        duplicate_of__kind=Judgment.KIND,
        duplicate_of__gold_label=None,
    ).exclude(candidate__run__method=F("duplicate_of__candidate__run__method"))
    tallies, excluded = defaultdict[str, list[Tally | None]](list), Counter[str]()
    consensus = ("__consensus__tally", "__consensus__first_tally")
    original = (f"duplicate_of{column}" for column in ("", *consensus, "__excluded_by"))
    rows = repeats.values_list("candidate__run__method", *original).distinct()
    for method, _, tally, first, excluded_by in rows:
        if excluded_by is None:
            tallies[method].append(as_key(tally, first) if tally else None)
        else:
            excluded[method] += 1
    return tallies, excluded


def _numbers(rows: QuerySet[Any], method: str = "candidate__run__method") -> Counter[str]:
    return Counter(dict(rows.values_list(method).annotate(Count("pk"))))
