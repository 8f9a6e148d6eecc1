"""The model of annotators on the page Agreement: what it says, and its button."""

import uuid
from typing import Any

from django.contrib import messages
from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import services
from annotation.models import Consensus, Project
from annotation.pairs.selectors import pairs
from annotation.pairs.selectors.pairs import PairFilters
from annotation.projects.selectors import study_rows
from annotation.projects.views import table_page

# Filters of the list of pairs that the page links.
LISTS = ("differs", "below_80")
# Of fewer answers per person, or fewer pairs, the page says that shares are too high. The model
# takes estimated rates for certain: an error rate from 30 answers is uncertain by some 15 points
# (95 %), and a share of outcomes from 100 pairs by 10.
ENOUGH_ANSWERS, ENOUGH_PAIRS = 30, 100


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
    """Return the numbers of pairs with a label of the model, without one, and of each list.

    `few_answers` is the mean number of answers per person, if the fit rests on few; else None.
    """
    rows = study_rows.consensus_rows(project)
    fitted_rows = rows.filter(model_label__isnull=False)
    decided, fitted = rows.count(), fitted_rows.count()
    answers = _answers_per_person(project, fitted_rows) if fitted else 0.0
    are_few = fitted < ENOUGH_PAIRS or answers < ENOUGH_ANSWERS
    numbers = pairs.numbers_of(project, [PairFilters(model=name) for name in LISTS])
    return {
        "fitted": fitted,
        "not_fitted": decided - fitted,
        "few_answers": round(answers) if are_few else None,
        "lists": [
            (name, pairs.MODEL_LABELS[name][0], number)
            for name, number in zip(LISTS, numbers, strict=True)
        ],
    }


def _answers_per_person(project: Project, rows: QuerySet[Consensus]) -> float:
    """Return the mean number of answers that each person gave to these decided pairs."""
    judgments = study_rows.counted_judgments(project).filter(item__in=rows.values("pair"))
    numbers = judgments.aggregate(answers=Count("pk"), people=Count("annotator", distinct=True))
    return float(numbers["answers"] / numbers["people"])
