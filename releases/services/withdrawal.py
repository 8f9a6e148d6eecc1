"""Withdrawing: the files of a release go, and a tombstone says why."""

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
    """Take a frozen release back for good: its row, its manifest and the reason stay.

    Whoever asks for it from now on is told that it is gone. Done twice, the first reason stays,
    and files that were left lying go. Raises Unchangeable for a release that is not frozen (drafts
    are discarded), and AnnotationError without a reason.
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
