"""The page of a release's evaluation: its tables, and the form that asks for one."""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot
from annotation.projects.views import table_page
from annotation.stats.agreement import Estimate
from evaluation import services
from evaluation.advice import gain
from evaluation.forms import EvaluationForm
from evaluation.models import Evaluation
from evaluation.selectors import OPEN, companion_of, files_of, of_release
from releases.models import Release

TEMPLATE = "evaluation/release.html"
SCALE = Axis((0.0, 0.5, 1.0))
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Line:
    """A model on the test set: means over seeds, and its accuracy with the range as a dot."""

    model: str
    accuracy: Mapping[str, float]
    area: Mapping[str, float] | None
    dot: Dot | None

    @property
    def interval(self) -> tuple[float, float]:
        return (self.accuracy["low"], self.accuracy["high"])


@gates.signed_in
@require_safe
def evaluation(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Show the evaluation of a release, and to managers the form that asks for one."""
    member = gates.reader(request, project_id)
    context = _context(member, _find(member, public_id))
    return render(request, TEMPLATE, context | {"form": EvaluationForm(label_suffix="")})


@gates.signed_in
@require_POST
def request_evaluation(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    """Ask for an experiment, which a worker then makes."""
    member = gates.manager(request, project_id)
    release = _find(member, public_id)
    form = EvaluationForm(request.POST, label_suffix="")
    if not form.is_valid():
        context = _context(member, release) | {"form": form}
        return render(request, TEMPLATE, context, status=UNPROCESSABLE)
    try:
        services.request(release, by=request.user, **form.cleaned_data)
    except Refused as error:
        messages.warning(request, str(error))
    return redirect("evaluation", project_id, public_id)


@gates.signed_in
@require_safe
def evaluation_progress(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    """Render the progress; when it is over, reload the whole page."""
    member = gates.reader(request, project_id)
    release = _find(member, public_id)
    if not request.htmx:
        return redirect("evaluation", project_id, public_id)
    context = _context(member, release)
    if not context["open"]:
        return HttpResponseClientRefresh()
    return render(request, "evaluation/parts/progress.html", context)


@gates.signed_in
@require_POST
def cancel_evaluation(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    """Cancel the evaluations of a release that are not over."""
    release = _find(gates.manager(request, project_id), public_id)
    for row in of_release(release).values():
        if row.state in OPEN:
            try:
                services.cancel(row, by=request.user)
            except Refused as error:
                messages.warning(request, str(error))
    return redirect("evaluation", project_id, public_id)


@gates.signed_in
@require_safe
def evaluation_file(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID, path: str
) -> HttpResponse:
    """Send a file of the evaluation. Raises Http404."""
    release = _find(gates.reader(request, project_id), public_id)
    if path not in files_of(release):
        raise Http404
    content = (companion_of(release) / path).open("rb")
    return cast(HttpResponse, FileResponse(content, as_attachment=True))


def _find(member: Membership, public_id: uuid.UUID) -> Release:
    """Return a frozen release of the member's project. Raises Http404."""
    frozen = Release.objects.filter(project=member.project, state=Release.State.FROZEN)
    found = get_object_or_404(frozen, public_id=public_id)
    found.project = member.project
    return found


def _context(member: Membership, release: Release) -> dict[str, Any]:
    rows = of_release(release)
    plain, curve = (rows.get(name) for name in Evaluation.Experiment)
    return table_page.frame(member) | {
        "release": release,
        "open": [row for row in rows.values() if row.state in OPEN],
        "failed": [row for row in rows.values() if row.state == Evaluation.State.FAILED],
        "lines": list(_lines(plain.results["figures"])) if plain and plain.results else [],
        "curve": _curve(curve.results["figures"]) if curve and curve.results else None,
        "gain": gain(curve.results["figures"]) if curve and curve.results else None,
        "files": [path for path in files_of(release) if "/" not in path],
        "is_simulated": (release.manifest or {}).get("simulated"),
    }


def _curve(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the models, and a row for each size of train."""
    models = figures["models"]
    rows = [
        (points[0]["pairs"], [point["average_precision"] for point in points])
        for points in zip(*(each["points"] for each in models), strict=False)
    ]
    return {"models": [each["model"] for each in models], "rows": rows}


def _lines(figures: Mapping[str, Any]) -> Iterator[Line]:
    for each in figures["models"]:
        accuracy = each["test"]["accuracy"]
        ends = (accuracy["low"], accuracy["high"])
        dot = charts.across(Estimate(accuracy["mean"], ends), SCALE)
        yield Line(each["model"], accuracy, each["test"]["average_precision"], dot)
