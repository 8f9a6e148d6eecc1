"""REST endpoints for corpora. The annotation app sets which corpora a person may read."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from common.api.endpoints import DetailEndpoint, Endpoint, ListEndpoint
from common.api.paging import Pages
from generation import selectors
from generation.models import Corpus, GenerationRun

EXAMPLE = {
    "name": "rivers",
    "language": "en",
    "licence": "CC BY-SA 4.0",
    "description": "Introductions of articles about rivers",
    "sentences": 20000,
    "runs": 2,
    "created_at": "2026-11-02T08:00:00Z",
}


@extend_schema_serializer(examples=[OpenApiExample("A corpus", EXAMPLE)])
class CorpusRow(serializers.ModelSerializer[Corpus]):
    """A corpus with its number of sentences and runs."""

    sentences = serializers.IntegerField(help_text="Sentences that came with the corpus")
    runs = serializers.IntegerField(help_text="Runs that rewrote it, of your projects")

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
        return selectors.of_corpora(self.readable(user), self.runs(user))


class CorpusList(OfReadableCorpora, ListEndpoint):
    """The corpora of the projects that you manage or research, oldest first."""

    pagination_class = ByName


class CorpusDetail(OfReadableCorpora, DetailEndpoint):
    """A corpus with its number of sentences and runs."""

    lookup_field = "name"
