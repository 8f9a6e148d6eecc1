"""Pairs by what one model says next to people: it agrees, disagrees or is unsure.

People's side is the decision on a pair or, while it is undecided, the answers so far that count.
"""

import uuid
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import (
    Avg,
    Case,
    Count,
    Exists,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Abs
from django.utils.translation import gettext as _

from annotation.models import JudgingModel, Judgment, ModelJudgment, Project
from annotation.models.slots import SlotQuerySet
from annotation.projects.labels import outcome_of
from annotation.stats.labels import Scheme

AGREES, DISAGREES, UNSURE = "agrees", "disagrees", "unsure"
# A score, the probability of a paraphrase, with which a model is unsure.
UNSURE_FROM, UNSURE_TO = 0.4, 0.6


class ModelSays(NamedTuple):
    """A filter of pairs: the public id of a model, and AGREES, DISAGREES or UNSURE."""

    model: uuid.UUID
    says: str

    def __str__(self) -> str:
        return f"{self.model}:{self.says}"

    @classmethod
    def from_text(cls, text: str) -> "ModelSays | None":
        """Return the filter that `str` wrote; None of an empty text."""
        if not text:
            return None
        model, _colon, says = text.partition(":")
        return cls(uuid.UUID(model), says)


def options_of(project: Project) -> dict[str, str]:
    """Return the filters that the models of a project allow, in words, newest model first."""
    options = {}
    words = words_of(project.scheme)
    for model in JudgingModel.objects.filter(project=project).order_by("-pk"):
        for says, text in words.items():
            if says != UNSURE or has_scores(project, model.public_id):
                options[str(ModelSays(model.public_id, says))] = f"{model}: {text}"
    return options


def has_scores(project: Project, model: uuid.UUID) -> bool:
    """Return whether a model gave scores, and labels are two sides, which a score is about."""
    return project.scheme.is_binary and labels_of(model).filter(score__isnull=False).exists()


def words_of(scheme: Scheme) -> dict[str, str]:
    """Return what each filter means for labels of this kind."""
    if scheme.decides:
        agrees, disagrees = (
            _("agrees with the majority so far"),
            _("disagrees with the majority so far"),
        )
    elif scheme.has_equal_steps:
        step = {"step": _step(scheme)}
        agrees = _("at most %(step)s from the mean so far") % step
        disagrees = _("more than %(step)s from the mean so far") % step
    else:
        agrees, disagrees = _("gave a label that somebody gave"), _("gave a label that nobody gave")
    return {AGREES: agrees, DISAGREES: disagrees, UNSURE: _("unsure (score 0.4 to 0.6)")}


def condition(project: Project, answer: ModelSays) -> Q:
    """Return which pairs match; `answer` names a model of the project."""
    labels = labels_of(answer.model).filter(pair=OuterRef("pk"))
    if answer.says == UNSURE:
        return Q(Exists(labels.filter(score__gte=UNSURE_FROM, score__lte=UNSURE_TO)))
    scheme = project.scheme
    is_near = scheme.has_equal_steps and not scheme.decides
    most = _step(scheme) if is_near else 0
    lookup = "distance__lte" if answer.says == AGREES else "distance__gt"
    apart = labels.annotate(distance=_distance(project))
    return Q(Exists(apart.filter(**{lookup: most})))


def labels_of(model: uuid.UUID) -> QuerySet[ModelJudgment]:
    """Return the labels of a model, given by its public id."""
    key = JudgingModel.objects.filter(public_id=model).values("pk")
    return ModelJudgment.objects.filter(model=Subquery(key))


def _distance(project: Project) -> Any:
    """Return how far a model's label is from people; null while these say nothing.

    That is between two outcomes, where only 0 has a meaning, or from the mean of the answers; 0 or
    1 where neither a majority nor a mean is taken: whether anybody gave the label.
    """
    scheme = project.scheme
    answers = Judgment.objects.filter(
        project=project,
        item=OuterRef("pair"),
        submitted_at__isnull=False,
        excluded_by=None,
        superseded_by=None,
    ).order_by()
    if scheme.decides:
        return Abs(outcome_of("label", scheme) - _majority(answers, scheme))
    if scheme.has_equal_steps:
        means = answers.values("item").annotate(mean=Avg(_value_of("label", scheme)))
        return Abs(_value_of("label", scheme) - Subquery(means.values("mean")))
    return Case(
        When(Exists(answers.filter(label=OuterRef("label"))), then=Value(0)),
        When(Exists(answers), then=Value(1)),
        output_field=IntegerField(),
    )


def _majority(answers: SlotQuerySet, scheme: Scheme) -> Case:
    """Return the outcome that leads on a pair: that of the decision, or of the answers so far."""
    places = range(len(scheme.outcomes))
    numbers = {f"votes{place}": Count("pk", filter=Q(outcome=place)) for place in places}
    votes = answers.annotate(outcome=outcome_of("label", scheme)).values("item").annotate(**numbers)
    leads = [
        When(
            Q(*[(f"votes{place}__gt", F(f"votes{other}")) for other in places if other != place]),
            then=Value(place),
        )
        for place in places
    ]
    leader = Case(*leads, default=Value(None), output_field=IntegerField())
    return Case(
        When(pair__consensus__isnull=False, then=F("pair__consensus__label")),
        default=Subquery(votes.values_list(leader)),
        output_field=IntegerField(),
    )


def _value_of(column: str, scheme: Scheme) -> Case:
    values = [
        When(**{column: place}, then=Value(float(value)))
        for place, value in enumerate(scheme.values)
    ]
    return Case(*values, output_field=FloatField())


def _step(scheme: Scheme) -> int:
    """Return the smallest distance between two labels."""
    return min(upper - lower for lower, upper in pairwise(scheme.values))
