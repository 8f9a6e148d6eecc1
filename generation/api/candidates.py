"""REST endpoint for the candidates of a run."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from common.api.endpoints import ListEndpoint
from common.api.filters import Filters, Known, Whole
from common.api.paging import Pages
from generation import selectors
from generation.api.runs import OfReadableRuns
from generation.models import Candidate

CANDIDATE = {
    "id": "2c1f0d0e-6a3b-4f0e-9b52-1f8f3f6a7b10",
    "sentence": "8d3a9f5c-77a1-4c5e-8a07-0f3a4f3c9d21",
    "source": "The boats sail from Bristol to Cork.",
    "text": "The boats sail from Cork to Bristol.",
    "kind": "named entity",
    "rank": 0,
    "score": -41.2,
    "source_score": -40.7,
    "probability": 0.81,
    "paraphrase": 0.23,
    "similarity": 1.0,
    "inversion_rate": 0.14,
    "batch": 3,
}


@extend_schema_serializer(examples=[OpenApiExample("A candidate", CANDIDATE)])
class CandidateRow(serializers.ModelSerializer[Candidate]):
    """A machine-generated rewrite of a sentence, with its measures."""

    id = serializers.UUIDField(source="public_id")
    sentence = serializers.UUIDField(
        source="sentence.public_id", help_text="The id of the rewritten sentence"
    )
    source = serializers.CharField(source="sentence.text", help_text="Its text")  # type: ignore[assignment]
    batch = serializers.IntegerField(source="batch.number")

    class Meta:
        model = Candidate
        fields = list(CANDIDATE)


class CandidateFilter(Filters):
    """Filters of the list of candidates, all of which have the models of their run."""

    kind = Known("kind", most=40, help_text="Kind of change")
    rank = Whole("rank", least=0, most=2**15 - 1, help_text="0: only the best of each sentence")


class InOrderOfCorpus(Pages):
    """Orders candidates by sentence, then by rank."""

    order = ("sentence_id", "rank")


class CandidateList(OfReadableRuns, ListEndpoint):
    """The candidates of a run, in corpus order. They appear as each batch is finished."""

    serializer_class = CandidateRow
    filterset_class = CandidateFilter
    pagination_class = InOrderOfCorpus
    queryset = Candidate.objects.none()

    def get_queryset(self) -> QuerySet[Candidate]:
        readable = self.readable(self.request.user)
        run = get_object_or_404(readable, public_id=self.kwargs["public_id"])
        return selectors.candidates(run).select_related("batch")
