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
from annotation.errors import Refused
from annotation.model_judgments import asking, tasks
from annotation.model_judgments.forms import AskForm, models_for
from annotation.models import ModelTask, Project
from annotation.projects.views import table_page
from generation.endpoints.chat import EndpointError
from generation.forms import LimitsForm
from generation.services.limits import MILLION

SHOWN = 10
STEPS = {"pause": tasks.pause, "resume": tasks.resume, "cancel": tasks.cancel}


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def ask_model(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the form and, once it is filled in, what the task will take; then ask."""
    member = gates.manager(request, project_id)
    project, status = member.project, 200
    context: dict[str, Any] = {}
    form = AskForm(request.POST or None, project=project)
    if request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            if "estimate" not in request.POST and _ask(request, project, form):
                return redirect("models", project_id)
            status = UNPROCESSABLE if form.errors else 200
            context = _expected(project, form)
    context |= table_page.frame(member) | {"form": form}
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
    options: dict[str, Any] = {"by": request.user}
    if step == "resume":
        limits = LimitsForm(request.POST)
        if not limits.is_valid():
            messages.error(request, _("The task was not resumed: a limit is a number above 0."))
            return redirect("models", project_id)
        options |= limits.cleaned_data
    with table_page.refusal_shown(request):
        try:
            STEPS[step](task, **options)
        except EndpointError as error:
            messages.error(request, str(error))
    return redirect("models", project_id)


def of_project(project: Project) -> dict[str, Any]:
    """Return the latest tasks of a project, and what pages show of them."""
    rows = [task_row(task) for task in ModelTask.objects.filter(project=project)[:SHOWN]]
    is_moving = any(row["task"].state in ("waiting", "running") for row in rows)
    return {"tasks": rows, "seconds": 2 if is_moving else 0, "models_here": models_for(project)}


def task_row(task: ModelTask) -> dict[str, Any]:
    """Return a task with its figures; `cost` is in the currency of its model."""
    return {
        "task": task,
        "is_open": task.state in ModelTask.OPEN,
        "cost": task.cost_used / MILLION if task.usage.get("currency") else None,
        "unusable": [
            (_(asking.UNUSABLE[asking.Unusable(reason)]), number)
            for reason, number in task.unusable.items()
        ],
        "limits": LimitsForm.of(task) if task.is_at_limit else None,
    }


def _expected(project: Project, form: AskForm) -> dict[str, Any]:
    values, model = form.cleaned_data, form.model_asked
    expected = tasks.estimate(project, model, form.interview, values["scope"], values["draw"])
    return {"expected": expected, "cost": expected.cost / MILLION, "currency": model.currency}


def _ask(request: Request, project: Project, form: AskForm) -> bool:
    """Return whether the task was started; otherwise the form says why not."""
    values = form.cleaned_data
    try:
        tasks.ask(
            project,
            form.model_asked,
            form.interview,
            by=request.user,
            **{name: values[name] for name in ("scope", "draw", "most_tokens", "most_cost")},
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return False
    messages.success(request, _("The model is being asked."))
    return True
