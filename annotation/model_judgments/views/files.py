"""Rows of the file of human-model disagreements; see docs/manager/model_judgments.md."""

from collections.abc import Iterable, Sequence

from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404

from annotation.model_judgments.forms import VisitForm
from annotation.model_judgments.selectors import model_judgments as selector
from annotation.models import JudgingModel, Project
from common.spreadsheets import Cell

PARTING = "model revision id method sentence1 sentence2 label votes model_label score"


def parting(project: Project, asked: QueryDict) -> Iterable[Sequence[Cell]]:
    """Return all disagreements of the requested or the latest model. Raises Http404."""
    model = _model(project, asked)
    if model is None:
        return []
    return (
        (
            model.name,
            model.revision,
            str(pair["public_id"]),
            pair["candidate__run__method"],
            pair["sentence1__text"],
            pair["sentence2__text"],
            pair["consensus__label"],
            " ".join(map(str, pair["consensus__tally"])),
            pair["says"],
            pair["score"],
        )
        for pair in selector.all_parting(project, model)
    )


def _model(project: Project, asked: QueryDict) -> JudgingModel | None:
    form = VisitForm(asked)
    if not form.is_valid():
        raise Http404
    models = JudgingModel.objects.filter(project=project)
    if named := form.cleaned_data["model"]:
        return get_object_or_404(models, public_id=named)
    return models.order_by("-pk").first()
