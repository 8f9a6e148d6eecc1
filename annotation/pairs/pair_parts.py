"""The parts of one pair over REST: candidate, correction, rounds, and what managers decided."""

from typing import Any

from rest_framework import serializers

from annotation.access.api import PseudonymField
from annotation.models import (
    Adjudication,
    Correction,
    ModelJudgment,
    PairExclusion,
    Reopening,
)
from annotation.work.api import JudgmentRow
from generation.models import Candidate, Method

CANDIDATE = {
    "id": "2c1f0d0e-6a3b-4f0e-9b52-1f8f3f6a7b10",
    "run": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11",
    "text": "The boats sails from Cork to Bristol.",
    "kind": "named entity",
    "rank": 0,
    "score": -41.2,
    "source_score": -40.7,
    "probability": 0.81,
    "similarity": 1.0,
    "inversion_rate": 0.14,
}


class PairCandidate(serializers.ModelSerializer[Candidate]):
    """The rewrite as it was generated."""

    id = serializers.UUIDField(source="public_id")
    run = serializers.UUIDField(source="run.public_id")

    class Meta:
        model = Candidate
        fields = list(CANDIDATE)


class PairDuplicate(serializers.Serializer[Any]):
    """Another candidate that made the same two texts."""

    candidate = serializers.UUIDField(source="candidate.public_id")
    run = serializers.UUIDField(source="candidate.run.public_id")
    method = serializers.ChoiceField(choices=Method.choices, source="candidate.run.method")


class PairCorrection(serializers.ModelSerializer[Correction]):
    """The correction of the rewrite."""

    action = serializers.ChoiceField(choices=Correction.Action.choices)
    annotator = PseudonymField(source="annotator_id")

    class Meta:
        model = Correction
        fields = ["action", "annotator", "seconds"]


class PairJudgment(JudgmentRow):
    """A judgment of the pair."""

    pair = None  # type: ignore[assignment]


class EarlierRound(serializers.ModelSerializer[Reopening]):
    """The decision before the pair was reopened."""

    round = serializers.SerializerMethodField()
    label = serializers.IntegerField(allow_null=True)  # type: ignore[assignment]
    votes = serializers.ListField(source="tally", child=serializers.IntegerField())
    reopened_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Reopening
        fields = ["round", "label", "votes", "decided_at", "reopened_at"]

    def get_round(self, reopening: Reopening) -> int:
        return reopening.number - 1


class PairAdjudication(serializers.ModelSerializer[Adjudication]):
    """An expert decision on a pair that is not kept. It never changes the label."""

    label = serializers.IntegerField(  # type: ignore[assignment]
        allow_null=True, help_text="null: the expert can't decide"
    )
    decided_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Adjudication
        fields = ["label", "note", "decided_at"]


class PairExclusionRow(serializers.ModelSerializer[PairExclusion]):
    """Why a pair is excluded."""

    reason = serializers.ChoiceField(choices=PairExclusion.Reason.choices)
    excluded_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = PairExclusion
        fields = ["reason", "note", "excluded_at"]


class PairModelJudgment(serializers.ModelSerializer[ModelJudgment]):
    """A model judgment of the pair."""

    model = serializers.CharField(source="model.name")
    revision = serializers.CharField(source="model.revision")
    label = serializers.IntegerField()  # type: ignore[assignment]

    class Meta:
        model = ModelJudgment
        fields = ["model", "revision", "label", "score"]
