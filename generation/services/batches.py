"""Claims, processes and stores batches; each is written completely or not at all.

Every update compares the lease first, so rows stay correct without locks: a worker that lost its
batch, by a crash or a delay, cannot change it any more. A lease is short and renewed while a worker
is busy, so the batches of a crashed worker are soon free again.
"""

import logging
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Sequence, Set
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from common import clock
from common.outages import Retry, heartbeat
from generation import methods, selectors
from generation.endpoints.chat import EndpointError, Interrupted
from generation.errors import GenerationError, ModelsChanged
from generation.methods import rewriting
from generation.methods.contract import Rewriter
from generation.models import Batch, Candidate, GenerationRun, Queue, Sentence
from generation.nlp.rewrites import Outcome
from generation.services import replies, runs
from generation.services.replies import DatabaseLedger

MAX_ATTEMPTS = 3
LEASE = timedelta(seconds=30)
RENEWAL = LEASE / 3
LOST = "Three workers died over this batch, or took longer than its method allows."

_RELEASED: dict[str, Any] = {"lease": None, "lease_until": None}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a batch: its candidates, and the number of sentences by outcome.

    `dropped` counts pairs that the method left out. Of a preview, `reasons` and `refused` say of
    sentences without a candidate, by key, why, and their best rewrite. `error` is that of sentences
    that failed alone.
    """

    candidates: list[Candidate]
    outcomes: dict[str, int]
    dropped: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    refused: dict[str, dict[str, Any]] = field(default_factory=dict)
    error: str = ""
    reused: int = 0


def claim(
    run: GenerationRun | None = None, *, queues: Collection[str] = tuple(Queue)
) -> Batch | None:
    """Lease an open batch of the oldest running run in these queues, or only of `run`.

    Returns None if none is free. The attempt is counted now, so that a batch that crashes its
    worker counts as well.
    """
    for running in selectors.running_runs(run.pk if run else None).filter(queue__in=queues):
        moment = clock.now()
        _park_lost(running, moment)
        if batch := _claim_in(running, moment):
            return batch
        runs.close_finished(running.pk)
    return None


def work(batch: Batch, *, patience: Retry | None = None) -> bool:
    """Rewrite the sentences of a claimed batch and store the result.

    Errors are stored as a failed attempt. Returns False if no result was stored. On
    KeyboardInterrupt the batch is released.
    """
    with bound_contextvars(run=str(batch.run.public_id), batch=batch.number):
        began = monotonic()
        is_stored = _work(batch, patience or Retry())
        message = "A batch was written" if is_stored else "A batch was not written"
        logger.info(message, extra={"seconds": round(monotonic() - began, 3)})
        return is_stored


def rewrite(
    batch: Batch,
    sentences: Sequence[Sentence],
    earlier: Set[uuid.UUID] = frozenset(),
    ledger: DatabaseLedger | None = None,
) -> Result:
    """Compute the result of a batch; of methods that ask models, only the ledger uses the database.

    `earlier` are the keys of the pairs that earlier runs made with the sentences.

    Raises MissingModel, ModelsChanged, Interrupted, EndpointError, or any error of the method.
    """
    rewriter = methods.named(batch.run.method).load(batch.run.settings, batch.run.seed, ledger)
    if rewriter.identities != batch.run.model_identities:
        raise ModelsChanged(batch.run.model_identities, rewriter.identities)
    outcomes, error = _rewrite_all(batch, rewriter, sentences, earlier)
    results = list(zip(sentences, outcomes, strict=True))
    is_preview = batch.run.preview
    without = {
        str(row.pk): outcome for row, outcome in results if is_preview and not outcome.rewrites
    }
    return Result(
        candidates=[
            Candidate(
                run=batch.run,
                batch=batch,
                sentence=sentence,
                rank=rank,
                **rewriting.columns_of(sentence.text, rewritten),
            )
            for sentence, outcome in results
            for rank, rewritten in enumerate(outcome.rewrites)
        ],
        outcomes=dict(Counter(outcome.name for outcome in outcomes)),
        dropped=dict(sum((Counter(outcome.dropped) for outcome in outcomes), Counter())),
        reasons={key: outcome.name for key, outcome in without.items()},
        refused={key: row.refused.as_alternative() for key, row in without.items() if row.refused},
        error=error,
        reused=ledger.reused if ledger else 0,
    )


@transaction.atomic
def finish(batch: Batch, result: Result) -> bool:
    """Store the candidates and the batch's state together; returns False if the lease was lost."""
    done = {"state": Batch.State.DONE, "finished_at": timezone.now(), "error": result.error}
    if not _claimed_row(batch).update(
        outcomes=result.outcomes,
        dropped=result.dropped,
        reasons=result.reasons,
        refused=result.refused,
        **done,
        **_RELEASED,
    ):
        return False
    # Copies: rows keep their primary keys after a rollback, and this may be called again.
    Candidate.objects.bulk_create(map(copy, result.candidates))
    if result.reused:
        replies.count_reused(batch.run, result.reused)
    return True


def renew(batch: Batch, *, at_most: timedelta) -> bool:
    """Extend the lease, by `at_most` at the longest. Returns False if it was lost."""
    if at_most <= timedelta():
        return False
    return bool(_claimed_row(batch).update(lease_until=clock.now() + min(LEASE, at_most)))


def fail(batch: Batch, error: Exception) -> bool:
    """Store the error of an attempt; park the batch after the third. Returns False if not held."""
    parked = batch.attempts >= MAX_ATTEMPTS
    state = Batch.State.PARKED if parked else Batch.State.OPEN
    return bool(_claimed_row(batch).update(state=state, error=_message(error), **_RELEASED))


def _message(error: Exception) -> str:
    """Return the message of an expected error, or the type and message of any other."""
    text = str(error) if isinstance(error, GenerationError) else f"{type(error).__name__}: {error}"
    return text.replace("\0", "\\0")


def give_back(batch: Batch) -> bool:
    """Undo a claim and its attempt. Returns False if the lease was lost."""
    return bool(_claimed_row(batch).update(attempts=batch.attempts - 1, **_RELEASED))


def _work(batch: Batch, patiently: Retry) -> bool:
    try:
        sentences = patiently(lambda: list(selectors.sentences_of_batch(batch)))
        earlier = patiently(lambda: _earlier_pairs(batch, sentences))
        is_stored = patiently(_attempt(batch, sentences, earlier, patiently))
    except KeyboardInterrupt:
        give_back(batch)
        raise
    patiently(lambda: runs.close_finished(batch.run_id))
    return is_stored


def _earlier_pairs(batch: Batch, sentences: Sequence[Sentence]) -> set[uuid.UUID]:
    """Return the keys of pairs that the method may produce again, if it can rewrite pairs."""
    if not methods.named(batch.run.method).takes_pairs:
        return set()
    return selectors.earlier_pairs(batch.run, sentences)


def _attempt(
    batch: Batch, sentences: Sequence[Sentence], earlier: Set[uuid.UUID], patiently: Retry
) -> Callable[[], bool]:
    """Compute the batch; return a call that stores its result or error."""
    lasts = min(replies.LATE_AFTER, methods.named(batch.run.method).lease / 2)
    ledger = DatabaseLedger(batch.run, patience=patiently, lasts=lasts)
    try:
        with heartbeat(_renewal(batch), seconds=RENEWAL.total_seconds()):
            result = rewrite(batch, sentences, earlier, ledger)
    except DatabaseError:
        raise  # the caller tries again
    except Exception as error:
        if _is_of_endpoint(batch.run, error):
            logger.warning("%s was given back: %s", batch, error)
            return partial(_interrupt, batch, error)
        logger.exception("Attempt %d of %s failed", batch.attempts, batch)
        return partial(_record_failure, batch, error)
    return partial(finish, batch, result)


def _renewal(batch: Batch) -> Callable[[], bool]:
    """Return a renewal function limited to the method's lease, independent of clock changes."""
    until = monotonic() + methods.named(batch.run.method).lease.total_seconds()
    return lambda: renew(batch, at_most=timedelta(seconds=until - monotonic()))


def _record_failure(batch: Batch, error: Exception) -> bool:
    fail(batch, error)
    return False


def _is_of_endpoint(run: GenerationRun, error: Exception) -> bool:
    """Whether an error is of a model behind an endpoint: another attempt alone cannot help."""
    has_changed = isinstance(error, ModelsChanged) and run.queue == Queue.ENDPOINT
    return has_changed or isinstance(error, Interrupted | EndpointError)


@transaction.atomic
def _interrupt(batch: Batch, error: Exception) -> bool:
    """Give a batch back because of its models: no attempt counts."""
    if give_back(batch):
        replies.interrupt(batch.run, error)
    return False


def _claimed_row(batch: Batch) -> QuerySet[Batch]:
    """Return the batch's row if it has not been claimed or released since it was read."""
    return Batch.objects.filter(
        pk=batch.pk, state=Batch.State.OPEN, lease=batch.lease, attempts=batch.attempts
    )


def _park_lost(run: GenerationRun, now: datetime) -> None:
    lost = selectors.claimable_batches(run, now).filter(attempts__gte=MAX_ATTEMPTS)
    lost.update(state=Batch.State.PARKED, error=LOST, **_RELEASED)


@transaction.atomic
def _claim_in(run: GenerationRun, now: datetime) -> Batch | None:
    """Claim the first free batch; SKIP LOCKED only keeps workers from trying the same one."""
    free = selectors.claimable_batches(run, now).select_for_update(skip_locked=True)
    while batch := free.first():
        if _claim_if_unchanged(batch, now + min(LEASE, methods.named(run.method).lease)):
            batch.run = run
            return batch
    return None


def _claim_if_unchanged(batch: Batch, until: datetime) -> bool:
    """Compare and set: claim the batch if it is unchanged since it was read."""
    as_read = _claimed_row(batch)
    batch.lease, batch.lease_until = uuid.uuid4(), until
    batch.attempts += 1
    return bool(as_read.update(lease=batch.lease, lease_until=until, attempts=batch.attempts))


def _rewrite_all(
    batch: Batch, rewriter: Rewriter, sentences: Sequence[Sentence], earlier: Set[uuid.UUID]
) -> tuple[list[Outcome], str]:
    """Return an outcome for each sentence, and the error of the last that failed, or ""."""
    texts = [sentence.text for sentence in sentences]
    entities = [sentence.entity for sentence in sentences] if batch.run.is_by_entity else None
    outcomes, failure = rewriting.outcomes_of(rewriter, texts, earlier, entities=entities)
    if failure is None:
        return outcomes, ""
    return outcomes, f"Sentence {sentences[failure.place].public_id}: {_message(failure.error)}"
