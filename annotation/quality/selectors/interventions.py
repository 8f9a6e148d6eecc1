"""What is in force about people of a project, read from the record of interventions.

A flag is in force until a manager lets the person go on: while no RESUME stands after it. Answers
are held out while no REINSTATE stands after the last HOLD_OUT.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from annotation.models import Intervention, Membership, Project

_Kind = Intervention.Kind
_KINDS = (_Kind.FLAG, _Kind.RESUME, _Kind.HOLD_OUT, _Kind.REINSTATE)


@dataclass(slots=True)
class Standing:
    """Of one person: flags in force, oldest first; whether answers are held out; and since when
    answers count as evidence, which is the last RESUME (None: since ever)."""

    flags: list[Intervention] = field(default_factory=list)
    held_out: bool = False
    resumed_at: datetime | None = None

    def after(self, step: Intervention) -> None:
        """Take in the next step on record."""
        if step.kind == _Kind.FLAG:
            self.flags.append(step)
        elif step.kind == _Kind.RESUME:
            self.flags, self.resumed_at = [], step.created_at
        else:
            self.held_out = step.kind == _Kind.HOLD_OUT


def of_project(project: Project) -> dict[int, Standing]:
    """By primary key of the membership; one statement, and an empty Standing for all others."""
    return _standings(Intervention.objects.filter(membership__project=project))


def of_member(membership: Membership) -> Standing:
    """The same of one person."""
    return _standings(Intervention.objects.filter(membership=membership))[membership.pk]


def _standings(steps: QuerySet[Intervention]) -> dict[int, Standing]:
    standings: defaultdict[int, Standing] = defaultdict(Standing)
    for step in steps.filter(kind__in=_KINDS).order_by("pk"):
        standings[step.membership_id].after(step)
    return standings
