"""REST endpoints for corpora. The annotation app sets which corpora a person may read."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.models import User
from accounts.scopes import Scope
from common.api.endpoints import DetailEndpoint, ListEndpoint
from common.api.paging import Pages
from generation import selectors
from generation.models import Corpus

EXAMPLE = {
    "name": "rivers",
    "language": "en",
    "licence": "CC BY-SA 4.0",
    "description": "Introductions of articles about rivers",
    "sentences": 20000,
    "runs": 2,
    "created_at": "2026-11-02T08:00:00Z",
}


def none_of_them(_reader: User | AnonymousUser) -> QuerySet[Corpus]:
    """Return no rows: the default until `readable` is set."""
    return Corpus.objects.none()


@extend_schema_serializer(examples=[OpenApiExample("A corpus", EXAMPLE)])
class CorpusRow(serializers.ModelSerializer[Corpus]):
    """A corpus with its number of sentences and runs."""

    sentences = serializers.IntegerField(help_text="Sentences that came with the corpus")
    runs = serializers.IntegerField(help_text="Runs that rewrote it, of any project")

    class Meta:
        model = Corpus
        fields = ["name", "language", "licence", "description", "sentences", "runs", "created_at"]


class ByName(Pages):
    """Pages by name: the name of a corpus is its only id and never changes."""

    key = {"name": serializers.CharField(max_length=100)}
    key_schema = {"type": "string", "maxLength": 100, "minLength": 1}


class CorpusList(ListEndpoint):
    """The corpora of the projects that you manage or research, oldest first."""

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = CorpusRow
    pagination_class = ByName
    queryset = Corpus.objects.none()
    readable: Callable[[Any], QuerySet[Corpus]] = staticmethod(none_of_them)

    def get_queryset(self) -> QuerySet[Corpus]:
        return selectors.of_corpora(self.readable(self.request.user))


class CorpusDetail(DetailEndpoint):
    """A corpus with its number of sentences and runs."""

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = CorpusRow
    lookup_field = "name"
    queryset = Corpus.objects.none()
    readable: Callable[[Any], QuerySet[Corpus]] = staticmethod(none_of_them)

    def get_queryset(self) -> QuerySet[Corpus]:
        return selectors.of_corpora(self.readable(self.request.user))
