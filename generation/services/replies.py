"""Keeps replies of models behind endpoints, and pauses work that asks them: at limits and errors.

What is said of runs here holds for any Spender.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from common import bulk, clock
from common.outages import Retry
from generation.endpoints import chat
from generation.endpoints.chat import EndpointDown, Go, Interrupted
from generation.installed_endpoints import endpoints
from generation.models import Reply, Spender

RUNNING, PAUSED = "running", "paused"
# A batch that takes longer is given back, before its lease ends.
LATE_AFTER = timedelta(minutes=20)
# Pauses before a silent server is asked again, and the silence after which the run is paused.
SHORTEST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(minutes=15)
LONGEST_SILENCE = timedelta(hours=6)
MOST_REPORTED = 5
# Of endpoints that the operator's file no longer has.
KEEP_DAYS = 90
ROWS_PER_DELETION = 10_000


class DatabaseLedger:
    """Keeps the replies that a run pays for, and holds it to its limits.

    `reused` counts replies that others have paid for. The sums of all workers are read at each
    `store`, so the limit may be exceeded by the requests that other workers have under way.
    """

    def __init__(
        self, spender: Spender, *, patience: Retry | None = None, lasts: timedelta = LATE_AFTER
    ) -> None:
        self.reused = 0
        self._spender = spender
        self._patiently = patience or Retry()
        self._until = monotonic() + lasts.total_seconds()
        self._reserved: dict[UUID, tuple[int, int]] = {}

    def stored(self, digests: Collection[UUID]) -> Mapping[UUID, chat.Reply]:
        rows = self._patiently(lambda: list(Reply.objects.filter(bulk.among("digest", digests))))
        self.reused += sum(row.spent_by != self._spender.public_id for row in rows)
        return {row.digest: row.answer for row in rows}

    def reserve(self, digest: UUID, tokens: int, cost: int) -> bool:
        reserved = self._reserved | {digest: (tokens, cost)}
        most_tokens, most_cost = (sum(column) for column in zip(*reserved.values(), strict=True))
        row = self._spender
        if row.most_tokens is not None and row.tokens_used + most_tokens > row.most_tokens:
            return False
        if row.most_cost is not None and row.cost_used + most_cost > row.most_cost:
            return False
        self._reserved = reserved
        return True

    def store(self, replies: Sequence[chat.Reply], *, silence: str = "") -> Go:
        self._spender = self._patiently(partial(_store, self._spender, replies, silence))
        for reply in replies:
            self._reserved.pop(reply.digest, None)
        if self._patiently.stop.is_set() or self._spender.state != RUNNING:
            return Go.STOPPED
        return Go.LATE if monotonic() > self._until else Go.GO


def _store(spender: Spender, replies: Sequence[chat.Reply], silence: str) -> Spender:
    """Store answers and count them, or note that the server is silent; returns the row as it is.

    Refusals are not kept: the server may be changed.
    """
    rows = type(spender)._default_manager
    if not (answers := [reply for reply in replies if not reply.refused]):
        if silence:
            _running(spender).filter(silent_since=None).update(
                silent_since=clock.now(), paused_because=silence[:300]
            )
        return rows.get(pk=spender.pk)
    with transaction.atomic():
        row = rows.select_for_update().get(pk=spender.pk)
        # Another run may have asked the same at the same time.
        Reply.objects.bulk_create(
            [Reply.from_answer(answer, row.public_id) for answer in answers], ignore_conflicts=True
        )
        row.usage = _usage_with(row.usage, answers)
        if row.state == RUNNING:
            row.paused_because, row.waits_until, row.silent_since = "", None, None
        row.save(update_fields=["usage", "paused_because", "waits_until", "silent_since"])
    return row


def _usage_with(usage: Mapping[str, Any], answers: Sequence[chat.Reply]) -> dict[str, Any]:
    reported = {*usage.get("reported", []), *(answer.reported for answer in answers)}
    new = {
        "replies": len(answers),
        "tokens_in": sum(answer.tokens_in for answer in answers),
        "tokens_out": sum(answer.tokens_out for answer in answers),
        "cost": sum(answer.cost for answer in answers),
        "estimated": sum(answer.estimated for answer in answers),
    }
    sums = {name: usage.get(name, 0) + number for name, number in new.items()}
    return {**usage, **sums, "reported": sorted(filter(None, reported))[:MOST_REPORTED]}


@transaction.atomic
def count_reused(spender: Spender, number: int) -> None:
    row = type(spender)._default_manager.select_for_update().get(pk=spender.pk)
    row.usage = {**row.usage, "reused": row.usage.get("reused", 0) + number}
    row.save(update_fields=["usage"])


def interrupt(spender: Spender, error: Exception) -> None:
    """Let a running run wait for its server, or pause it, if the error says so.

    The worker must have given back what it held.
    """
    if isinstance(error, EndpointDown):
        _wait(spender, error)
    elif not isinstance(error, Interrupted):
        _pause(spender, str(error))
    elif error.go is Go.LIMIT:
        _pause(spender, spender.AT_LIMIT)


def _pause(spender: Spender, reason: str) -> None:
    _running(spender).update(
        state=PAUSED, paused_because=reason[:300], waits_until=None, silent_since=None
    )


@transaction.atomic
def _wait(spender: Spender, error: EndpointDown) -> None:
    """Wait as long as the server has been silent, within bounds."""
    row = _running(spender).select_for_update().first()
    if row is None:
        return
    now = clock.now()
    since = row.silent_since or now
    if now - since >= LONGEST_SILENCE:
        _pause(spender, str(error))
        return
    pause = min(max(now - since, SHORTEST_WAIT), LONGEST_WAIT)
    row.paused_because, row.waits_until, row.silent_since = str(error)[:300], now + pause, since
    row.save(update_fields=["paused_because", "waits_until", "silent_since"])


def _running(spender: Spender) -> Any:
    return type(spender)._default_manager.filter(pk=spender.pk, state=RUNNING)


def delete_old() -> int:
    """Delete replies of work that ended long ago, as their endpoints say. Returns how many."""
    models = Reply.objects.order_by().values_list("model", flat=True).distinct()
    names = {model.partition(":")[0] for model in models}
    days = {model.endpoint.name: model.endpoint.keep_days for model in endpoints().models.values()}
    return sum(_delete_of(name, days.get(name, KEEP_DAYS)) for name in names)


def _delete_of(endpoint: str, days: int) -> int:
    before, number = clock.now() - timedelta(days=days), 0
    recent = Q(finished_at=None) | Q(finished_at__gte=before)
    old = Reply.objects.filter(model__startswith=f"{endpoint}:", created_at__lt=before).order_by()
    for spenders in Spender.__subclasses__():
        rows = spenders._default_manager.filter(recent, most_tokens__isnull=False)
        old = old.exclude(spent_by__in=rows.values("public_id"))
    while keys := list(old.values_list("pk", flat=True)[:ROWS_PER_DELETION]):
        number += Reply.objects.filter(pk__in=keys).delete()[0]
    return number
