"""Pages on which managers ask models to judge pairs, and follow what becomes of it."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.model_judgments import asking, tasks
from annotation.model_judgments.forms import AskForm
from annotation.models import JudgingModel, ModelTask, Project
from annotation.projects.views import table_page
from generation import usage_figures
from generation.endpoints.chat import EndpointError
from generation.forms import LimitsForm
from generation.models import Queue
from generation.selectors import present_workers

SHOWN = 10
SECONDS_BETWEEN_LOOKS = 2
State = ModelTask.State
STEPS = {"pause": tasks.pause, "resume": tasks.resume, "cancel": tasks.cancel}


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def ask_model(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the form with what the task will take, as text for `estimate` alone; then ask."""
    member = gates.manager(request, project_id)
    project = member.project
    if "estimate" in request.POST:
        context = _estimate(project, AskForm(request.POST, project=project))
        return render(request, "annotation/study/parts/model_estimate.html", context)
    form = AskForm(request.POST if request.method == "POST" else None, project=project)
    if form.is_valid() and _ask(request, project, form):
        return redirect("models", project_id)
    status = UNPROCESSABLE if form.errors else 200
    as_shown = {name: form[name].value() for name in form.fields}
    context = table_page.frame(member) | {"form": form}
    context |= _estimate(project, AskForm(as_shown, project=project))
    return render(request, "annotation/study/ask_model.html", context, status=status)


@gates.signed_in
@require_safe
def model_tasks(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Render the tasks for polling."""
    member = gates.reader(request, project_id)
    context = table_page.frame(member) | of_project(member.project)
    return render(request, "annotation/study/parts/model_tasks.html", context)


@gates.signed_in
@require_POST
def steer_model_task(
    request: Request, project_id: uuid.UUID, task_id: uuid.UUID, step: str
) -> HttpResponse:
    """Pause, resume or cancel a task; resuming may raise its limits."""
    project = gates.manager(request, project_id).project
    if step not in STEPS:
        raise Http404
    task = get_object_or_404(ModelTask, project=project, public_id=task_id)
    form = LimitsForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The task was not resumed: a limit is a number above 0."))
        return redirect("models", project_id)
    new_limits = form.cleaned_data if step == "resume" else {}
    with table_page.refusal_shown(request):
        try:
            STEPS[step](task, by=request.user, **new_limits)
        except EndpointError as error:
            messages.error(request, str(error))
    return redirect("models", project_id)


def of_project(project: Project) -> dict[str, Any]:
    """Return the latest tasks of a project, and what pages show of them."""
    models = {
        (model.name, model.revision): model.public_id
        for model in JudgingModel.objects.filter(project=project)
    }
    rows = [
        _task_row(task, models.get((task.model, task.revision)))
        for task in ModelTask.objects.filter(project=project)[:SHOWN]
    ]
    lacks_worker = not present_workers(Queue.ENDPOINT)
    return {"tasks": rows, "lacks_worker": lacks_worker, "seconds": SECONDS_BETWEEN_LOOKS}


def _task_row(task: ModelTask, labelled: uuid.UUID | None) -> dict[str, Any]:
    """Return a task with its figures; `labelled` is the public id of the model with its labels."""
    is_at_limit = task.state == State.PAUSED and task.is_at_limit
    return {
        "task": task,
        "labelled": labelled,
        "is_open": task.state in ModelTask.OPEN,
        "is_moving": task.state in (State.WAITING, State.RUNNING),
        "use": usage_figures.use(task) if {"replies", "reused"} & {*task.usage} else [],
        "limit": usage_figures.nearest_limit(task) if is_at_limit else "",
        "limits": LimitsForm.from_spender(task) if is_at_limit else None,
        "unusable": [
            (_(asking.UNUSABLE[asking.Unusable(reason)]), number)
            for reason, number in task.unusable.items()
        ],
    }


def _estimate(project: Project, form: AskForm) -> dict[str, Any]:
    """Return about what a task takes, in words; nothing while the form has errors."""
    if not form.is_valid():
        return {}
    values, model = form.cleaned_data, form.model_asked
    estimate = tasks.estimate(project, model, form.interview, values["scope"], values["draw"])
    return {"pairs": estimate.items, "estimate": usage_figures.estimated(estimate)}


def _ask(request: Request, project: Project, form: AskForm) -> bool:
    """Return whether the task was started; otherwise the form says why not."""
    values = form.cleaned_data
    with table_page.refusal_in(form):
        tasks.ask(
            project,
            form.model_asked,
            form.interview,
            by=request.user,
            **{name: values[name] for name in ("scope", "draw", "most_tokens", "most_cost")},
        )
        messages.success(request, _("The model is being asked."))
    return form.is_valid()
