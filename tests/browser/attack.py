"""Puts payloads into every text that the database keeps, past all that looks at what comes in."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import AccessToken, AuditEntry
from annotation.models import Membership, Project
from generation.models import Candidate, Worker
from tests.browser import visitors
from tests.browser.house import House
from tests.browser.payloads import Payload

Column: TypeAlias = "models.Field[Any, Any]"

# Never anybody's words: digests, keys, and words that the code itself writes and reads.
NOBODYS = {
    "accounts.User.password",
    "accounts.AccessToken.digest",
    "accounts.AccessToken.token_key",
    "accounts.SignInTries.digest",
    "generation.GenerationRun.settings",
    "generation.Batch.outcomes",
    "generation.Worker.queues",
    "annotation.Consensus.tally",
    "annotation.Reopening.tally",
    "annotation.Invitation.digest",
    "annotation.Project.corrected_methods",
    "annotation.Release.settings",
    "annotation.Release.manifest",
    "annotation.ReleasePreview.settings_digest",
    "annotation.ReleasePreview.content",
    "annotation.Example.via",
    "annotation.Example.votes",
    "admin.LogEntry.object_id",
    "auth.Permission.codename",
    "contenttypes.ContentType.app_label",
    "contenttypes.ContentType.model",
    "sessions.Session.session_key",
    "sessions.Session.session_data",
    "account.EmailConfirmation.key",
    "mfa.Authenticator.data",
}
# Kept, and on no page.
NOWHERE = {
    "account.EmailAddress.email",
    "annotation.Example.split",
    "annotation.Example.subset",
    "generation.Worker.version",
}
# Each payload stands here, whatever becomes of the others.
SURE = "annotation.Project.description"
# Rows in which a text may stand at all.
WHERE = {
    "annotation.Correction.text": Q(action="fix"),
    "annotation.Release.withdrawal_reason": Q(state="withdrawn"),
}
# So many in a text without a greatest length.
AT_ONCE = 12
LONGEST = 100
# Room for the number of the row, which tells its texts from those of others.
APART = 5
# The first rows of a table are those that pages show.
ROWS = 6


def text_fields() -> dict[str, Column]:
    """Every column of the product that keeps somebody's words, by its name."""
    columns: list[Column] = [
        column for model in apps.get_models() for column in model._meta.concrete_fields
    ]
    texts = [each for each in columns if _is_text(each)]
    return {name_of(each): each for each in texts if name_of(each) not in NOBODYS}


def name_of(column: Column) -> str:
    return f"{column.model._meta.label}.{column.name}"


def _is_text(column: Column) -> bool:
    kinds = (models.CharField, models.TextField, models.JSONField)
    return isinstance(column, kinds) and not column.choices


def furnish(house: House) -> None:
    """A row in each table that the house leaves empty, and people who have agreed to the text."""
    root, project = house.person("superuser"), house.project
    AccessToken.objects.create(user=house.person("manager"), name="a")
    kind = ContentType.objects.get_for_model(Project)
    told = {"action_flag": 2, "object_id": project.pk, "object_repr": "a", "change_message": "a"}
    LogEntry.objects.create(user=root, content_type=kind, **told)
    Group.objects.create(name="a")
    Candidate.objects.update(alternatives=[{"text": "a", "score": -1.0}])
    visitors.parting(house)
    now = timezone.now()
    Worker.objects.create(
        name="a", kind=Worker.Kind.CELERY, queues=[], version="a", started_at=now, seen_at=now
    )
    Membership.objects.update(consented_at=now)
    Project.objects.update(consent="a", consent_changed_at=now)


def fill(house: House, texts: Sequence[Payload], *, whole: bool = False) -> dict[str, set[int]]:
    """Put payloads in turn into every text, as many as there is room for.

    With `whole`, all of them into each: SQLite keeps what is too long. Returns the numbers of those
    that went into each column.
    """
    supply = _Supply(deque(texts), whole)
    into = {}
    for name, column in text_fields().items():
        supply.given, supply.whole = set(), whole or name == SURE
        if column.model is not AuditEntry:
            _fill(column, WHERE.get(name, Q()), supply)
            into[name] = supply.given
    supply.whole = whole
    return into | {"accounts.AuditEntry": _on_record(house, supply)}


@dataclass
class _Supply:
    """Payloads, those that were given longest ago in front; `given` since it was last emptied."""

    waiting: deque[Payload]
    whole: bool
    given: set[int] = field(default_factory=set)

    def text(self, room: int | None) -> str:
        """As many as fit. Empty where there is no room for any."""
        chosen = list(self.waiting) if self.whole else list(self._fitting(room))
        if not self.whole:
            for payload in chosen:
                self.waiting.remove(payload)
            self.waiting.extend(chosen)
        self.given |= {payload.number for payload in chosen}
        return " ".join(payload.text for payload in chosen)

    def _fitting(self, room: int | None) -> Iterator[Payload]:
        left = AT_ONCE * LONGEST if room is None else room
        fitting = 0
        for payload in self.waiting:
            if len(payload.text) < left and fitting < AT_ONCE:
                yield payload
                fitting += 1
                left -= len(payload.text) + 1


def _fill(column: Column, where: Q, supply: _Supply) -> None:
    table = column.model._default_manager
    for row in table.filter(where).order_by("pk")[:ROWS]:
        value = getattr(row, column.name)
        if isinstance(column, models.JSONField):
            new = _planted(value, supply)
        else:
            new = f"{supply.text(column.max_length and column.max_length - APART)} {row.pk}"
        table.filter(pk=row.pk).update(**{column.name: new})


def _planted(value: Any, supply: _Supply) -> Any:
    """The same JSON with payloads for its texts; where it is empty, a model's name."""
    if isinstance(value, dict):
        empty = {"model": {"name": supply.text(None)}}
        return {name: _planted(each, supply) for name, each in value.items()} or empty
    if isinstance(value, list):
        return [_planted(each, supply) for each in value]
    return supply.text(None) if isinstance(value, str) else value


def _on_record(house: House, supply: _Supply) -> set[int]:
    """Acts of a kind that nobody has heard of."""
    supply.given = set()
    columns = ("act", "kind")
    for _ in range(ROWS):
        AuditEntry.objects.create(
            by=house.person("manager"),
            project=house.project.public_id,
            details={"reason": supply.text(None)},
            **{name: supply.text(AuditEntry._meta.get_field(name).max_length) for name in columns},
        )
    return supply.given
