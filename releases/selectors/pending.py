"""Selects the releases to build and the drafts to preview."""

from datetime import datetime

from django.db.models import Q, QuerySet

from common import clock
from releases.models import Release, ReleasePreview


def waiting(now: datetime) -> QuerySet[Release]:
    """Return releases that are queued or whose worker died, oldest first."""
    left = Q(clock.lapsed(now), state=Release.State.BUILDING)
    return Release.objects.filter(Q(state=Release.State.QUEUED) | left).order_by("pk")


def waiting_previews(now: datetime) -> QuerySet[ReleasePreview]:
    """Return previews of drafts that are waiting or whose worker died, earliest request first."""
    left = Q(clock.lapsed(now), state=ReleasePreview.State.UNDER_WAY)
    of_drafts = ReleasePreview.objects.filter(release__state=Release.State.DRAFT)
    return of_drafts.filter(Q(state=ReleasePreview.State.WAITING) | left).order_by("asked_at", "pk")
