"""Admin pages of pairs, corrections, judgments and recusals, with read-only rows."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from annotation.models import Correction, Judgment, Recusal, SentencePair
from annotation.projects.selectors import study_rows
from annotation.work.admin import (
    AnsweredFilter,
    DecidedFilter,
    ExcludedFilter,
    GoldFilter,
    Queued,
    SlotInline,
)
from common.admin import LargeTable, ReadOnly, TabularInline, excerpt, link, listing
from generation.models import Sentence


class RecusalInline(ReadOnly, TabularInline):
    model = Recusal
    fields = ("annotator", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("annotator")


@admin.register(SentencePair)
class SentencePairAdmin(ReadOnly, Queued, LargeTable):
    inlines = (SlotInline, RecusalInline)
    list_display = (
        *("sentence_1", "sentence_2", "project", "method", "answered", "label", "kept"),
        "is_aside",
    )
    list_filter = (
        "project",
        DecidedFilter,
        "candidate__run__method",
        "priority",
        ("set_aside_at", admin.EmptyFieldListFilter),
        ("excluded_by", admin.EmptyFieldListFilter),
        GoldFilter,
    )
    search_fields = ("public_id", "sentence1__text", "sentence2__text")
    search_help_text = "A public id, or words of either sentence"
    fields = (
        *("project", "history", "flipped", "verdict", "gold_label", "slot_count", "priority"),
        *("set_aside_at", "excluded_by", "public_id", "created_at"),
    )
    readonly_fields = (
        *("history", "verdict", "public_id", "gold_label", "set_aside_at", "excluded_by"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[SentencePair]:
        return study_rows.with_counts(super().get_queryset(request))

    @admin.display(description="sentence 1")
    def sentence_1(self, pair: SentencePair) -> str:
        return excerpt(pair.sentence1.text)

    @admin.display(description="sentence 2")
    def sentence_2(self, pair: SentencePair) -> str:
        return excerpt(pair.sentence2.text)

    @admin.display(description="method")
    def method(self, pair: SentencePair) -> str:
        return str(pair.candidate.run.get_method_display())

    @admin.display(description="judgments")
    def answered(self, pair: Any) -> str:
        return listing(Judgment, f"{pair.answers} of {pair.asked}", item__id__exact=pair.pk)

    @admin.display(description="label")
    def label(self, pair: SentencePair) -> object:
        return pair.consensus.label if hasattr(pair, "consensus") else None

    @admin.display(description="kept", boolean=True)
    def kept(self, pair: SentencePair) -> bool | None:
        return pair.consensus.kept if hasattr(pair, "consensus") else None

    @admin.display(description="set aside", boolean=True)
    def is_aside(self, pair: SentencePair) -> bool:
        return pair.set_aside_at is not None

    @admin.display(description="consensus")
    def verdict(self, pair: SentencePair) -> str:
        return link(getattr(pair, "consensus", None))

    @admin.display(description="source")
    def history(self, pair: SentencePair) -> str:
        """Trace the pair back to its original sentence and corpus."""
        return format_html_join("", "<div>{}: {}</div>", _steps(pair))


@admin.register(Correction)
class CorrectionAdmin(ReadOnly, LargeTable):
    list_display = (
        *("candidate_text", "action", "fixed_text", "annotator", "project", "submitted_at"),
        *("priority",),
    )
    list_select_related = ("item__candidate", "annotator", "project")
    list_filter = (
        "project",
        "action",
        AnsweredFilter,
        "item__priority",
        ("item__set_aside_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("item__public_id", "annotator__username", "item__candidate__text", "text")
    search_help_text = "A public id, a person, or words of either text"
    fields = (
        *("project", "candidate", "action", "text", "pair_made", "annotator", "claimed_at"),
        *("lease_until", "submitted_at", "seconds", "priority", "set_aside_at", "public_id"),
    )
    readonly_fields = ("candidate", "pair_made", "priority", "set_aside_at", "public_id")

    @admin.display(description="candidate")
    def candidate_text(self, correction: Correction) -> str:
        return excerpt(correction.item.candidate.text if correction.item.candidate else "")

    @admin.display(description="candidate")
    def candidate(self, correction: Correction) -> str:
        return link(correction.item.candidate)

    @admin.display(description="fixed")
    def fixed_text(self, correction: Correction) -> str:
        return excerpt(correction.text)

    @admin.display(description="pair")
    def pair_made(self, correction: Correction) -> str:
        return link(SentencePair.objects.filter(origin=correction).first())

    @admin.display(description="priority", ordering="item__priority")
    def priority(self, correction: Correction) -> int:
        return correction.item.priority

    @admin.display(description="set aside")
    def set_aside_at(self, correction: Correction) -> object:
        return correction.item.set_aside_at

    @admin.display(description="public id")
    def public_id(self, correction: Correction) -> object:
        return correction.item.public_id


@admin.register(Judgment)
class JudgmentAdmin(ReadOnly, LargeTable):
    list_display = ("of_pair", "number", "label", "annotator", "seconds", "submitted_at", "project")
    list_select_related = ("item", "annotator", "project")
    list_filter = ("project", AnsweredFilter, ExcludedFilter)
    search_fields = ("item__public_id", "annotator__username")
    search_help_text = "The public id of a pair, or a person"
    fields = (
        "project",
        "of_pair",
        "number",
        "label",
        "annotator",
        "claimed_at",
        "lease_until",
        "submitted_at",
        "seconds",
        "highlighted",
        "excluded_by",
    )
    readonly_fields = ("of_pair", "excluded_by")

    @admin.display(description="pair")
    def of_pair(self, judgment: Judgment) -> str:
        return link(judgment.item)


@admin.register(Recusal)
class RecusalAdmin(ReadOnly, LargeTable):
    list_display = ("annotator", "reason", "of_pair")
    list_select_related = ("annotator", "item")
    list_filter = ("item__project", "reason")
    search_fields = ("item__public_id", "annotator__username")
    search_help_text = "The public id of a pair, or a person"

    @admin.display(description="item")
    def of_pair(self, recusal: Recusal) -> str:
        return link(recusal.item)


def _steps(pair: SentencePair) -> list[tuple[str, object]]:
    """Return the rows that the pair was derived from, latest first, each with a label."""
    steps: list[tuple[str, object]] = [("judged", link(pair.sentence2))]
    if pair.origin_id and (correction := Correction.objects.filter(pk=pair.origin_id).first()):
        steps.append((f"corrected by {correction.annotator}", link(correction)))
    return steps + _origin(pair.sentence2)


def _origin(sentence: Sentence) -> list[tuple[str, object]]:
    """Follow each rewrite back to the source; a source may itself be a rewrite."""
    steps: list[tuple[str, object]] = []
    while candidate := sentence.candidate:
        steps.append((f"{candidate.run}", link(candidate)))
        sentence = candidate.sentence
        steps.append(("of", link(sentence)))
    return [*steps, ("from the corpus", link(sentence.corpus))]
