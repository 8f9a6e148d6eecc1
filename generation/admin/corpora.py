"""Admin pages for corpora and their sentences."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from common.admin import LargeTable, ModelAdmin, ReadOnly, excerpt, link, listing
from generation import tables
from generation.models import Candidate, Corpus, GenerationRun, Sentence


@admin.register(Corpus)
class CorpusAdmin(ModelAdmin):
    """Edits the metadata of a corpus. Import its sentences with `manage.py import_sentences`."""

    list_display = ("name", "language", "licence", "sentences", "runs", "created_at")
    search_fields = ("name", "licence", "description")
    list_filter = ("language",)
    readonly_fields = ("created_at", "sentences", "runs")
    fields = ("name", "language", "licence", "description", *readonly_fields)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Corpus]:
        return tables.of_corpora(super().get_queryset(request))

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
    """Filters by origin: imported with a corpus, or final text of a candidate."""

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
    fields = (
        "text",
        "corpus",
        "group",
        "external_id",
        "rewrite_of",
        "final_text_of",
        "rewrites",
        "public_id",
        "created_at",
    )
    readonly_fields = ("rewrite_of", "final_text_of", "rewrites", "public_id")

    @admin.display(description="sentence")
    def text_begins(self, sentence: Sentence) -> str:
        return excerpt(sentence.text)

    @admin.display(description="rewrite of")
    def rewrite_of(self, sentence: Sentence) -> str:
        return link(sentence.candidate.sentence) if sentence.candidate else "–"

    @admin.display(description="final text of the candidate")
    def final_text_of(self, sentence: Sentence) -> str:
        return link(sentence.candidate)

    @admin.display(description="candidates")
    def rewrites(self, sentence: Sentence) -> str:
        return listing(Candidate, "Its rewrites", sentence__id__exact=sentence.pk)
