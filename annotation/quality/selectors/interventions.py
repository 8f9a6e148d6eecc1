"""Flags and exclusions in force, derived from the recorded interventions.

A flag is in force until a later RESUME. Answers are excluded if the last EXCLUDE has no later
REINSTATE.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from annotation.models import Intervention, Membership, Project

_Kind = Intervention.Kind
_KINDS = (_Kind.FLAG, _Kind.RESUME, _Kind.EXCLUDE, _Kind.REINSTATE)


@dataclass(slots=True)
class Standing:
    """Active flags (oldest first), exclusion, and the last RESUME: earlier answers are ignored."""

    flags: list[Intervention] = field(default_factory=list)
    excluded: bool = False
    resumed_at: datetime | None = None

    def after(self, step: Intervention) -> None:
        """Apply the next intervention."""
        if step.kind == _Kind.FLAG:
            self.flags.append(step)
        elif step.kind == _Kind.RESUME:
            self.flags, self.resumed_at = [], step.created_at
        else:
            self.excluded = step.kind == _Kind.EXCLUDE


def of_project(project: Project) -> dict[int, Standing]:
    """Return standings by membership key, in one query; others get an empty Standing."""
    return _standings(Intervention.objects.filter(membership__project=project))


def of_member(membership: Membership) -> Standing:
    return _standings(Intervention.objects.filter(membership=membership))[membership.pk]


def _standings(steps: QuerySet[Intervention]) -> dict[int, Standing]:
    standings: defaultdict[int, Standing] = defaultdict(Standing)
    for step in steps.filter(kind__in=_KINDS).order_by("pk"):
        standings[step.membership_id].after(step)
    return standings
