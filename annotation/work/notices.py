"""Notices for an annotator: the reason for a pause, and warnings."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from annotation.models import Intervention, Membership

Kind = Intervention.Kind


def pause_of(membership: Membership) -> Intervention | None:
    """Return the current pause, with its reason; None if the person is not paused."""
    if membership.paused_at is None:
        return None
    return membership.interventions.filter(kind=Kind.PAUSE).order_by("id").last()


def warning_of(membership: Membership, *, read: datetime | None) -> Intervention | None:
    """Return the last warning; None if it was `read` or is older than any session."""
    since = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    last = membership.interventions.filter(kind=Kind.WARN, created_at__gt=since)
    return last.filter(created_at__gt=read or since).order_by("id").last()
