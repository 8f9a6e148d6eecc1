"""Withdraws releases: deletes the files and leaves a tombstone with the reason."""

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import AnnotationError
from releases.models import Release
from releases.services import publication
from releases.services.drafts import State, Unchangeable


def withdraw(release: Release, *, by: User | None, reason: str) -> None:
    """Permanently withdraw a frozen release; its row, its manifest and the reason are kept.

    Later requests for it get 410 Gone. A second call keeps the first reason and deletes leftover
    files. Raises Unchangeable if the release is not frozen (discard a draft instead), and
    AnnotationError without a reason.
    """
    if not reason.strip():
        raise AnnotationError("A release is not withdrawn without a reason.")
    withdrawn = {
        "state": State.WITHDRAWN,
        "withdrawn_at": timezone.now(),
        "withdrawn_by": by,
        "withdrawal_reason": reason,
    }
    with transaction.atomic():
        if Release.objects.filter(pk=release.pk, state=State.FROZEN).update(**withdrawn):
            audit.record(Act.RELEASE_WITHDRAWN, by=by, on=release)
    release.refresh_from_db()
    if release.state != State.WITHDRAWN:
        raise Unchangeable
    publication.remove(release)
