"""Workers ask models about the pairs of a task, slice by slice.

Labels are stored as if a file of them had been imported, so they never affect people's figures.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from time import monotonic
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from annotation.errors import AnnotationError
from annotation.model_judgments import services
from annotation.model_judgments.asking import (
    Interview,
    Unusable,
    Verdict,
)
from annotation.model_judgments.tasks import model_of, scoped_pairs
from annotation.models import ModelTask, SentencePair
from annotation.pairs.labelled_lines import ModelJudgmentLine
from common.leases import HOPELESS, Progress, Stopped, Work
from common.outages import Retry
from generation.endpoints.chat import (
    EndpointError,
    Interrupted,
    Model,
    Reply,
    Request,
    digest_of,
)
from generation.endpoints.client import Chat
from generation.models import Queue
from generation.records import in_chunks
from generation.services.replies import LATE_AFTER, DatabaseLedger, count_reused, interrupt

logger = logging.getLogger(__name__)
State = ModelTask.State
SLICE = 64  # pairs
NOTE = "Asked by Pawsmith"


class ModelTasks(Work[ModelTask]):
    """The tasks, without those that wait for a silent server."""

    def pending(self, now: datetime) -> QuerySet[ModelTask]:
        rows = Work.pending(self, now)
        return rows.filter(Q(waits_until=None) | Q(waits_until__lte=now))

    def attempt(self, row: ModelTask, *, patience: Retry | None = None, **options: Any) -> bool:
        return Work.attempt(self, row, patience=patience, retry=patience or Retry(), **options)


def _act(row: ModelTask, progress: Progress, *, retry: Retry) -> dict[str, Any]:
    """Ask about all pairs of the scope, slice by slice; replies of earlier attempts are free.

    Raises Stopped if the task is paused, cancelled, or waits for its server.
    """
    try:
        return _ask_all(row, progress, retry)
    except (EndpointError, Interrupted) as error:
        logger.warning("The task of %s in %s was given back: %s", row.model, row.project, error)
        interrupt(row, error)
        ModelTask.objects.filter(pk=row.pk, state=State.PAUSED).update(
            lease_until=None, done=progress.done
        )
        raise Stopped from error


def _ask_all(row: ModelTask, progress: Progress, retry: Retry) -> dict[str, Any]:
    model, interview = model_of(row), Interview(row.project.scheme, **row.interview)
    pairs = _pairs_of(row)
    progress.begin("pairs", len(pairs))
    ledger = DatabaseLedger(row, patience=retry)
    chat = Chat(model, ledger)
    ends = monotonic() + LATE_AFTER.total_seconds()
    unusable, unlabelled, ties = Counter[Unusable](), 0, 0
    for chunk in in_chunks(pairs, SLICE):
        if monotonic() > ends:
            raise Stopped  # runs have their turn
        requests = _requests_of(interview, chunk)
        replies: dict[UUID, Reply] = {}
        try:
            for reply in chat.ask(chain.from_iterable(requests.values())):
                replies[reply.digest] = reply
        finally:
            # Pairs whose replies have all arrived need not wait for the others.
            verdicts = _verdicts(interview, model, requests, replies)
            _store(row, _lines(verdicts))
            progress.done += len(verdicts)
        unusable += sum((verdict.unusable for verdict in verdicts.values()), Counter())
        unlabelled += sum(verdict.label is None for verdict in verdicts.values())
        ties += sum(verdict.is_tied for verdict in verdicts.values())
        if ledger.reused:
            count_reused(row, ledger.reused)
            ledger.reused = 0
        counts = {"unusable": dict(unusable), "unlabelled": unlabelled, "ties": ties}
        ModelTask.objects.filter(pk=row.pk, attempts=row.attempts).update(**counts)
    counts = {"done": progress.done, "total": progress.total}
    return {"state": State.DONE, "finished_at": timezone.now(), "paused_because": ""} | counts


def _pairs_of(row: ModelTask) -> list[int]:
    """Return the keys of the pairs to ask about; a draw is the same as long as the scope is."""
    keys = scoped_pairs(row.project, row.scope).order_by("pk").values_list("pk", "public_id")
    if row.draw is None:
        return [key for key, _public_id in keys]
    seed = str(row.interview["seed"]).encode()
    drawn = sorted(keys, key=lambda pair: blake2b(pair[1].bytes, key=seed[:64]).digest())
    return sorted(key for key, _public_id in drawn[: row.draw])


def _requests_of(interview: Interview, keys: Sequence[int]) -> dict[UUID, list[Request]]:
    """Return the requests about pairs, by the public id of each."""
    pairs = SentencePair.objects.filter(pk__in=keys).order_by("pk")
    texts = pairs.values_list("public_id", "sentence1__text", "sentence2__text")
    return {public_id: interview.requests(*pair) for public_id, *pair in texts}


def _verdicts(
    interview: Interview,
    model: Model,
    requests: Mapping[UUID, Sequence[Request]],
    replies: Mapping[UUID, Reply],
) -> dict[UUID, Verdict]:
    """Return what the model says of each pair whose replies are all there."""
    digests = {
        public_id: [digest_of(model, request) for request in asked]
        for public_id, asked in requests.items()
    }
    return {
        public_id: interview.verdict([replies[digest] for digest in of_pair])
        for public_id, of_pair in digests.items()
        if replies.keys() >= {*of_pair}
    }


def _lines(verdicts: Mapping[UUID, Verdict]) -> list[ModelJudgmentLine]:
    return [
        ModelJudgmentLine(0, public_id, verdict.label, verdict.score)
        for public_id, verdict in verdicts.items()
        if verdict.label is not None
    ]


def _store(row: ModelTask, lines: Sequence[ModelJudgmentLine]) -> None:
    if not lines:
        return
    services.add(
        row.project,
        name=row.model,
        revision=row.revision,
        note=NOTE,
        interview={"model": row.identity, **row.interview},
        lines=lines,
        by=row.created_by,
    )


def do(task: ModelTask) -> bool:
    """Do one task here, unless a worker has it. Return whether it went on."""
    return replace(TASKS, among=Q(pk=task.pk)).do_next()


TASKS = ModelTasks(
    kind="model task",
    model=ModelTask,
    title=lambda row: f"{row.model}, {row.project}",
    act=_act,
    named=lambda row: {"model_task": str(row.public_id)},
    waiting_state=State.WAITING,
    running_state=State.RUNNING,
    failed_state=State.FAILED,
    lost="Three workers died over this task.",
    hopeless=(*HOPELESS, AnnotationError),
    leaves={"finished_at": Now()},
    since="created_at",
    queue=Queue.ENDPOINT,
    is_long=True,
)
