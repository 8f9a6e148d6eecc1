"""Releases that somebody has to build."""

from datetime import datetime

from django.db.models import Q, QuerySet

from annotation.models import Release


def waiting(now: datetime) -> QuerySet[Release]:
    """Those that are queued, or that a dead worker has left; the oldest first."""
    left = Q(state=Release.State.BUILDING, lease_until__lte=now)
    return Release.objects.filter(Q(state=Release.State.QUEUED) | left).order_by("pk")
