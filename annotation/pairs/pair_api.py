"""One pair over REST, with its history. People are pseudonyms."""

from typing import Any

from django.db.models import QuerySet
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access import readers
from annotation.access.api import PseudonymField
from annotation.models import (
    Adjudication,
    Correction,
    ModelJudgment,
    PairExclusion,
    Project,
    Reopening,
    SentencePair,
)
from annotation.pairs.api import ROW, PairRow
from annotation.pairs.selectors import long_tables
from annotation.projects.label_fields import LabelField, MeanField, OutcomeField, SpreadField
from annotation.work.api import JUDGMENT, JudgmentRow
from common.api.endpoints import DetailEndpoint
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
WHOLE = ROW | {
    "flipped": False,
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "candidate": CANDIDATE,
    "duplicates": [{"candidate": CANDIDATE["run"], "run": CANDIDATE["id"], "method": "word_swap"}],
    "correction": {"action": "fix", "annotator": "annotator-3f2a9c07d1e4", "seconds": 11.8},
    "judgments": [{name: each for name, each in JUDGMENT.items() if name != "pair"}],
    "earlier_rounds": [],
    "adjudication": None,
    "exclusion": None,
    "models": [{"model": "large-judge", "revision": "2026-09", "label": 1, "score": 0.81}],
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
    label = OutcomeField(allow_null=True)  # type: ignore[assignment]
    mean = MeanField(source="tally", allow_null=True)
    spread = SpreadField(source="tally", allow_null=True)
    votes = serializers.ListField(source="tally", child=serializers.IntegerField())
    reopened_at = serializers.DateTimeField(source="created_at")
    because = serializers.UUIDField(
        source="because.public_id",
        allow_null=True,
        help_text="Id of the model whose disagreement was the reason, else null",
    )

    class Meta:
        model = Reopening
        fields = [
            *("round", "label", "mean", "spread", "votes", "decided_at", "reopened_at", "because")
        ]

    def get_round(self, reopening: Reopening) -> int:
        return reopening.number - 1


class PairAdjudication(serializers.ModelSerializer[Adjudication]):
    """An expert decision on a pair that is not kept. It never changes the label."""

    label = OutcomeField(  # type: ignore[assignment]
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
    label = LabelField()  # type: ignore[assignment]

    class Meta:
        model = ModelJudgment
        fields = ["model", "revision", "label", "score"]


@extend_schema_serializer(examples=[OpenApiExample("A pair", WHOLE)])
class PairWhole(PairRow):
    """A pair with its history."""

    project = serializers.UUIDField(source="project.public_id")
    candidate = PairCandidate()
    duplicates = PairDuplicate(many=True)
    correction = PairCorrection(source="origin", allow_null=True)
    judgments = serializers.SerializerMethodField()
    earlier_rounds = EarlierRound(many=True, source="reopenings")
    adjudication = PairAdjudication(
        source="adjudications.last", allow_null=True, help_text="The latest one"
    )
    exclusion = PairExclusionRow(source="excluded_by", allow_null=True)
    models = PairModelJudgment(many=True, source="model_judgments")

    class Meta:
        model = SentencePair
        fields = list(WHOLE)

    @extend_schema_field(PairJudgment(many=True))
    def get_judgments(self, pair: SentencePair) -> list[Any]:
        judgments = long_tables.judgments(pair.project).filter(item=pair.pk).order_by("number")
        return list(PairJudgment(judgments, many=True, context=self.context).data)


class PairDetail(DetailEndpoint):
    """A pair with its history, judgments and model judgments."""

    tag = "Pairs and answers"
    scope = Scope.READ
    serializer_class = PairWhole
    queryset = SentencePair.objects.none()

    def get_queryset(self) -> QuerySet[SentencePair]:
        return long_tables.with_history(readers.pairs(self.request.user))

    def get_object(self) -> SentencePair:
        return self.pair

    @cached_property
    def pair(self) -> SentencePair:
        """The pair in the address. Raises Http404 if there is none."""
        pair: SentencePair = super().get_object()
        return pair

    @property
    def project(self) -> Project:
        """The project, which determines the pseudonyms of its annotators."""
        return self.pair.project
