"""The page on model judgments: agreement with people, and disagreements, also as rows of a file.

docs/manager/model_judgments.md explains the columns of the file.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.model_judgments import alternative, selectors, services, task_views, verdicts
from annotation.model_judgments.selectors import Visit
from annotation.models import JudgingModel, Membership, Project
from annotation.pairs.rows import model_facts, pair_row
from annotation.pairs.selectors.pairs import CHUNK
from annotation.projects.forms.filters import PageForm
from annotation.projects.labels import outcomes_in_order
from annotation.projects.views import table_page
from common.spreadsheets import Cell

TEMPLATE = "annotation/study/models.html"
PARTING = "model revision id method sentence1 sentence2 label votes model_label score"


class VisitForm(PageForm):
    """The model whose disagreements are shown; by default, the latest."""

    model = forms.UUIDField(required=False)


@gates.signed_in
@require_safe
def models(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return _page(request, gates.reader(request, project_id))


@gates.signed_in
@require_POST
def remove_model_judgments(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    model_id = table_page.valid_or_404(VisitForm(request.POST)).cleaned_data["model"]
    model = get_object_or_404(JudgingModel, project=member.project, public_id=model_id)
    with table_page.refusal_shown(request):
        services.remove(model, by=request.user)
        messages.success(request, _("Model and labels removed."))
    return redirect("models", project_id)


def parting(project: Project, query: QueryDict) -> Iterable[Sequence[Cell]]:
    """Return PARTING of all disagreements of the requested or the latest model. Raises Http404."""
    models = JudgingModel.objects.filter(project=project)
    model_id = table_page.valid_or_404(VisitForm(query)).cleaned_data["model"]
    model = (
        get_object_or_404(models, public_id=model_id)
        if model_id
        else models.order_by("-pk").first()
    )
    return _disagreement_rows(project, model) if model else []


def _disagreement_rows(project: Project, model: JudgingModel) -> Iterator[Sequence[Cell]]:
    columns = ("public_id", "candidate__run__method", "sentence1__text", "sentence2__text")
    consensus_columns = ("consensus__label", "consensus__tally")
    rows = selectors.parting(project, model).order_by(*selectors.ORDER)
    scheme = project.scheme
    for public_id, *texts, label, tally, model_label, score in rows.values_list(
        *columns, *consensus_columns, "says", "score"
    ).iterator(CHUNK):
        votes, value = " ".join(map(str, tally)), scheme.outcome_values[label]
        said = scheme.value(model_label)
        yield model.name, model.revision, str(public_id), *texts, value, votes, said, score


def _page(request: Request, member: Membership) -> HttpResponse:
    visits = selectors.of_project(member.project)
    context: dict[str, Any] = table_page.frame(member) | {"visits": visits}
    context["outcomes"] = dict(outcomes_in_order(member.project.scheme))
    context |= _disagreements(request, member.project, visits)
    if "model" in context:
        context |= verdicts.context_of(
            alternative.of_model(context["model"], member.project, context["naming"])
        )
    context |= task_views.of_project(member.project)
    return render(request, TEMPLATE, context)


def _disagreements(request: Request, project: Project, visits: Sequence[Visit]) -> dict[str, Any]:
    """Return the disagreements of the requested or the latest model."""
    form = table_page.valid_or_404(VisitForm(request.GET))
    model_id = form.cleaned_data["model"]
    visits_of_model = [visit for visit in visits if model_id in (None, visit.model.public_id)]
    if not visits_of_model:
        if model_id:
            raise Http404
        return {}
    rows = selectors.parting(project, visits_of_model[0].model)
    page = selectors.page(rows, **form.page_keys(len(selectors.ORDER)))
    return {
        "model": visits_of_model[0].model,
        "number": rows.count(),
        "rows": [pair_row(pair, project, facts=model_facts(pair, project)) for pair in page.rows],
        "links": table_page.links(request.GET, page),
    }
