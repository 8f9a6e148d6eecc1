"""Excluded answers."""

from collections.abc import Mapping
from datetime import datetime

from annotation.models import Intervention, Project

KINDS = [Intervention.Kind.EXCLUDE, Intervention.Kind.REINSTATE]


def until(project: Project, moment: datetime) -> Mapping[int, datetime]:
    """Map people to the time up to which their answers are excluded, as of `moment`."""
    steps = Intervention.objects.filter(
        membership__project=project, kind__in=KINDS, created_at__lte=moment
    ).order_by("pk")
    latest = {step.membership.user_id: step for step in steps.select_related("membership")}
    return {
        person: step.created_at
        for person, step in latest.items()
        if step.kind == Intervention.Kind.EXCLUDE
    }
