"""Flags and exclusions in force, derived from the recorded interventions.

A flag is in force until a later RESUME. Answers are excluded if the last EXCLUDE has no later
REINSTATE.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import Intervention, Membership, Project
from annotation.stats import quality

_Kind = Intervention.Kind
EXCLUSIONS = (_Kind.EXCLUDE, _Kind.REINSTATE)
# Flags in words, from the figures that are stored as their evidence.
WORDS = {
    quality.Kind.FAST: _(
        "%(fast)d of the last %(answers)d answers took less than %(floor_seconds)g seconds each."
    ),
    quality.Kind.ONE_LABEL: _(
        "%(most)d of the last %(answers)d answers are the same label; others gave it to "
        "%(of_others)d %% of these pairs."
    ),
    quality.Kind.DISAGREES: _(
        "%(agreeing)d of the last %(answers)d answers match the majority of the others; "
        "%(usual)d %% is usual."
    ),
    quality.Kind.KNOWN_WRONG: _("%(wrong)d of %(answers)d gold pairs were answered incorrectly."),
    "same_browser": _("Same person? Someone else in this project has used the same browser."),
    "refused_id": _("Same person? Another participant ID was refused in this person’s browser."),
}
SHARES = ("of_others", "usual")


@dataclass(slots=True)
class Standing:
    """Active flags (oldest first), exclusion, and the last RESUME: earlier answers are ignored."""

    flags: list[Intervention] = field(default_factory=list)
    excluded: bool = False
    resumed_at: datetime | None = None

    def after(self, step: Intervention) -> None:
        if step.kind == _Kind.FLAG:
            self.flags.append(step)
        elif step.kind == _Kind.RESUME:
            self.flags, self.resumed_at = [], step.created_at
        else:
            self.excluded = step.kind == _Kind.EXCLUDE


def of_project(project: Project) -> dict[int, Standing]:
    """Return standings by membership key, in one query; others get an empty Standing."""
    return _standings(Intervention.objects.filter(membership__project=project))


def of_projects(projects: Collection[int]) -> dict[int, Standing]:
    """Return standings of several projects by membership key, in one query, with their people."""
    steps = Intervention.objects.filter(membership__project__in=projects)
    return _standings(steps.select_related("membership__user"))


def of_member(membership: Membership) -> Standing:
    return _standings(Intervention.objects.filter(membership=membership))[membership.pk]


def flagged_people(standings: Iterable[Standing]) -> set[int]:
    """Return the primary keys of the people who have an active flag."""
    return {flag.membership.user_id for now in standings for flag in now.flags}


def excluded_until(project: Project, moment: datetime) -> Mapping[int, datetime]:
    """Map people to the time up to which their answers are excluded, as of `moment`."""
    steps = Intervention.objects.filter(
        membership__project=project, kind__in=EXCLUSIONS, created_at__lte=moment
    ).order_by("pk")
    latest = {step.membership.user_id: step for step in steps.select_related("membership")}
    return {
        person: step.created_at
        for person, step in latest.items()
        if step.kind == Intervention.Kind.EXCLUDE
    }


def in_words(evidence: Mapping[str, Any]) -> str:
    """Return a flag as a sentence in the active language."""
    percent = {name: round(100 * evidence[name]) for name in SHARES if name in evidence}
    return str(WORDS[evidence["flag"]]) % {**evidence, **percent}


def reason_of(step: Intervention) -> str:
    """Return the reason of a step: translated if a rule gave it, else as written."""
    try:
        return in_words(step.evidence)
    except KeyError:
        return step.reason


def _standings(steps: QuerySet[Intervention]) -> dict[int, Standing]:
    standings: defaultdict[int, Standing] = defaultdict(Standing)
    kinds = (_Kind.FLAG, _Kind.RESUME, *EXCLUSIONS)
    for step in steps.filter(kind__in=kinds).select_related("membership").order_by("pk"):
        standings[step.membership_id].after(step)
    return standings
