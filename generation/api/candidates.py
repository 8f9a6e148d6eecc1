"""Candidates over REST: what a run made of its sentences, with all that it was measured by."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from generation import selectors
from generation.api.reading import PageQuery, Reading, page, paged
from generation.api.runs import none_of_them
from generation.models import Candidate, GenerationRun


class CandidateList(Reading):
    """The candidates of one run, which holds the settings, the seed and the models of all."""

    class CandidateRow(serializers.ModelSerializer[Candidate]):
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

    query_class = PageQuery
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @extend_schema(
        operation_id="run_candidates_list", parameters=[PageQuery], responses=paged(CandidateRow)
    )
    def get(self, request: Request, public_id: str) -> Response:
        """What a run has made, in the order of the corpus; each batch at once, when it is done."""
        run = get_object_or_404(self.readable(request.user), public_id=public_id)
        rows = selectors.candidates(run).select_related("batch")
        return page(self, rows, self.CandidateRow, order=("sentence_id", "rank"))
