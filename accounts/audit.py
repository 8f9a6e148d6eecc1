"""The audit log: one entry for each administrative action, in the transaction of the action.

Triggers keep entries append-only. They hold ids and small plain values, but no
texts that people wrote and no names of people.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Model

from accounts.audited_acts import Act
from accounts.models import AuditEntry, User

PROJECT = "project"
LONGEST = 100


def record(
    act: Act,
    *,
    by: User | None,
    on: Model | None = None,
    project: Model | None = None,
    **details: Any,
) -> AuditEntry:
    """Write an entry; `by` is None for the command line and for automatic rules of a project.

    `on` is the affected object, stored by its `public_id`; its `project` is used unless one is
    given. Raises RuntimeError outside a transaction: action and entry must be committed together.
    """
    [entry] = _write(_entry(act, by=by, on=on, project=project, details=details))
    return entry


def record_all(act: Act, *, by: User | None, on: Sequence[Model], **details: Any) -> None:
    """Write an entry for each of the affected objects, as `record` does for one."""
    _write(*(_entry(act, by=by, on=row, project=None, details=details) for row in on))


def _write(*entries: AuditEntry) -> list[AuditEntry]:
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An act is recorded in the transaction that it happens in.")
    return AuditEntry.objects.bulk_create(entries)


def _entry(
    act: Act,
    *,
    by: User | None,
    on: Model | None,
    project: Model | None,
    details: Mapping[str, Any],
) -> AuditEntry:
    kind = on._meta.model_name or "" if on is not None else ""
    if project is None:
        project = on if kind == PROJECT else getattr(on, PROJECT, None)
    return AuditEntry(
        act=act,
        by=by,
        kind=kind,
        public_id=_public_id(on),
        project=_public_id(project),
        details={name: _plain(value) for name, value in details.items()},
    )


def record_alone(act: Act, **about: Any) -> AuditEntry:
    """Write an entry for what changes no rows, such as a download, or for a step of a long work.

    A work in several transactions has an entry before the first, and one with its outcome after the
    last: a crash in between leaves the first one.
    """
    with transaction.atomic():
        return record(act, **about)


def name_of(entry: AuditEntry) -> str:
    return str(Act(entry.act).label) if entry.act in Act.values else entry.act


def _public_id(row: Model | None) -> uuid.UUID | None:
    return getattr(row, "public_id", None)


def _plain(value: Any) -> Any:
    """Convert a value for JSON; a text of more than LONGEST characters becomes an ellipsis."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    text = str(value)
    return text if len(text) <= LONGEST else "…"
