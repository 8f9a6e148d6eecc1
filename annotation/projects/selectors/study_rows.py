"""The rows that figures count: those of the study, without its gold pairs and excluded pairs."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Consensus, Item, Judgment, Project, SentencePair, Slot
from annotation.models.slots import SlotQuerySet
from annotation.projects.labels import outcome_of
from common import bulk
from generation.models import Candidate


def candidates(project: Project) -> QuerySet[Candidate]:
    """Return the candidates that entered the project, except those of gold pairs."""
    hidden = Candidate.objects.filter(items__project=project, items__gold_label__isnull=False)
    entered = Candidate.objects.filter(batch__intakes__project=project)
    return entered.exclude(pk__in=hidden.values("pk"))


def pairs(project: Project) -> QuerySet[SentencePair]:
    return SentencePair.objects.filter(project=project, gold_label=None, excluded_by=None)


def excluded_pairs(project: Project) -> QuerySet[SentencePair]:
    return SentencePair.objects.filter(project=project, gold_label=None, excluded_by__isnull=False)


def consensus_rows(project: Project) -> QuerySet[Consensus]:
    return consensus_rows_in([project.pk])


def consensus_rows_in(projects: Collection[int]) -> QuerySet[Consensus]:
    return Consensus.objects.filter(
        pair__project__in=projects,
        pair__kind=Judgment.KIND,
        pair__gold_label=None,
        pair__excluded_by=None,
    )


def slots(project: Project) -> SlotQuerySet:
    return Judgment.objects.filter(project=project).of_study_pairs()


def counted_judgments(project: Project) -> SlotQuerySet:
    """Return the judgments that count."""
    return Judgment.objects.filter(project=project).counting()


def outcomes_of_decided(
    project: Project, pair: Any = "item"
) -> QuerySet[Slot, tuple[Any, int, int]]:
    """Return pair, annotator and outcome of the judgments of decided pairs that count, by pair."""
    decided = consensus_rows(project).values("pair")
    rows = Judgment.objects.filter(project=project, item__in=decided).counting()
    outcome = outcome_of("label", project.scheme)
    return rows.order_by("item", "number").values_list(pair, "annotator", outcome)


def answers(project: Project, kind: str) -> SlotQuerySet:
    """Return the answers of a kind of work that count."""
    return Slot.objects.filter(project=project, kind=kind).counting()


def to_answer(project: Project, kind: str) -> SlotQuerySet:
    return to_answer_in([project.pk]).filter(kind=kind)


def to_answer_in(projects: Collection[int]) -> SlotQuerySet:
    """Return slots that wait for an answer: open, of an item that is not set aside."""
    set_aside = Item.objects.filter(project__in=projects, set_aside_at__isnull=False)
    slots = Slot.objects.filter(project__in=projects).of_study_pairs()
    # True of every slot: written out, as open slots have an index of each.
    by_index = Q(reserved=True) | Q(reserved=False)
    return slots.unanswered().filter(by_index).exclude(item__in=set_aside.values("pk"))


def with_counts(rows: QuerySet[SentencePair]) -> QuerySet[SentencePair]:
    """Add the columns of the pairs table, and counts of valid slots (`asked`) and `answers`."""
    slots = Judgment.objects.filter(excluded_by=None, superseded_by=None)
    return rows.select_related(
        "candidate__run", "consensus", "origin", "project", "sentence1", "sentence2"
    ).annotate(answers=bulk.count_of(slots.answered(), "item"), asked=bulk.count_of(slots, "item"))
