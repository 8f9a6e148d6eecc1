"""The model of annotators on the page Agreement: what it says, and its button."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import services
from annotation.models import Project
from annotation.pairs.selectors import pairs
from annotation.pairs.selectors.pairs import PairFilters
from annotation.projects.selectors import study_rows
from annotation.projects.views import table_page

# Filters of the list of pairs that the page links.
LISTS = ("differs", "below_80")


@gates.signed_in
@require_POST
def fit_model(request: Request, project_id: uuid.UUID) -> HttpResponse:
    project = gates.manager(request, project_id).project
    with table_page.refusal_shown(request):
        number = services.fit_model(project, by=request.user)
        text = ngettext(
            "The model is fitted to %(n)s pair.", "The model is fitted to %(n)s pairs.", number
        )
        messages.success(request, text % {"n": number})
    return redirect(reverse("agreement", args=[project_id]) + "#model")


def figures(project: Project) -> dict[str, Any]:
    """Return the numbers of pairs with a label of the model, without one, and of each list."""
    rows = study_rows.consensus_rows(project)
    decided, fitted = rows.count(), rows.filter(model_label__isnull=False).count()
    numbers = pairs.numbers_of(project, [PairFilters(model=name) for name in LISTS])
    return {
        "fitted": fitted,
        "not_fitted": decided - fitted,
        "lists": [
            (name, pairs.MODEL_LABELS[name][0], number)
            for name, number in zip(LISTS, numbers, strict=True)
        ],
    }
