"""Deliveries: events are turned into rows for each target and person, which workers send."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Event
from common import messages
from common.background import InBackground
from common.leases import Progress, next_round
from operations import mails, payloads, targets
from operations.models import Delivery
from operations.posting import NotDelivered, post
from operations.targets import BadFile, Target

State = Delivery.State
TEST = "test"
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(hours=4)
GIVEN_UP_AFTER, KEPT_FOR = timedelta(days=1), timedelta(days=30)
EVENTS_AT_ONCE = 100

logger = logging.getLogger(__name__)


def spread() -> None:
    """Write the deliveries of new events. While the operator's file has errors, they wait."""
    waiting = Event.objects.filter(is_spread=False).order_by("pk")[:EVENTS_AT_ONCE]
    if not (new_events := list(waiting)):
        return
    try:
        by_name = targets.targets()
    except BadFile as error:
        logger.warning("Events wait: %s", error)
        return
    for event in new_events:
        with transaction.atomic():
            if Event.objects.filter(pk=event.pk, is_spread=False).update(is_spread=True):
                Delivery.objects.bulk_create(_deliveries(event, list(by_name.values())))
    messages.wake_worker()


def send_test(target: Target) -> Delivery:
    """Have a worker send a test to a target."""
    payload = {"type": TEST, "timestamp": timezone.now().isoformat(), "data": {}}
    delivery = _delivery(TEST, payload, target=target.name)
    with transaction.atomic():
        delivery.save()
        messages.wake_worker()
    return delivery


@transaction.atomic
def send_again(delivery: Delivery) -> bool:
    """Have a worker send a delivery again, with the same id; False while one is sending it."""
    now = timezone.now()
    idle = Delivery.objects.filter(pk=delivery.pk).exclude(state=State.SENDING)
    is_queued = idle.update(
        state=State.WAITING,
        attempts=next_round(delivery.attempts),
        asked_at=now,
        next_try_at=now,
        tries=0,
        failure="",
    )
    messages.wake_worker()
    return bool(is_queued)


def delete_old() -> None:
    """Delete deliveries of the month before the last."""
    Delivery.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()


def _deliveries(event: Event, all_targets: list[Target]) -> Iterator[Delivery]:
    for project, payload in payloads.of_event(event):
        for target in all_targets:
            if target.takes(event.kind, str(project.public_id), project.name):
                yield _delivery(event.kind, payload, target=target.name)
        for person in mails.people(event.kind, project):
            yield _delivery(event.kind, payload, person=person)


def _delivery(kind: str, payload: dict[str, Any], **receiver: Any) -> Delivery:
    now = timezone.now()
    return Delivery(kind=kind, payload=payload, asked_at=now, next_try_at=now, **receiver)


def _act(row: Delivery, _progress: Progress) -> dict[str, Any]:
    """Try once, and return the columns to store."""
    tried = {"tries": row.tries + 1, "attempts": next_round(row.attempts)}
    try:
        status = _send(row)
    except NotDelivered as error:
        logger.warning("Delivery %s failed: %s", row.public_id, error)
        return tried | _columns_after_failure(row, error)
    return tried | {"state": State.DELIVERED, "status": status}


def _send(row: Delivery) -> int | None:
    """Return the status of the answer, which mail has none of. Raises NotDelivered."""
    if row.target:
        return post(row)
    mails.send(row)
    return None


def _columns_after_failure(row: Delivery, error: NotDelivered) -> dict[str, Any]:
    now = timezone.now()
    next_try_at = now + min(FIRST_PAUSE * 2**row.tries, LONGEST_PAUSE)
    is_over = now - row.asked_at >= GIVEN_UP_AFTER
    columns = {"state": State.FAILED if is_over else State.WAITING, "next_try_at": next_try_at}
    if error.status is None:
        # The server does not answer: what else waits for it is not tried before.
        others = Delivery.objects.filter(target=row.target, state=State.WAITING)
        others.filter(asked_at__lte=now - GIVEN_UP_AFTER).update(
            state=State.FAILED, failure=str(error)
        )
        others.filter(next_try_at__lt=next_try_at).update(next_try_at=next_try_at)
    return columns | {"status": error.status, "failure": str(error)}


class DeliveryWork(InBackground[Delivery]):
    def pending(self, now: datetime) -> QuerySet[Delivery]:
        """Return what is due, the newest first to be tried: a failing one delays no other."""
        due = InBackground.pending(self, now).filter(next_try_at__lte=now)
        return due.order_by("tries", "next_try_at", "pk")


DELIVERIES = DeliveryWork(
    kind="delivery",
    model=Delivery,
    title=str,
    act=_act,
    named=lambda row: {"delivery": str(row.public_id)},
    waiting_state=State.WAITING,
    running_state=State.SENDING,
    failed_state=State.FAILED,
    lost="Three workers died over this delivery.",
    keeps_failure=True,
)
