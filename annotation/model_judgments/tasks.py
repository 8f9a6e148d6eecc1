"""People ask models behind endpoints to judge the pairs of a project; task_work.py does it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import mean
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.model_judgments import services
from annotation.model_judgments.asking import (
    PROMPT,
    Interview,
    label_lines,
    problem_of,
    revision_of,
)
from annotation.models import Judgment, ModelTask, Project, SentencePair
from annotation.projects import additions, protocols
from annotation.projects.labels import criterion
from annotation.work.kinds import KINDS
from common import messages
from common.leases import next_round
from generation import installed_endpoints
from generation.endpoints.chat import (
    EndpointError,
    Model,
    estimated_tokens,
)
from generation.errors import AtLimit, BadLimit
from generation.estimates import Estimate
from generation.services import limits

State, Scope = ModelTask.State, ModelTask.Scope
SAMPLE = 64  # pairs, of which an estimate is made
# Of a reply that is a number alone, with the end of the message.
TOKENS_OF_LABEL = 4


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
    texts = pairs.values_list("sentence1__text", "sentence2__text")[:SAMPLE]
    requests = [request for pair in texts for request in interview.requests(*pair)]
    if not requests:
        return Estimate(0, 0, 0, 0, model.currency)
    tokens_in = mean(estimated_tokens(request.messages[0][1]) for request in requests)
    asked = number * len(requests) // len(texts)
    return Estimate(
        items=number,
        requests=asked,
        tokens=round(asked * (tokens_in + TOKENS_OF_LABEL)),
        cost=model.cost(round(asked * tokens_in), asked * TOKENS_OF_LABEL),
        currency=model.currency,
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
    _check_interview(project, model, interview)
    with _refusing_limits():
        columns = limits.columns([model], most_tokens, most_cost)
    number = min(scoped_pairs(project, scope).count(), draw or BigIntegerField.MAX_BIGINT)
    if not number:
        raise Refused(_("There are no such pairs yet."))
    revision = revision_of(model.identity, interview)
    _check_unreleased(project, model, revision)
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
        text = _(
            "This model is being asked the same already. Wait for that task, resume it if it is "
            "paused, or cancel it."
        )
        raise Refused(text) from error
    audit.record(Act.MODEL_ASKED, by=by, on=task, project=project, model=model.name)
    messages.call_on_commit()
    return task


def _check_interview(project: Project, model: Model, interview: Interview) -> None:
    """Raises Refused."""
    if problem := problem_of(interview):
        raise Refused(_(problem))
    if not model.endpoint.serves(str(project.public_id), project.name):
        raise Refused(_("This project may not use that model."))
    if interview.by_logprobs and not model.logprobs:
        raise Refused(_("This model gives no probabilities. Ask for samples."))


def _check_unreleased(project: Project, model: Model, revision: str) -> None:
    """Raises Refused before anything is paid, if a release has labels of this revision."""
    try:
        services.check_may_grow(project, model.name, revision)
    except Refused as refused:
        advice = _("Change the prompt or the seed: its labels then have another revision.")
        raise Refused(f"{refused} {advice}") from refused


@transaction.atomic
def pause(task: ModelTask, *, by: User | None) -> None:
    """Raises Refused if the task has ended or is paused already."""
    _steer(task, (State.WAITING, State.RUNNING), by, state=State.PAUSED, paused_because="")


@transaction.atomic
def resume(
    task: ModelTask,
    *,
    most_tokens: int | None = None,
    most_cost: float | None = None,
    by: User | None,
) -> None:
    """Go on with a paused task, perhaps with higher limits.

    Raises Refused if it is not paused or a limit cannot be, UnknownModel and OtherModel.
    """
    task.refresh_from_db(from_queryset=ModelTask.objects.select_for_update())
    columns: dict[str, Any] = {"attempts": next_round(task.attempts)}
    with _refusing_limits():
        changes = limits.changed_columns([model_of(task)], most_tokens, most_cost)
        limits.check_raised(task, changes)
    _steer(task, (State.PAUSED,), by, state=State.WAITING, paused_because="", **columns, **changes)
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
    audit.record(Act.MODEL_TASK_STEERED, by=by, on=task, model=task.model, state=columns["state"])
    task.refresh_from_db()


@contextmanager
def _refusing_limits() -> Iterator[None]:
    """Raises Refused in place of AtLimit and BadLimit."""
    try:
        yield
    except (AtLimit, BadLimit) as error:
        raise Refused(str(error)) from error


class OtherModel(EndpointError):
    """The model has been changed on its server since the task began."""


def model_of(task: ModelTask) -> Model:
    """Raises UnknownModel, and OtherModel if it is not the one that the task began with."""
    model = installed_endpoints.endpoints().model(task.model)
    if model.identity != task.identity:
        raise OtherModel(
            f"{task.model} is now {model.served} {model.revision}".rstrip()
            + "; the task began with another one. Ask again in a new task."
        )
    return model
