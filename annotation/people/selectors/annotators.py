"""Work and quality figures of each project member, for managers, while a study runs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Model, Q, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact

from accounts.models import User
from annotation.agreement import by_person
from annotation.agreement.by_person import Comparison
from annotation.models import Intervention, Judgment, Membership, Project, Skip, Slot
from annotation.projects.labels import outcome_of
from annotation.quality.selectors import interventions
from annotation.quality.selectors.interventions import Standing
from annotation.stats import reissue
from annotation.stats.intervals import Interval
from annotation.stats.reissue import Level


@dataclass(frozen=True, slots=True)
class AnnotatorFigures:
    """Figures of one project member; undefined values are None.

    An answer to a gold pair is right if it is on the side of the known label. `label_shares` are by
    label from 0, and empty before the first judgment. `answers` counts them by kind of work, and
    `median_seconds` covers judgments only.
    """

    membership: Membership
    answers: Counter[str]
    median_seconds: float | None
    comparison: Comparison
    gold_given: int
    gold_right: int
    label_shares: tuple[float, ...]
    skips: int
    flags: tuple[Intervention, ...]
    excluded: bool
    last_seen: datetime | None

    @property
    def judgments(self) -> int:
        return self.answers[Judgment.KIND]

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
        return self.comparison.with_others.pairs

    @property
    def agreement(self) -> float | None:
        return self.comparison.with_others.accuracy.value

    @property
    def agreement_interval(self) -> Interval | None:
        return self.comparison.with_others.accuracy.interval

    @property
    def distance(self) -> float | None:
        """The mean distance from the mean of the others, where labels have equal steps."""
        return self.comparison.distance

    @property
    def decided(self) -> int:
        """The number of decided pairs with an answer of theirs that counts."""
        return self.comparison.with_consensus.pairs

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa against the consensus (PARADE 4.3)."""
        return self.comparison.with_consensus.kappa_value

    @property
    def kappa_with_others(self) -> float | None:
        return self.comparison.with_others.kappa_value

    @property
    def level(self) -> Level:
        """Whether the kappa against the consensus is low or high, by the thresholds of PARADE."""
        return reissue.level(self.comparison.with_consensus)

    @property
    def gold_share(self) -> float | None:
        return self.gold_right / self.gold_given if self.gold_given else None


def figures(project: Project) -> list[AnnotatorFigures]:
    """Return the figures of all members by user name, in a fixed number of queries."""
    members = Membership.objects.filter(project=project).select_related("user", "project")
    return _figures(project, members.order_by("user__username"), interventions.of_project(project))


def of_member(membership: Membership) -> AnnotatorFigures:
    """Return the figures of one member, reading only the pairs that they judged."""
    standings = {membership.pk: interventions.of_member(membership)}
    [line] = _figures(membership.project, [membership], standings, annotator=membership.user_id)
    return line


class _Judged(NamedTuple):
    """Judgments of one person; `last` is when they last claimed or answered one."""

    number: int = 0
    gold_given: int = 0
    gold_right: int = 0
    last: datetime | None = None
    labels: tuple[int, ...] = ()


class _Made(NamedTuple):
    """One person's answers that are no judgments, by kind of work, and their latest time."""

    numbers: Mapping[str, int] = MappingProxyType({})
    last: datetime | None = None


def _figures(
    project: Project,
    members: Iterable[Membership],
    standings: Mapping[int, Standing],
    *,
    annotator: int | None = None,
) -> list[AnnotatorFigures]:
    """Read the work of all members, or of one annotator only."""
    judgments = _judgments_by_person(project, annotator)
    written = _written_answers_by_person(project, annotator)
    skips = dict(_rows_of(Skip, project, annotator).values_list("annotator").annotate(Count("pk")))
    comparisons = by_person.compare_people(project, annotator=annotator)
    medians = by_person.median_seconds(project, annotator=annotator)
    lines = []
    for member in members:
        account, standing = member.user_id, standings.get(member.pk, Standing())
        judged, texts = judgments.get(account, _Judged()), written.get(account, _Made())
        lines.append(
            AnnotatorFigures(
                membership=member,
                answers=Counter({Judgment.KIND: judged.number, **texts.numbers}),
                median_seconds=medians.get(account),
                comparison=comparisons.get(account, Comparison()),
                gold_given=judged.gold_given,
                gold_right=judged.gold_right,
                label_shares=tuple(n / judged.number for n in judged.labels if judged.number),
                skips=skips.get(account, 0),
                flags=tuple(standing.flags),
                excluded=standing.excluded,
                last_seen=max(filter(None, (judged.last, texts.last)), default=None),
            )
        )
    return lines


def _judgments_by_person(project: Project, annotator: int | None) -> dict[int, _Judged]:
    scheme = project.scheme
    is_right = Exact(outcome_of("label", scheme), outcome_of("item__gold_label", scheme))
    labels = {f"of_{n}": Count("pk", filter=Q(label=n)) for n in range(scheme.size)}
    groups = _rows_of(Judgment, project, annotator).values_list("annotator")
    counts = groups.annotate(
        Count("label"),
        given=Count("label", filter=Q(item__gold_label__isnull=False)),
        right=Count("label", filter=Q(is_right, item__gold_label__isnull=False)),
        last=_last_seen(),
        **labels,
    )
    return {
        account: _Judged(number, gold_given, gold_right, last, tuple(labels))
        for account, number, gold_given, gold_right, last, *labels in counts
    }


def _written_answers_by_person(project: Project, annotator: int | None) -> dict[int, _Made]:
    kinds = {*project.kinds} - {Judgment.KIND}
    groups = (
        _rows_of(Slot, project, annotator).filter(kind__in=kinds).values_list("annotator", "kind")
    )
    answers_by_person: dict[int, _Made] = {}
    for account, kind, number, last in groups.annotate(Count("submitted_at"), last=_last_seen()):
        before = answers_by_person.get(account, _Made())
        latest = max(filter(None, (before.last, last)), default=None)
        answers_by_person[account] = _Made({**before.numbers, kind: number}, latest)
    return answers_by_person


def _rows_of(rows: type[Model], project: Project, annotator: int | None) -> QuerySet[Any]:
    slots = rows._default_manager.filter(project=project, annotator__isnull=False).order_by()
    return slots if annotator is None else slots.filter(annotator=annotator)


def _last_seen() -> Max:
    """Opening an item counts as activity, as answering one does."""
    return Max(Coalesce(F("submitted_at"), F("claimed_at")))
