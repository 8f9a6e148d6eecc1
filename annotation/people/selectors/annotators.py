"""Work and quality figures of each project member, for managers, while a study runs."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Model, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User
from annotation.agreement import selectors as agreement
from annotation.models import Correction, Intervention, Judgment, Membership, Project, Skip
from annotation.quality.selectors import interventions
from annotation.quality.selectors.interventions import Standing
from annotation.stats.agreement import Confusion
from annotation.stats.intervals import Interval, wilson


@dataclass(frozen=True, slots=True)
class AnnotatorFigures:
    """Figures of one project member; undefined values are None.

    `confusion` compares the answers with those of others (agreement.selectors.with_others). An
    answer to a gold pair is right if it is on the side of the known label. `label_shares` are by
    label from 0, and empty before the first judgment. `median_seconds` covers judgments only.
    """

    membership: Membership
    corrections: int
    judgments: int
    median_seconds: float | None
    confusion: Confusion
    gold_given: int
    gold_right: int
    label_shares: tuple[float, ...]
    skips: int
    flags: tuple[Intervention, ...]
    excluded: bool
    last_seen: datetime | None

    @property
    def user(self) -> User:
        return self.membership.user

    @property
    def role(self) -> str:
        return self.membership.role

    @property
    def paused_at(self) -> datetime | None:
        return self.membership.paused_at

    @property
    def compared(self) -> int:
        return self.confusion.pairs

    @property
    def agreement(self) -> float | None:
        return self.confusion.accuracy.value

    @property
    def agreement_interval(self) -> Interval | None:
        return self.confusion.accuracy.interval

    @property
    def gold_share(self) -> float | None:
        return self.gold_right / self.gold_given if self.gold_given else None

    @property
    def gold_interval(self) -> Interval | None:
        return wilson(self.gold_right, self.gold_given)


def figures(project: Project) -> list[AnnotatorFigures]:
    """Return the figures of all members by user name, in a fixed number of queries."""
    members = Membership.objects.filter(project=project).select_related("user", "project")
    work = _Work.of(project, interventions.of_project(project))
    return [work.figures(member) for member in members.order_by("user__username")]


def of_member(membership: Membership) -> AnnotatorFigures:
    """Return the figures of one member, reading only the pairs that they judged."""
    standings = {membership.pk: interventions.of_member(membership)}
    work = _Work.of(membership.project, standings, person=membership.user_id)
    return work.figures(membership)


@dataclass(slots=True)
class _Judged:
    """Judgments of one person; `last` is when they last claimed or answered one."""

    labels: Counter[int] = field(default_factory=Counter)
    gold_given: int = 0
    gold_right: int = 0
    last: datetime | None = None

    def add(self, group: "_Group", paraphrase_from: int) -> None:
        """Add judgments with the same label on pairs with the same known label."""
        self.last = _latest(self.last, group.last)
        if group.label is None:
            return
        self.labels[group.label] += group.number
        if group.known is not None:
            right = (group.label >= paraphrase_from) == (group.known >= paraphrase_from)
            self.gold_given += group.number
            self.gold_right += group.number if right else 0

    def shares(self, labels: int) -> tuple[float, ...]:
        """Return the share of each label from 0."""
        total = self.labels.total()
        return tuple(self.labels[label] / total for label in range(labels)) if total else ()


class _Group(NamedTuple):
    """Slots of one person with the same label, on pairs with the same known label."""

    label: int | None
    known: int | None
    number: int
    last: datetime | None


class _Made(NamedTuple):
    """Number and latest time of one person's corrections."""

    number: int = 0
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Work:
    """Work in a project by person, and interventions in force by membership."""

    standings: Mapping[int, Standing]
    judged: Mapping[int, _Judged]
    made: Mapping[int, _Made]
    skips: Mapping[int, int]
    confusion: Mapping[int, Confusion]
    medians: Mapping[int, float]

    @classmethod
    def of(
        cls, project: Project, standings: Mapping[int, Standing], *, person: int | None = None
    ) -> "_Work":
        """Read the work of all members, or of one person only."""
        skips = _done(Skip, project, person).values_list("annotator")
        return cls(
            standings=standings,
            judged=_judged(_done(Judgment, project, person), project.paraphrase_from),
            made=_made(_done(Correction, project, person)),
            skips=dict(skips.annotate(Count("pk"))),
            confusion=agreement.with_others(project, person=person),
            medians=agreement.median_seconds(project, person=person),
        )

    def figures(self, member: Membership) -> AnnotatorFigures:
        who = member.user_id
        judged, made = self.judged.get(who, _Judged()), self.made.get(who, _Made())
        now = self.standings.get(member.pk, Standing())
        return AnnotatorFigures(
            membership=member,
            corrections=made.number,
            judgments=judged.labels.total(),
            median_seconds=self.medians.get(who),
            confusion=self.confusion.get(who, Confusion({})),
            gold_given=judged.gold_given,
            gold_right=judged.gold_right,
            label_shares=judged.shares(member.project.max_label + 1),
            skips=self.skips.get(who, 0),
            flags=tuple(now.flags),
            excluded=now.excluded,
            last_seen=_latest(judged.last, made.last),
        )


def _done(rows: type[Model], project: Project, person: int | None) -> QuerySet[Any]:
    taken = rows._default_manager.filter(project=project, annotator__isnull=False).order_by()
    return taken if person is None else taken.filter(annotator=person)


def _judged(slots: QuerySet[Judgment], paraphrase_from: int) -> Mapping[int, _Judged]:
    people: defaultdict[int, _Judged] = defaultdict(_Judged)
    groups = slots.values_list("annotator", "label", "item__gold_label")
    for who, *counted in groups.annotate(Count("pk"), last=_last_seen()):
        people[who].add(_Group(*counted), paraphrase_from)
    return people


def _made(slots: QuerySet[Correction]) -> Mapping[int, _Made]:
    groups = slots.values_list("annotator").annotate(Count("submitted_at"), last=_last_seen())
    return {who: _Made(number, last) for who, number, last in groups}


def _last_seen() -> Max:
    """Opening an item counts as activity, as answering one does."""
    return Max(Coalesce(F("submitted_at"), F("claimed_at")))


def _latest(*times: datetime | None) -> datetime | None:
    return max(filter(None, times), default=None)
