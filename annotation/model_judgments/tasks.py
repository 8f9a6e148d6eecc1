"""Models behind endpoints judge the pairs of a project: asked for by people, done by workers.

Labels are stored as if a file of them had been imported, so they never affect people's figures.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from statistics import mean
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import AnnotationError, Refused
from annotation.model_judgments import services
from annotation.model_judgments.asking import (
    PROMPT,
    Interview,
    Unusable,
    Verdict,
    label_lines,
    problem_of,
    revision_of,
)
from annotation.models import Judgment, ModelTask, Project, SentencePair
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.projects import additions, protocols
from annotation.projects.labels import criterion
from annotation.work.kinds import KINDS
from common import messages
from common.leases import HOPELESS, Progress, Stopped, Work, next_round
from common.outages import Retry
from generation import installed_endpoints
from generation.endpoints.chat import (
    EndpointError,
    Interrupted,
    Model,
    Reply,
    Request,
    digest_of,
    estimated_tokens,
)
from generation.endpoints.client import Chat
from generation.errors import BadLimit
from generation.models import Queue
from generation.records import in_chunks
from generation.services import limits
from generation.services.replies import LATE_AFTER, DatabaseLedger, count_reused, interrupt

State, Scope = ModelTask.State, ModelTask.Scope
SLICE = 64  # pairs
# Of a reply that is a number alone, with the end of the message.
TOKENS_OF_LABEL = 4
NOTE = "Asked by Pawsmith"


class OtherModel(EndpointError):
    """The model has been changed on its server since the task began."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """About what a task takes; `cost` is in millionths of the currency of the model."""

    pairs: int
    requests: int
    tokens: int
    cost: int


def default_prompt(project: Project) -> str:
    """Return the prompt for a project, whose sentences may have captions, such as Premise."""
    captions = project.scheme.captions or ("Sentence 1", "Sentence 2")
    prompt = PROMPT.replace("Sentence 1:", f"{captions[0]}:").replace(
        "Sentence 2:", f"{captions[1]}:"
    )
    return prompt if project.guidelines else prompt.replace("{guidelines}\n\n", "")


def interview_of(project: Project, **parameters: Any) -> Interview:
    """Return how a model is asked: what the project says of its labels, and these parameters."""
    scheme, looks = project.scheme, project.label_looks
    criteria = {
        place: criterion(looks.get(str(scheme.value(place)), {}), scheme.name_of(place))
        for place in range(scheme.size)
    }
    return Interview(
        scheme,
        labels=label_lines(scheme, criteria),
        guidelines=_guidelines_of_judging(project),
        **{"prompt": default_prompt(project)} | parameters,
    )


def _guidelines_of_judging(project: Project) -> str:
    """Return the guidelines without what is about other kinds of work."""
    others = [kind for kind in KINDS.values() if kind.name != Judgment.KIND]
    titles = {title for kind in others for title in kind.chapters}
    return protocols.without_chapters(project.guidelines, titles)


def estimate(
    project: Project, model: Model, interview: Interview, scope: str, draw: int | None = None
) -> Estimate:
    """Return about what a task takes, from the first pairs of its scope."""
    pairs = scoped_pairs(project, scope)
    number = min(pairs.count(), draw or BigIntegerField.MAX_BIGINT)
    texts = pairs.values_list("sentence1__text", "sentence2__text")[:SLICE]
    requests = [request for pair in texts for request in interview.requests(*pair)]
    if not requests:
        return Estimate(0, 0, 0, 0)
    tokens_in = mean(estimated_tokens(request.messages[0][1]) for request in requests)
    asked = number * len(requests) // len(texts)
    return Estimate(
        pairs=number,
        requests=asked,
        tokens=round(asked * (tokens_in + TOKENS_OF_LABEL)),
        cost=model.cost(round(asked * tokens_in), asked * TOKENS_OF_LABEL),
    )


def scoped_pairs(project: Project, scope: str) -> QuerySet[SentencePair]:
    pairs = SentencePair.objects.filter(project=project, gold_label=None, excluded_by=None)
    if scope == Scope.ALL:
        return pairs
    return pairs.filter(consensus__isnull=scope == Scope.UNDECIDED)


@transaction.atomic
def ask(
    project: Project,
    model: Model,
    interview: Interview,
    *,
    scope: str = Scope.ALL,
    draw: int | None = None,
    most_tokens: int | None = None,
    most_cost: float | None = None,
    by: User | None = None,
) -> ModelTask:
    """Have workers ask a model about pairs of a project.

    `most_cost` is in the currency of the model. Raises Refused if the project judges no pairs, if
    the interview or the limits cannot be, or if the model is being asked the same already.
    """
    additions.check_judged(project)
    columns = _limits(model, most_tokens, most_cost)
    if problem := problem_of(interview):
        raise Refused(_(problem))
    if not model.endpoint.serves(str(project.public_id), project.name):
        raise Refused(_("This project may not use that model."))
    if interview.by_logprobs and not model.logprobs:
        raise Refused(_("This model gives no probabilities. Ask for samples."))
    number = min(scoped_pairs(project, scope).count(), draw or BigIntegerField.MAX_BIGINT)
    if not number:
        raise Refused(_("There are no such pairs yet."))
    revision = revision_of(model.identity, interview)
    try:
        services.check_may_grow(project, model.name, revision)
    except Refused as refused:
        advice = _("Change the prompt or the seed: its labels then have another revision.")
        raise Refused(f"{refused} {advice}") from refused
    try:
        with transaction.atomic():
            task = ModelTask.objects.create(
                project=project,
                model=model.name,
                identity=model.identity,
                interview=interview.parameters,
                revision=revision,
                total=number,
                usage={"currency": model.currency} if model.is_priced else {},
                scope=scope,
                draw=draw,
                created_by=by,
                **columns,
            )
    except IntegrityError as error:
        raise Refused(_("This model is being asked the same already.")) from error
    audit.record(Act.MODEL_ASKED, by=by, on=task, project=project, model=model.name)
    messages.call_on_commit()
    return task


@transaction.atomic
def pause(task: ModelTask, *, by: User | None) -> None:
    """Raises Refused if the task has ended or is paused already."""
    _steer(task, (State.WAITING, State.RUNNING), by, state=State.PAUSED, paused_because="")


@transaction.atomic
def resume(task: ModelTask, *, most_tokens: int | None = None, by: User | None) -> None:
    """Go on with a paused task, perhaps with a higher limit. Raises Refused if it is not paused."""
    columns: dict[str, Any] = {"attempts": next_round(task.attempts)}
    if most_tokens is not None:
        columns |= _limits(_model_of(task), most_tokens, None) | {"most_cost": task.most_cost}
    _steer(task, (State.PAUSED,), by, state=State.WAITING, paused_because="", **columns)
    messages.call_on_commit()


@transaction.atomic
def cancel(task: ModelTask, *, by: User | None) -> None:
    """End a task; the labels that it has stored stay. Raises Refused if it has ended."""
    _steer(task, ModelTask.OPEN, by, state=State.CANCELLED, finished_at=timezone.now())


def _steer(task: ModelTask, states: Sequence[str], by: User | None, **columns: Any) -> None:
    columns |= {"lease_until": None, "waits_until": None, "silent_since": None}
    if not ModelTask.objects.filter(pk=task.pk, state__in=states).update(**columns):
        task.refresh_from_db()
        message = _("That is not possible now: the task is %(state)s.")
        raise Refused(message % {"state": task.get_state_display()})
    audit.record(Act.MODEL_TASK_STEERED, by=by, on=task, state=columns["state"])
    task.refresh_from_db()


def _limits(model: Model, most_tokens: int | None, most_cost: float | None) -> dict[str, Any]:
    """Raises Refused."""
    try:
        return limits.columns([model], most_tokens, most_cost)
    except BadLimit as error:
        raise Refused(str(error)) from error


def _model_of(task: ModelTask) -> Model:
    """Raises UnknownModel, and OtherModel if it is not the one that the task began with."""
    model = installed_endpoints.endpoints().model(task.model)
    if model.identity != task.identity:
        raise OtherModel(
            f"{task.model} is now {model.served} {model.revision}".rstrip()
            + "; the task began with another one. Ask again in a new task."
        )
    return model


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
        interrupt(row, error)
        ModelTask.objects.filter(pk=row.pk, state=State.PAUSED).update(
            lease_until=None, done=progress.done
        )
        raise Stopped from error


def _ask_all(row: ModelTask, progress: Progress, retry: Retry) -> dict[str, Any]:
    model, interview = _model_of(row), Interview(row.project.scheme, **row.interview)
    pairs = _pairs_of(row)
    progress.begin("pairs", len(pairs))
    ends = monotonic() + LATE_AFTER.total_seconds()
    unusable, unlabelled = Counter[Unusable](), 0
    for chunk in in_chunks(pairs, SLICE):
        if monotonic() > ends:
            raise Stopped  # runs have their turn
        ledger = DatabaseLedger(row, patience=retry)
        requests = _requests_of(interview, chunk)
        replies: dict[UUID, Reply] = {}
        try:
            for reply in Chat(model, ledger).ask(chain.from_iterable(requests.values())):
                replies[reply.digest] = reply
        finally:
            # Pairs whose replies have all arrived need not wait for the others.
            verdicts = _verdicts(interview, model, requests, replies)
            _store(row, _lines(verdicts))
            progress.done += len(verdicts)
        unusable += sum((verdict.unusable for verdict in verdicts.values()), Counter())
        unlabelled += sum(verdict.label is None for verdict in verdicts.values())
        if ledger.reused:
            count_reused(row, ledger.reused)
        counts = {"unusable": dict(unusable), "unlabelled": unlabelled}
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
    since="created_at",
    queue=Queue.ENDPOINT,
    is_long=True,
)
