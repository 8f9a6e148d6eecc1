"""Quality review while a study runs: raises flags and applies the project's response.

A flag is recorded once and stays in force until a manager dismisses it
(annotation.quality.selectors.interventions); after that, only later answers are reviewed.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import override

from accounts import events
from accounts.models import Event
from annotation.models import Intervention, Membership, Project
from annotation.quality.selectors import answers
from annotation.quality.selectors import interventions as standing
from annotation.quality.selectors.interventions import Standing
from annotation.quality.services import interventions
from annotation.stats import quality
from annotation.stats.quality import Flag

Kind = Intervention.Kind
OnFlag = Project.OnFlag


def review_all(*, since: datetime | None = None) -> list[Intervention]:
    """Review the latest answers in all open projects; return the new flags, which are recorded.

    Makes one query if there are no judgments since then.
    """
    members = groupby(answers.judging_members(since=since), lambda member: member.project)
    return [flag for project, of_project in members for flag in _review(project, of_project)]


@transaction.atomic
def flag(membership: Membership, kind: str) -> Intervention | None:
    """Record a flag that has no figures, such as `same_browser`, unless it is in force."""
    member = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    if kind in {flagged.evidence["flag"] for flagged in standing.of_member(member).flags}:
        return None
    return _flag(member, {"flag": kind})


def _review(project: Project, members: Iterable[Membership]) -> list[Intervention]:
    """Labels of flagged people are not used to measure others."""
    standings = standing.of_project(project)
    flagged = standing.flagged_people(standings.values())
    new: list[Intervention] = []
    for member in members:
        steps = _record_flags_of(member, standings.get(member.pk, Standing()), flagged)
        flagged |= {member.user_id} if steps else set()
        new += steps
    return new


def _record_flags_of(
    member: Membership, current: Standing, flagged: set[int]
) -> list[Intervention]:
    recent = answers.recent_answers(member, after=current.resumed_at, without=flagged)
    flags = quality.flags(
        recent.answers,
        outcomes=len(member.project.scheme.outcomes),
        usual_seconds=recent.usual_seconds,
        floor_seconds=member.project.floor_seconds,
    )
    return _record(member, flags, current.resumed_at) if flags else []


@transaction.atomic
def _record(
    membership: Membership, flags: Iterable[Flag], resumed_at: datetime | None
) -> list[Intervention]:
    """Record and return new flags. Locks the member, so that no flag is recorded twice."""
    member = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    now = standing.of_member(member)
    if now.resumed_at != resumed_at:
        return []  # a manager has already reviewed these answers
    in_force = {flag.evidence["flag"] for flag in now.flags}
    new = [flag for flag in flags if flag.kind not in in_force]
    steps = [_flag(member, _evidence(new_flag)) for new_flag in new]
    for step in steps:
        _respond_to_flag(member, step)
    return steps


def _evidence(flag: Flag) -> dict[str, Any]:
    return {"flag": flag.kind.value} | {
        name: round(figure, 3) for name, figure in flag.evidence.items()
    }


def _flag(membership: Membership, evidence: dict[str, Any]) -> Intervention:
    with override(settings.LANGUAGE_CODE):  # stored in one language, shown in any
        reason = standing.in_words(evidence)
    events.record(Event.Kind.PERSON_FLAGGED, membership)
    return Intervention.objects.create(
        membership=membership, kind=Kind.FLAG, reason=reason, evidence=evidence
    )


def _respond_to_flag(membership: Membership, step: Intervention) -> None:
    """Apply the project's response to a flag."""
    action = membership.project.on_flag
    if action == OnFlag.WARN:
        interventions.warn(membership, by=None, reason=step.reason, evidence=step.evidence)
    if action == OnFlag.PAUSE and membership.paused_at is None:
        interventions.pause(membership, by=None, reason=step.reason, evidence=step.evidence)
