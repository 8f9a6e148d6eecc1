"""Answers that are held out, and those beside them."""

from collections.abc import Mapping
from datetime import datetime

from annotation.models import Intervention, Judgment, Project

KINDS = [Intervention.Kind.HOLD_OUT, Intervention.Kind.REINSTATE]


def until(project: Project, moment: datetime) -> Mapping[int, datetime]:
    """Whose answers were held out at a moment, and when they were: by key of the person, those
    given up to then."""
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
    """Whether an answer stays as it is since one of its pair was held out after it was given.

    The pair may have been decided before, and stand in a release; a hidden one never does.
    """
    of_pair = Judgment.objects.filter(pair=judgment.pair_id, pair__known_label=None)
    return of_pair.filter(held_out__created_at__gt=judgment.submitted_at).exists()
