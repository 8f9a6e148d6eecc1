"""Rows annotated with counts, in one query."""

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import (
    Correction,
    JudgingModel,
    Judgment,
    Membership,
    ModelJudgment,
    Project,
    SentencePair,
)
from generation.tables import counted


def of_projects(rows: QuerySet[Project]) -> QuerySet[Project]:
    """Add `people`."""
    return rows.annotate(people=counted(Membership.objects.all(), "project"))


def of_pairs(rows: QuerySet[SentencePair]) -> QuerySet[SentencePair]:
    """Add the columns of the pairs table, and counts of valid slots (`asked`) and `answers`."""
    slots = Judgment.objects.filter(excluded_by=None, superseded_by=None)
    return rows.select_related(
        "candidate__run", "consensus", "origin", "project", "sentence1", "sentence2"
    ).annotate(answers=counted(slots.answered(), "item"), asked=counted(slots, "item"))


def of_memberships(rows: QuerySet[Membership]) -> QuerySet[Membership]:
    """Add the person's number of `corrections`, and of `judgments` that count, in the project."""
    return rows.annotate(
        corrections=_answers(Correction.objects.answered()),
        judgments=_answers(Judgment.objects.counting()),
    )


def of_models(rows: QuerySet[JudgingModel]) -> QuerySet[JudgingModel]:
    """Add the project, and the number of `labels`."""
    labels = counted(ModelJudgment.objects.all(), "model")
    return rows.select_related("project").annotate(labels=labels)


def has_pairs(project: Project) -> bool:
    """Return whether the project has pairs, which fix its protocol."""
    return SentencePair.objects.filter(project=project).exists()


def _answers(answers: QuerySet[Any]) -> Coalesce:
    own = answers.filter(annotator=OuterRef("user"), project=OuterRef("project"))
    number = own.order_by().values("annotator").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(number, output_field=IntegerField()), 0)
