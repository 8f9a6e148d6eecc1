"""REST endpoint for the leaderboard of a release."""

from typing import Any

from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from common.api.errors import RefusalResponse
from evaluation import board
from evaluation.data import Unusable
from evaluation.selectors import evaluation_of
from releases.api.releases import Download

SPAN = {"mean": 0.762, "low": 0.755, "high": 0.771}
ENTRY = {
    "model": "esim_attention",
    "brought": False,
    "parameters": 454701,
    "seeds": 3,
    "accuracy": SPAN,
    "average_precision": {"mean": 0.771, "low": 0.766, "high": 0.779},
    "f1": {"mean": 0.731, "low": 0.72, "high": 0.744},
    "precision": {"mean": 0.728, "low": 0.719, "high": 0.735},
    "recall": {"mean": 0.734, "low": 0.722, "high": 0.751},
}
EXAMPLE = {
    "release": "6f1c2a9e-0f4b-4d61-8a1e-3d2b7c9a5e40",
    "simulated": False,
    "test": [ENTRY],
    "dev": [],
}


class MeasuredSpan(serializers.Serializer[Any]):
    """A measure as a share: its mean over the seeds, and its lowest and highest value."""

    mean = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class LeaderboardEntry(serializers.Serializer[Any]):
    """A model on a set of the release. Undefined measures are null."""

    model = serializers.CharField()
    brought = serializers.BooleanField(
        source="is_brought", help_text="Predictions that were made elsewhere"
    )
    parameters = serializers.IntegerField(allow_null=True, help_text="null if brought")
    seeds = serializers.IntegerField(allow_null=True, help_text="Fits; null if brought")
    accuracy = MeasuredSpan()
    average_precision = MeasuredSpan(allow_null=True, help_text="AUC-PR")
    f1 = MeasuredSpan(allow_null=True)
    precision = MeasuredSpan(allow_null=True)
    recall = MeasuredSpan(allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("A leaderboard", EXAMPLE)])
class Leaderboard(serializers.Serializer[Any]):
    """The models that were evaluated on a release, on each set the most accurate first."""

    release = serializers.UUIDField()
    simulated = serializers.BooleanField(help_text="Whether programs gave answers in the release")
    test = LeaderboardEntry(many=True)
    dev = LeaderboardEntry(many=True)


class ReleaseEvaluation(Download):
    """The leaderboard of a release."""

    @extend_schema(
        operation_id="releases_evaluation", responses={200: Leaderboard, 410: RefusalResponse}
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return how well models do on a release.

        Has the models that were fitted to its train set, and predictions that were made elsewhere
        and brought. Both lists are empty before the release is evaluated.
        """
        release = self.release()
        try:
            evaluation = evaluation_of(release)
        except Unusable as error:
            raise APIException(str(error)) from error
        boards = {split: board.entries_by_accuracy(evaluation, split) for split in board.TESTED}
        simulated = bool((release.manifest or {}).get("simulated"))
        content = {"release": release.public_id, "simulated": simulated, **boards}
        return Response(Leaderboard(content).data)


urlpatterns = [
    path(
        "releases/<uuid:public_id>/evaluation/",
        ReleaseEvaluation.as_view(),
        name="api_release_evaluation",
    )
]
