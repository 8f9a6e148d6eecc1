"""Admin pages of corpora, sentences, runs, batches and candidates; runs start elsewhere."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from common.admin import (
    LargeTable,
    ModelAdmin,
    OffersDeletion,
    ReadOnly,
    column,
    excerpt,
    link,
    listing,
)
from generation import selectors
from generation.models import Batch, Candidate, Corpus, GenerationRun, Reply, Sentence
from generation.nlp.phrases import Kind


@admin.register(Corpus)
class CorpusAdmin(OffersDeletion):
    """Edits the metadata of a corpus. Import its sentences with `manage.py import_sentences`."""

    list_display = ("name", "language", "licence", "owner", "sentences", "runs", "created_at")
    autocomplete_fields = ("owner",)
    search_fields = ("name", "licence", "description")
    list_filter = ("language",)
    readonly_fields = ("created_at", "sentences", "runs")
    list_select_related = ("owner",)
    fields = ("name", "language", "licence", "description", "owner", *readonly_fields)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Corpus]:
        return selectors.annotate_corpora(
            super().get_queryset(request), GenerationRun.objects.all()
        )

    @admin.display(description="sentences")
    def sentences(self, corpus: Any) -> str:
        if corpus.pk is None:
            return "–"
        return listing(
            Sentence, f"{corpus.sentences:,}", corpus__id__exact=corpus.pk, origin="source"
        )

    @admin.display(description="runs")
    def runs(self, corpus: Any) -> str:
        if corpus.pk is None:
            return "–"
        return listing(GenerationRun, corpus.runs, corpus__id__exact=corpus.pk)


class OriginFilter(admin.SimpleListFilter):
    title = "origin"
    parameter_name = "origin"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("source", "came with its corpus"), ("rewrite", "final text of a candidate")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in ("source", "rewrite"):
            return queryset.filter(candidate__isnull=self.value() == "source")
        return queryset


@admin.register(Sentence)
class SentenceAdmin(ReadOnly, LargeTable):
    list_display = ("text_begins", "corpus", "rewrite_of", "group", "external_id")
    list_select_related = ("corpus", "candidate__sentence")
    list_filter = (OriginFilter, "corpus")
    search_fields = ("public_id", "external_id", "text")
    search_help_text = "A public id, an id of the file, or words of the text"
    readonly_fields = ("rewrite_of", "rewrites", "public_id", "created_at")
    text_begins = column("text", "sentence", show=excerpt)
    rewrite_of = column("candidate.sentence", "rewrite of", show=link)

    @admin.display(description="candidates")
    def rewrites(self, sentence: Sentence) -> str:
        return listing(Candidate, "Its rewrites", sentence__id__exact=sentence.pk)


@admin.register(Batch)
class BatchAdmin(ReadOnly, LargeTable):
    list_display = ("number", "of_run", "state", "size", "attempts", "lease_until", "why")
    list_select_related = ("run__corpus",)
    list_filter = ("state", "run__method", "run__corpus")
    search_fields = ("error",)
    search_help_text = "Words of the error"
    readonly_fields = ("candidates",)
    of_run = column("run", "run", show=link)
    why = column("error", "error", show=excerpt)

    @admin.display(description="candidates")
    def candidates(self, batch: Batch) -> str:
        return listing(Candidate, "Its candidates", batch__id__exact=batch.pk)


class KindFilter(admin.SimpleListFilter):
    """Filters by kind of change in word swaps. The kinds are listed here to avoid a table scan."""

    title = "kind of change"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind.value, kind.value.replace("_", " ")) for kind in Kind]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Candidate)
class CandidateAdmin(ReadOnly, LargeTable):
    list_display = ("text_begins", "rewrite_of", "of_run", "kind", "loss", "inversion_rate")
    list_select_related = ("run__corpus", "sentence")
    list_filter = ("run__method", KindFilter, "run__corpus")
    search_fields = ("public_id", "text")
    search_help_text = "A public id, or words of the text"
    readonly_fields = ("public_id",)
    text_begins = column("text", "candidate", show=excerpt)
    rewrite_of = column("sentence", "rewrite of", show=link)
    of_run = column("run", "run", show=link)

    @admin.display(description="log likelihood lost")
    def loss(self, candidate: Candidate) -> str:
        lost = selectors.loss(candidate)
        return "–" if lost is None else f"{lost:z.1f}"


@admin.register(Reply)
class ReplyAdmin(ReadOnly, LargeTable):
    list_display = ("text_begins", "model", "finish", "tokens_in", "tokens_out", "created_at")
    search_fields = ("digest", "spent_by")
    search_help_text = "A digest, or the public id of a run"
    text_begins = column("text", "reply", show=excerpt)


@admin.register(GenerationRun)
class RunAdmin(ReadOnly, ModelAdmin):
    list_display = ("run", "method", "corpus", "condition", "done", "parked", "created_at")
    list_select_related = ("corpus",)
    list_filter = ("state", "preview", "method", "corpus")
    list_per_page = 50
    search_fields = ("public_id", "corpus__name")
    fields = (
        "corpus",
        "method",
        "condition",
        "done",
        "parked",
        "queue",
        "seed",
        "configuration",
        "models",
        "most_tokens",
        "used",
        "paused_because",
        "waits_until",
        "pairs_of",
        "started_by",
        "created_at",
        "finished_at",
        "public_id",
    )
    readonly_fields = (
        *("condition", "done", "parked", "configuration", "models", "used", "public_id"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[GenerationRun]:
        return selectors.annotate_runs(super().get_queryset(request))

    run = column("pk", "run", show="#{}".format, ordering="pk")

    @admin.display(description="state", ordering="state")
    def condition(self, run: GenerationRun) -> str:
        return f"{run.state}, preview" if run.preview else run.state

    @admin.display(description="sentences done")
    def done(self, run: Any) -> str:
        share = run.sentences_done / run.sentences if run.sentences else 1
        text = f"{run.sentences_done:,} of {run.sentences:,} ({share:.0%})"
        return listing(Batch, text, run__id__exact=run.pk)

    @admin.display(description="batches parked")
    def parked(self, run: Any) -> str:
        if not run.batches_parked:
            return "–"
        parked = Batch.State.PARKED
        return listing(Batch, run.batches_parked, run__id__exact=run.pk, state__exact=parked)

    @admin.display(description="settings")
    def configuration(self, run: GenerationRun) -> str:
        return _lines(run.settings)

    @admin.display(description="models")
    def models(self, run: GenerationRun) -> str:
        return _lines({part: _format_value(model) for part, model in run.model_identities.items()})

    @admin.display(description="tokens used")
    def used(self, run: GenerationRun) -> str:
        text = f"{run.tokens_used:,}"
        return listing(Reply, text, q=str(run.public_id)) if run.usage else "–"


def _lines(named: dict[str, Any]) -> str:
    lines = ((name, _format_value(value)) for name, value in named.items())
    return format_html_join("", '<div class="run-line">{} = {}</div>', lines) or "–"


def _format_value(value: Any) -> str:
    """Format a value, such as “name, date” or “name gpt2, revision 3f2a”."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value) or "–"
