"""Excluded answers, and the answers that an exclusion fixes."""

from collections.abc import Mapping
from datetime import datetime

from annotation.models import Intervention, Judgment, Project

KINDS = [Intervention.Kind.HOLD_OUT, Intervention.Kind.REINSTATE]


def until(project: Project, moment: datetime) -> Mapping[int, datetime]:
    """Map people to the time up to which their answers are excluded, as of `moment`."""
    steps = Intervention.objects.filter(
        membership__project=project, kind__in=KINDS, created_at__lte=moment
    ).order_by("pk")
    latest = {step.membership.user_id: step for step in steps.select_related("membership")}
    return {
        person: step.created_at
        for person, step in latest.items()
        if step.kind == Intervention.Kind.HOLD_OUT
    }


def is_fixed(judgment: Judgment) -> bool:
    """Return whether a later exclusion on the same pair makes an answer final.

    The pair may have been decided before that and be in a release; gold pairs never are.
    """
    of_pair = Judgment.objects.filter(pair=judgment.pair_id, pair__known_label=None)
    return of_pair.filter(held_out__created_at__gt=judgment.submitted_at).exists()
