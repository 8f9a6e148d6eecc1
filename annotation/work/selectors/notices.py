"""What an annotator is told about their own work: why they are paused, and warnings."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from annotation.models import Intervention, Membership

Kind = Intervention.Kind


def pause_of(membership: Membership) -> Intervention | None:
    """The pause that is in force, with its reason; None for who is given work."""
    if membership.paused_at is None:
        return None
    return membership.interventions.filter(kind=Kind.PAUSE).order_by("id").last()


def warning_of(membership: Membership, *, read: datetime | None) -> Intervention | None:
    """The last warning, unless the person has `read` it or it is older than any session."""
    since = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    last = membership.interventions.filter(kind=Kind.WARN, created_at__gt=since)
    return last.filter(created_at__gt=read or since).order_by("id").last()
