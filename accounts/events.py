"""Events: written in the transaction of the change that they tell of, so that none is lost."""

from django.db import transaction
from django.db.models import Model

from accounts.models import Event
from common import messages


def record(kind: Event.Kind, row: Model, *, phase: str = "") -> None:
    """Write an event about a row, and wake a worker.

    That a preview needs approval is stored once. Raises RuntimeError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An event is recorded in the transaction that it happens in.")
    event = Event(kind=kind, row=row.pk, phase=phase)
    Event.objects.bulk_create([event], ignore_conflicts=True)
    messages.call_on_commit()
