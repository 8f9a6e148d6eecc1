"""Releases that somebody has to build, and drafts that somebody has to look at."""

from datetime import datetime

from django.db.models import Q, QuerySet

from common import clock
from releases.models import Release, ReleasePreview


def waiting(now: datetime) -> QuerySet[Release]:
    """Those that are queued, or that a dead worker has left; the oldest first."""
    left = Q(clock.lapsed(now), state=Release.State.BUILDING)
    return Release.objects.filter(Q(state=Release.State.QUEUED) | left).order_by("pk")


def waiting_previews(now: datetime) -> QuerySet[ReleasePreview]:
    """The same of previews of drafts; the one that was asked for first comes first."""
    left = Q(clock.lapsed(now), state=ReleasePreview.State.UNDER_WAY)
    of_drafts = ReleasePreview.objects.filter(release__state=Release.State.DRAFT)
    return of_drafts.filter(Q(state=ReleasePreview.State.WAITING) | left).order_by("asked_at", "pk")
