"""Pseudonyms of annotators: derived with a secret key, stored, and deleted on request."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from releases.models import Pseudonym, PseudonymKey, Release

KEY_BYTES = 32
NAME_BYTES = 8
ROWS_PER_INSERT = 2000
PUBLISHED = (Release.State.FROZEN, Release.State.WITHDRAWN)


@transaction.atomic
def draw_pseudonyms(release: Release, judges: Iterable[User]) -> None:
    """Store a pseudonym for each judge; each release uses different ones.

    A pseudonym is HMAC-SHA-256 (RFC 2104) of the release version and the person's random id, with a
    key that only the database has. Without the key, it reveals nothing about the person.
    """
    key = _key_of(release.project)
    names = (
        Pseudonym(release=release, annotator=judge, name=_name(key, release, judge))
        for judge in judges
    )
    Pseudonym.objects.bulk_create(names, batch_size=ROWS_PER_INSERT)


@transaction.atomic
def forget_pseudonyms(release: Release, *, by: User) -> None:
    """Irreversibly remove the link between people and their pseudonyms in a release.

    Deletes the pseudonyms and replaces the key they were derived with; other releases keep their
    stored pseudonyms. A second call has no effect. Raises Refused if the release is not frozen yet.
    """
    locked = Release.objects.select_for_update(no_key=True).get(pk=release.pk)
    if locked.state not in PUBLISHED:
        raise Refused(_("This release isn't frozen yet, so it has no pseudonyms."))
    if locked.names_forgotten_at is None:
        locked.pseudonyms.all().delete()
        PseudonymKey.objects.filter(project=locked.project_id).update(
            key=_new_key(), created_at=timezone.now()
        )
        locked.names_forgotten_at = timezone.now()
        locked.save(update_fields=["names_forgotten_at"])
        audit.record(Act.NAMES_FORGOTTEN, by=by, on=locked)
    release.names_forgotten_at = locked.names_forgotten_at


def _key_of(project: Project) -> bytes:
    """Return the project's key, creating it on first use; concurrent calls create one key."""
    row, _made = PseudonymKey.objects.get_or_create(project=project, defaults={"key": _new_key()})
    return bytes(row.key)


def _new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def _name(key: bytes, release: Release, judge: User) -> str:
    # The id has a fixed length, so no other version and id give the same message.
    message = release.version.encode() + judge.public_id.bytes
    return f"annotator-{hmac.new(key, message, hashlib.sha256).hexdigest()[: 2 * NAME_BYTES]}"
