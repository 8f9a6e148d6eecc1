"""REST endpoints for corpora. The annotation app sets which corpora a person may read."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from common.api.endpoints import DetailEndpoint, Endpoint, ListEndpoint
from common.api.paging import Pages
from generation import selectors
from generation.models import Corpus, GenerationRun, Sentence

EXAMPLE = {
    "name": "rivers",
    "language": "en",
    "licence": "CC BY-SA 4.0",
    "description": "Introductions of articles about rivers",
    "sentences": 20000,
    "runs": 2,
    "created_at": "2026-11-02T08:00:00Z",
}

SENTENCE = {
    "id": "8d3a9f5c-77a1-4c5e-8a07-0f3a4f3c9d21",
    "text": "The boats sail from Bristol to Cork.",
    "id_in_file": "12-3",
    "line": 31,
    "entity": "",
    "group": "12",
    "near_duplicate_of": None,
}


@extend_schema_serializer(examples=[OpenApiExample("A corpus", EXAMPLE)])
class CorpusRow(serializers.ModelSerializer[Corpus]):
    """A corpus with its number of sentences and runs."""

    sentences = serializers.IntegerField(help_text="Sentences imported into the corpus")
    runs = serializers.IntegerField(help_text="Runs of it in your projects")

    class Meta:
        model = Corpus
        fields = ["name", "language", "licence", "description", "sentences", "runs", "created_at"]


class ByName(Pages):
    """Pages by name: the name of a corpus is its only id and never changes."""

    key = {"name": serializers.CharField(max_length=100)}
    key_schema = {"type": "string", "maxLength": 100, "minLength": 1}


class OfReadableCorpora(Endpoint):
    """An endpoint over the corpora that a person may read: none until `readable` is set.

    `runs` are those that the person may read.
    """

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = CorpusRow
    queryset = Corpus.objects.none()
    readable: Callable[[Any], QuerySet[Corpus]] = staticmethod(lambda _: Corpus.objects.none())
    runs: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(
        lambda _: GenerationRun.objects.none()
    )

    def get_queryset(self) -> QuerySet[Corpus]:
        user = self.request.user
        return selectors.annotate_corpora(self.readable(user), self.runs(user))


class CorpusList(OfReadableCorpora, ListEndpoint):
    """The corpora that you own or that your projects have, by name."""

    pagination_class = ByName


class CorpusDetail(OfReadableCorpora, DetailEndpoint):
    """A corpus with its number of sentences and runs."""

    lookup_field = "name"


@extend_schema_serializer(examples=[OpenApiExample("A sentence", SENTENCE)])
class SentenceRow(serializers.ModelSerializer[Sentence]):
    """A sentence imported into a corpus."""

    id = serializers.UUIDField(source="public_id")
    id_in_file = serializers.CharField(source="external_id", help_text="Empty if it had no id")
    near_duplicate_of = serializers.UUIDField(
        source="near_duplicate_of.public_id",
        allow_null=True,
        default=None,
        help_text="The first sentence of the corpus that is nearly identical to it",
    )

    class Meta:
        model = Sentence
        fields = list(SENTENCE)


class SentenceList(ListEndpoint):
    """The sentences imported into a corpus, in the order of its files."""

    tag = "Corpora and runs"
    scope = Scope.READ
    readable: Callable[[Any], QuerySet[Corpus]] = staticmethod(lambda _: Corpus.objects.none())
    serializer_class = SentenceRow
    queryset = Sentence.objects.none()

    def get_queryset(self) -> QuerySet[Sentence]:
        corpus = get_object_or_404(self.readable(self.request.user), name=self.kwargs["name"])
        return selectors.sources(corpus.pk).select_related("near_duplicate_of")
