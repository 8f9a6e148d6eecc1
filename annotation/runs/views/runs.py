"""The list of the runs of a project, with what was accepted of them, and runs of elsewhere."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.pairs import differences
from annotation.projects import additions, charts
from annotation.projects.charts import Shares
from annotation.projects.views import table_page
from annotation.runs import services as project_runs
from annotation.runs import words
from annotation.runs.forms import RunForm
from annotation.runs.selectors import accepted
from annotation.runs.selectors import runs as selectors
from annotation.runs.services import swaps_of
from generation.models import GenerationRun

# By whether the project translates.
ADDED = {
    False: gettext_lazy("The run’s candidates are added as its batches finish."),
    True: gettext_lazy("The project uses the run’s translations."),
}
REMOVED = {
    False: gettext_lazy("The run’s candidates are no longer added to the project."),
    True: gettext_lazy("The project no longer uses the run’s translations."),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A run in the list, with its name, its state and its preset in words, and what is done."""

    run: Any
    name: str
    state: str
    preset: str
    bar: Shares


@gates.signed_in
@require_safe
def generation_runs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the runs; managers may start one or add one of elsewhere."""
    member = gates.reader(request, project_id)
    project, manages = member.project, member.role == Membership.Role.MANAGER
    lines = [_line(run) for run in selectors.of_project(project)]
    context = {
        "project": project,
        "manages": manages,
        "translates": project.translates,
        "lines": [line for line in lines if not _is_discarded(line.run)],
        "discarded": [line for line in lines if _is_discarded(line.run)],
        "complete": (complete := additions.refusal_of_runs(project)),
        "form": RunForm(project=project, user=request.user) if manages and not complete else None,
        "accepted": _accepted(project),
    }
    return render(request, "annotation/runs/runs.html", context)


@gates.signed_in
@require_POST
def add_run(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Adopt a run, out of those that the manager may see."""
    project = gates.manager(request, project_id).project
    form = RunForm(request.POST, project=project, user=request.user)
    if not form.is_valid():
        messages.error(request, _("You can’t use that run. Choose one from the list."))
        return redirect("generation_runs", project_id)
    with table_page.refusal_shown(request):
        project_runs.add(project, form.cleaned_data["run"], by=request.user)
        messages.success(request, ADDED[project.translates])
    return redirect("generation_runs", project_id)


@gates.signed_in
@require_POST
def remove_run(request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> HttpResponse:
    """Remove a run that has no candidates in the project yet."""
    project = gates.manager(request, project_id).project
    run = get_object_or_404(GenerationRun, projects=project, public_id=run_id)
    try:
        project_runs.remove(project, run, by=request.user)
        messages.success(request, REMOVED[project.translates])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("generation_runs", project_id)


def _line(run: Any) -> Line:
    state = words.state(run, waits=run.awaits_approval)
    parts = {"done": run.sentences_accepted, "lost": run.sentences_done - run.sentences_accepted}
    bar = charts.shares(parts, run.sentences or 1)
    return Line(run, words.name_of(run), state, words.preset_name(run), bar)


def _is_discarded(run: Any) -> bool:
    return bool(run.preview and run.state == GenerationRun.State.CANCELLED)


def _accepted(project: Project) -> dict[str, Any]:
    """Return the figures of each kind of change, and the kinds that the next run can leave out.

    Empty below the number of corrections from which the estimate can be corrected.
    """
    figures = accepted.of_project(project)
    newest = swaps_of(project).filter(preview=False).order_by("-pk").first()
    if figures.recalibration is None or newest is None:
        return {}
    return {
        "total": figures.total,
        "kinds": [
            (differences.kind_name(kind), corrected) for kind, corrected in figures.kinds.items()
        ],
        "newest": newest,
        "worse": [
            (kind, differences.kind_name(kind), figures.kinds[kind])
            for kind in figures.worse
            if kind in newest.settings.get("movable", ())
        ],
    }
