"""REST endpoint for the candidates of a run."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from common.api.endpoints import ListEndpoint
from common.api.paging import Pages
from generation import selectors
from generation.api.runs import none_of_them
from generation.models import Candidate, GenerationRun

EXAMPLE = {
    "id": "2c1f0d0e-6a3b-4f0e-9b52-1f8f3f6a7b10",
    "sentence": "8d3a9f5c-77a1-4c5e-8a07-0f3a4f3c9d21",
    "source": "The boats sail from Bristol to Cork.",
    "text": "The boats sail from Cork to Bristol.",
    "kind": "named entity",
    "rank": 0,
    "score": -41.2,
    "source_score": -40.7,
    "similarity": 1.0,
    "inversion_rate": 0.14,
    "batch": 3,
}


@extend_schema_serializer(examples=[OpenApiExample("A candidate", EXAMPLE)])
class CandidateRow(serializers.ModelSerializer[Candidate]):
    """A machine-generated rewrite of a sentence, with its measures."""

    id = serializers.UUIDField(source="public_id")
    sentence = serializers.UUIDField(
        source="sentence.public_id", help_text="The id of what was rewritten"
    )
    source = serializers.CharField(  # type: ignore[assignment]
        source="sentence.text", help_text="Its text"
    )
    batch = serializers.IntegerField(source="batch.number")

    class Meta:
        model = Candidate
        fields = [
            "id",
            "sentence",
            "source",
            "text",
            "kind",
            "rank",
            "score",
            "source_score",
            "similarity",
            "inversion_rate",
            "batch",
        ]


class InOrderOfCorpus(Pages):
    """Orders candidates by sentence, then by rank."""

    order = ("sentence_id", "rank")


class CandidateList(ListEndpoint):
    """The candidates of a run, in corpus order. They appear as each batch is finished."""

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = CandidateRow
    pagination_class = InOrderOfCorpus
    queryset = Candidate.objects.none()
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @cached_property
    def run(self) -> GenerationRun:
        """The run in the address. Raises Http404."""
        runs = self.readable(self.request.user)
        return get_object_or_404(runs, public_id=self.kwargs["public_id"])

    def get_queryset(self) -> QuerySet[Candidate]:
        return selectors.candidates(self.run).select_related("batch")
