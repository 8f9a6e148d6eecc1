"""Creates runs, which are split into batches that workers claim, and steers them."""

import logging
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from itertools import chain, repeat
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, events
from accounts.audited_acts import Act
from accounts.models import Event, User
from common.languages import name_of
from generation import methods, selectors
from generation.errors import (
    BadLimit,
    GenerationError,
    NoSentences,
    NotNow,
    WrongLanguage,
)
from generation.models import Batch, Corpus, GenerationRun, Method
from generation.services import limits

State = GenerationRun.State
logger = logging.getLogger(__name__)
BATCHES_PER_INSERT = 1_000
# A preview reads this many sentences at a time, and at most this many times.
PREVIEW_SENTENCES, PREVIEW_BATCHES = 20, 15


def start(
    corpus: Corpus,
    *,
    method: str,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    started_by: User | None = None,
    batch_size: int | None = None,
    pairs_of: Collection[GenerationRun] = (),
    preview: bool = False,
    most_tokens: int | None = None,
    most_cost: float | None = None,
) -> GenerationRun:
    """Start a run over the current sentences of the corpus.

    A method that takes pairs rewrites those of the runs `pairs_of`, if there are any. A preview
    stops at some candidates until it is approved. The identities of the models are stored with
    the run. Limits, of the cost in the currency of the model, are for models behind endpoints.
    Raises UnknownMethod, BadSettings, WrongLanguage, MissingModel, BadLimit or NoSentences.
    """
    run_method = methods.named(method)
    configuration = run_method.for_corpus(run_method.configure(settings or {}), corpus.language)
    check_language(corpus, method, configuration)
    models = limits.models_of(method, configuration)
    currency = limits.currency_of(models)
    run = GenerationRun(
        corpus=corpus,
        method=method,
        settings=configuration,
        model_identities=run_method.identify(configuration),
        seed=seed,
        queue=run_method.queue_of(configuration),
        preview=preview,
        preview_batches=PREVIEW_BATCHES if preview else 1,
        started_by=started_by,
        usage={"currency": currency} if currency else {},
        **limits.columns(models, most_tokens, most_cost),
    )
    _store_with_batches(
        run, pairs_of if run_method.takes_pairs else (), batch_size or run_method.batch_size
    )
    return run


def check_language(corpus: Corpus, method: str, settings: Mapping[str, Any] | None = None) -> None:
    """Refuse a corpus whose language a whole configuration cannot do, or without one no settings.

    Raises WrongLanguage: the rules of the method, or its models, would find nothing.
    """
    run_method = methods.named(method)
    configuration = None if settings is None else dict(settings)
    if run_method.can_do(corpus.language, configuration):
        return
    languages = (
        run_method.languages if configuration is None else run_method.languages_of(configuration)
    )
    text = _(
        "The corpus %(corpus)s is in %(found)s, but %(method)s with these models works on "
        "%(languages)s only."
    )
    if run_method.languages:
        text = _(
            "The corpus %(corpus)s is in %(found)s, but %(method)s works on %(languages)s only."
        )
    values = {
        "corpus": corpus,
        "found": name_of(corpus.language),
        "method": _(Method(method).label),
        "languages": ", ".join(map(name_of, languages)),
    }
    raise WrongLanguage(f"{text % values} {_(run_method.for_others)}")


def no_pairs_error(corpus: Corpus) -> GenerationError:
    """Return the error of a run that is to rewrite pairs of a corpus without any."""
    try:
        check_language(corpus, Method.WORD_SWAP)
    except WrongLanguage as error:
        text = _("There are no word-swap pairs to rewrite. %(reason)s")
        return WrongLanguage(text % {"reason": error})
    text = _(
        "The corpus %(corpus)s has no corrected word-swap pairs to rewrite yet. Start a word-swap "
        "run of it and have its candidates corrected, or rewrite the sentences."
    )
    return NoSentences(text % {"corpus": corpus})


def close_finished(run_id: int | None = None) -> int:
    """Mark runs without open batches done, or only `run_id`; returns their number.

    A run whose batches all failed is paused instead, until a person retries or cancels it.

    Call this after the transaction of a batch: if two workers finish the last two batches
    concurrently, the later call sees both as done.
    """
    batches_of_run = Batch.objects.filter(run=OuterRef("pk"))
    still_open = batches_of_run.filter(state=Batch.State.OPEN)
    has_done_batch = Exists(batches_of_run.filter(state=Batch.State.DONE))
    rows = (
        GenerationRun.objects.all() if run_id is None else GenerationRun.objects.filter(pk=run_id)
    )
    runs_without_open_batches = rows.filter(
        ~Exists(still_open), state__in=[State.RUNNING, State.PAUSED]
    )
    runs_without_open_batches.filter(~has_done_batch, state=State.RUNNING).update(
        state=State.PAUSED
    )
    finished = runs_without_open_batches.filter(has_done_batch)
    closed = sum(_close(run, finished) for run in list(finished.order_by("pk")))
    _tell_of_previews(rows)
    return closed


@transaction.atomic
def _close(run: GenerationRun, finished: QuerySet[GenerationRun]) -> bool:
    """Mark a run done, unless it has changed. Who waits for it is informed, if it is approved."""
    columns = {"state": State.DONE, "finished_at": timezone.now()}
    if not finished.filter(pk=run.pk).update(**columns):
        return False
    if not run.preview:
        events.record(Event.Kind.RUN_DONE, run)
    return True


@transaction.atomic
def _tell_of_previews(rows: QuerySet[GenerationRun]) -> None:
    """Record once of each preview that it waits for approval."""
    recorded = Event.objects.filter(kind=Event.Kind.APPROVAL_NEEDED, row=OuterRef("pk"))
    for run in rows.filter(~Exists(recorded), selectors.awaiting_approval()):
        events.record(Event.Kind.APPROVAL_NEEDED, run)


@transaction.atomic
def _store_with_batches(
    run: GenerationRun, pairs_of: Collection[GenerationRun], batch_size: int
) -> None:
    """Store the run with its batches, with the corpus locked against imports."""
    Corpus.objects.select_for_update().get(pk=run.corpus_id)
    run.last_sentence = selectors.last_sentence(run.corpus_id)
    run.save()
    run.pairs_of.set(pairs_of)
    if not (batches := list(_cut_into_batches(run, _units(run), batch_size))):
        if pairs_of:
            raise no_pairs_error(run.corpus)
        text = _("The corpus %(corpus)s has no sentences to rewrite. Add some first.")
        if run.is_by_entity:
            text = _("The corpus %(corpus)s has no flashcards. Import some first.")
        raise NoSentences(text % {"corpus": run.corpus})
    Batch.objects.bulk_create(batches, batch_size=BATCHES_PER_INSERT)


def _units(run: GenerationRun) -> Iterator[tuple[int, int]]:
    """Yield what no batch may cut, in order: its first sentence, and how many it has."""
    if run.is_by_entity:
        return selectors.entities_of(run).iterator()
    return zip(selectors.sentences_of(run).values_list("id", flat=True).iterator(), repeat(1))


def _cut_into_batches(
    run: GenerationRun, units: Iterator[tuple[int, int]], batch_size: int
) -> Iterator[Batch]:
    """Yield the batches; where a preview will stop does not matter, so its candidates do not."""
    first_sizes = [PREVIEW_SENTENCES] * run.preview_batches if run.preview else []
    sizes = chain(first_sizes, repeat(batch_size))
    for number, least in enumerate(sizes, 1):
        if not (part := _take_units(units, least)):
            return
        size = sum(sentences for _, sentences in part)
        yield Batch(
            run=run, number=number, first_sentence=part[0][0], last_sentence=part[-1][0], size=size
        )


def _take_units(units: Iterator[tuple[int, int]], least: int) -> list[tuple[int, int]]:
    """Take units until they have at least this number of sentences."""
    part: list[tuple[int, int]] = []
    while least > 0 and (unit := next(units, None)):
        part.append(unit)
        least -= unit[1]
    return part


class Action(StrEnum):
    APPROVE = "approve"
    PAUSE = "pause"
    RESUME = "resume"
    RETRY = "retry"
    CANCEL = "cancel"


# As in "The run was paused", "The run is running: it cannot be resumed".
DONE = {
    Action.APPROVE: "approved",
    Action.PAUSE: "paused",
    Action.RESUME: "resumed",
    Action.RETRY: "retried",
    Action.CANCEL: "cancelled",
}


def steer(
    run: GenerationRun,
    action: Action,
    *,
    by: User | None = None,
    most_tokens: int | None = None,
    most_cost: float | None = None,
) -> None:
    """Perform an action on a run; `by` is None on the command line. Resuming can set limits.

    The caller must wake workers. Raises NotNow if the state of the run does not allow the action,
    and BadLimit.
    """
    new_limits = _new_limits(run, action, most_tokens, most_cost)
    with transaction.atomic():
        run.refresh_from_db(from_queryset=GenerationRun.objects.select_for_update())
        if action not in possible_actions(run):
            raise NotNow(_refusal_text(run, action))
        if action == Action.RESUME:
            limits.check_raised(run, new_limits)
        if action == Action.RETRY:
            selectors.parked_batches_of(run).update(state=Batch.State.OPEN, attempts=0, error="")
        GenerationRun.objects.filter(pk=run.pk).update(**_changes(run, action), **new_limits)
        audit.record(Act.RUN_STEERED, by=by, on=run, action=action, **new_limits)
        if action == Action.APPROVE and run.state == State.DONE:  # the preview was all of it
            events.record(Event.Kind.RUN_DONE, run)
    run.refresh_from_db()
    who = f"user {by.public_id}" if by else "the command line"
    logger.info("Run %s was %s by %s", run.public_id, DONE[action], who)


def _new_limits(
    run: GenerationRun, action: Action, most_tokens: int | None, most_cost: float | None
) -> dict[str, Any]:
    """Return the limits to store; one that is not set stays as it is. Raises BadLimit."""
    if most_tokens is None and most_cost is None:
        return {}
    if action != Action.RESUME:
        raise BadLimit(_("Limits can be set when a run is started or resumed."))
    models = limits.models_of(run.method, run.settings)
    return limits.changed_columns(models, most_tokens, most_cost)


def _changes(run: GenerationRun, action: Action) -> dict[str, Any]:
    """Return the fields of a run that an action changes; finished batches stay as they are."""
    if action == Action.APPROVE:
        return {"preview": False}
    if action == Action.RETRY and run.state == State.PAUSED:
        return {}
    of_workers = {"paused_because": "", "waits_until": None, "silent_since": None}
    if action == Action.PAUSE:
        return {"state": State.PAUSED, **of_workers}
    if action == Action.CANCEL:
        return {"state": State.CANCELLED, "finished_at": timezone.now(), **of_workers}
    return {"state": State.RUNNING, "finished_at": None, **of_workers}


def possible_actions(run: GenerationRun) -> list[Action]:
    """Return the actions that the state of a run allows.

    A preview that covers the whole corpus can be cancelled until it is approved.
    """
    ended = run.state in (State.DONE, State.CANCELLED)
    allowed = {
        Action.APPROVE: run.preview and run.state != State.CANCELLED,
        Action.PAUSE: run.state == State.RUNNING,
        Action.RESUME: run.state == State.PAUSED,
        Action.RETRY: run.state != State.CANCELLED and selectors.parked_batches_of(run).exists(),
        Action.CANCEL: not ended or (run.preview and run.state == State.DONE),
    }
    return [action for action in Action if allowed[action]]


def _refusal_text(run: GenerationRun, action: Action) -> str:
    if run.state != State.CANCELLED and action == Action.APPROVE:
        return "The run is not a preview: there is nothing to approve."
    if run.state != State.CANCELLED and action == Action.RETRY:
        return "The run has no parked batches: there is nothing to retry."
    return f"The run is {run.state}: it cannot be {DONE[action]}."
