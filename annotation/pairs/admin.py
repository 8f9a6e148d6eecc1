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
from common.admin import LargeTable, ReadOnly, TabularInline, column, excerpt, link, listing
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

    sentence_1 = column("sentence1.text", "sentence 1", show=excerpt)
    sentence_2 = column("sentence2.text", "sentence 2", show=excerpt)
    method = column("candidate.run.get_method_display", "method")

    @admin.display(description="judgments")
    def answered(self, pair: Any) -> str:
        return listing(Judgment, f"{pair.answers} of {pair.asked}", item__id__exact=pair.pk)

    label = column("consensus.label", "label")
    kept = column("consensus.kept", "kept", boolean=True)
    is_aside = column("set_aside_at", "set aside", show=bool, boolean=True)
    verdict = column("consensus", "consensus", show=link)

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
    candidate_text = column("item.candidate.text", "candidate", show=excerpt)
    candidate = column("item.candidate", "candidate", show=link)
    fixed_text = column("text", "fixed", show=excerpt)

    @admin.display(description="pair")
    def pair_made(self, correction: Correction) -> str:
        return link(SentencePair.objects.filter(origin=correction).first())

    priority = column("item.priority", "priority", ordering="item__priority")
    set_aside_at = column("item.set_aside_at", "set aside")
    public_id = column("item.public_id", "public id")


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
    of_pair = column("item", "pair", show=link)


@admin.register(Recusal)
class RecusalAdmin(ReadOnly, LargeTable):
    list_display = ("annotator", "reason", "of_pair")
    list_select_related = ("annotator", "item")
    list_filter = ("item__project", "reason")
    search_fields = ("item__public_id", "annotator__username")
    search_help_text = "The public id of a pair, or a person"
    of_pair = column("item", "item", show=link)


def _steps(pair: SentencePair) -> list[tuple[str, object]]:
    """Return the rows that the pair was derived from, latest first, each with a label."""
    steps: list[tuple[str, object]] = [("judged", link(pair.sentence2))]
    if pair.origin_id and (correction := Correction.objects.filter(pk=pair.origin_id).first()):
        steps.append((f"corrected by {correction.annotator}", link(correction)))
    return steps + _steps_from_source(pair.sentence2)


def _steps_from_source(sentence: Sentence) -> list[tuple[str, object]]:
    """Follow each rewrite back to the source; a source may itself be a rewrite."""
    steps: list[tuple[str, object]] = []
    while candidate := sentence.candidate:
        steps.append((f"{candidate.run}", link(candidate)))
        sentence = candidate.sentence
        steps.append(("of", link(sentence)))
    return [*steps, ("from the corpus", link(sentence.corpus))]
