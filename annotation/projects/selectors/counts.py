"""Rows together with what a table says of them, counted in the same statement."""

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import (
    Correction,
    Guest,
    GuestJudgment,
    Judgment,
    Membership,
    Project,
    SentencePair,
)
from generation.tables import counted


def of_projects(rows: QuerySet[Project]) -> QuerySet[Project]:
    """With `people`."""
    return rows.annotate(people=counted(Membership.objects.all(), "project"))


def of_pairs(rows: QuerySet[SentencePair]) -> QuerySet[SentencePair]:
    """With all that a table of pairs shows: texts, method, correction, consensus, and of answers
    those that count: `answers` there are, `asked` there are to be."""
    slots = Judgment.objects.filter(held_out=None, superseded_by=None)
    return rows.select_related(
        "candidate__run", "consensus", "correction", "project", "sentence1", "sentence2"
    ).annotate(answers=counted(slots.exclude(label=None), "pair"), asked=counted(slots, "pair"))


def of_memberships(rows: QuerySet[Membership]) -> QuerySet[Membership]:
    """With the number of the person's `corrections` in the project, and of the `judgments` that
    count."""
    answered = Judgment.objects.filter(label__isnull=False, pair__known_label=None)
    counting = answered.filter(held_out=None, superseded_by=None)
    return rows.annotate(
        corrections=_answers(Correction.objects.exclude(action=None)),
        judgments=_answers(counting),
    )


def of_guests(rows: QuerySet[Guest]) -> QuerySet[Guest]:
    """With their project, and the number of their `labels`."""
    labels = counted(GuestJudgment.objects.all(), "guest")
    return rows.select_related("project").annotate(labels=labels)


def has_pairs(project: Project) -> bool:
    """Whether anything was made by the project's protocol, so that it must stand."""
    return SentencePair.objects.filter(project=project).exists()


def _answers(answers: QuerySet[Any]) -> Coalesce:
    own = answers.filter(annotator=OuterRef("user"), project=OuterRef("project"))
    number = own.order_by().values("annotator").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(number, output_field=IntegerField()), 0)
