"""REST endpoints for runs. The annotation app sets which runs a person may read."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.models import User
from accounts.scopes import Scope
from common.api.endpoints import DetailEndpoint, ListEndpoint
from generation import selectors, tables
from generation.models import Batch, GenerationRun
from generation.services import run_control
from generation.services.run_control import Action

MOST_PARKED = 20
SUMMARY = {
    "id": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11",
    "corpus": "rivers",
    "method": "word_swap",
    "state": "running",
    "preview": False,
    "seed": 7,
    "created_at": "2026-11-02T08:00:00Z",
    "finished_at": None,
}
COUNTS = {"sentences": 20000, "sentences_done": 12500, "batches_parked": 1}
WHOLE = SUMMARY | {
    "queue": "cpu",
    "pairs_of": [],
    "settings": {"beam": 100},
    "models": {"language_model": {"name": "kneser-ney", "sha256": "9f86d081884c7d65"}},
    "actions": ["pause", "cancel"],
    "progress": {
        "total": 20000,
        "done": 12500,
        "open_batches": 15,
        "parked_batches": 1,
        "rate": 42.5,
        "seconds_left": 176.4,
    },
    "outcomes": {"accepted": 9100, "too short": 3400},
    "parked": [{"number": 7, "size": 500, "reason": "The model is missing."}],
}


def none_of_them(_reader: User | AnonymousUser) -> QuerySet[GenerationRun]:
    """Return no rows: the default until `readable` is set."""
    return GenerationRun.objects.none()


class RunSummary(serializers.ModelSerializer[GenerationRun]):
    """The fields that run lists and single runs share."""

    id = serializers.UUIDField(source="public_id")
    corpus = serializers.CharField(source="corpus.name")
    preview = serializers.BooleanField(
        help_text="Only the first sentences are worked, until the run is approved"
    )

    class Meta:
        model = GenerationRun
        fields = [
            "id",
            "corpus",
            "method",
            "state",
            "preview",
            "seed",
            "created_at",
            "finished_at",
        ]


@extend_schema_serializer(examples=[OpenApiExample("A run", WHOLE)])
class RunWhole(RunSummary):
    """A run with its progress and everything needed to repeat it."""

    class RunProgress(serializers.Serializer[selectors.Progress]):
        total = serializers.IntegerField(help_text="Sentences of all batches")
        done = serializers.IntegerField(help_text="Sentences of finished batches")
        open_batches = serializers.IntegerField()
        parked_batches = serializers.IntegerField(help_text="Batches that failed three times")
        rate = serializers.FloatField(allow_null=True, help_text="Sentences a second")
        seconds_left = serializers.FloatField(allow_null=True)

    class ParkedBatch(serializers.ModelSerializer[Batch]):
        reason = serializers.CharField(source="error")

        class Meta:
            model = Batch
            fields = ["number", "size", "reason"]

    actions = serializers.SerializerMethodField(help_text="What can be asked of the run at present")
    progress = serializers.SerializerMethodField()
    outcomes = serializers.SerializerMethodField(
        help_text="Sentences by what came of them: accepted, or the reason why nothing did"
    )
    parked = serializers.SerializerMethodField(
        help_text=f"The first {MOST_PARKED} batches that failed three times"
    )
    pairs_of = serializers.SlugRelatedField[Any](
        slug_field="public_id",
        many=True,
        read_only=True,
        help_text="Runs of which both sentences of each pair are rewritten; none: the sources",
    )
    settings = serializers.DictField()
    models = serializers.DictField(
        source="model_identities", help_text="Name and revision or SHA-256 of each model"
    )

    class Meta(RunSummary.Meta):
        fields = [
            *RunSummary.Meta.fields,
            "queue",
            "pairs_of",
            "settings",
            "models",
            "actions",
            "progress",
            "outcomes",
            "parked",
        ]

    def get_actions(self, run: GenerationRun) -> list[Action]:
        return run_control.possible(run)

    @extend_schema_field(RunProgress)
    def get_progress(self, run: GenerationRun) -> dict[str, Any]:
        return dict(self.RunProgress(selectors.progress(run)).data)

    def get_outcomes(self, run: GenerationRun) -> dict[str, int]:
        return selectors.funnel(run)

    @extend_schema_field(ParkedBatch(many=True))
    def get_parked(self, run: GenerationRun) -> list[Any]:
        return list(self.ParkedBatch(selectors.parked(run)[:MOST_PARKED], many=True).data)


@extend_schema_serializer(examples=[OpenApiExample("A run", SUMMARY | COUNTS)])
class RunRow(RunSummary):
    """A run in a list, with its counts."""

    sentences = serializers.IntegerField(help_text="Sentences of all batches")
    sentences_done = serializers.IntegerField(help_text="Sentences of finished batches")
    batches_parked = serializers.IntegerField(help_text="Batches that failed three times")

    class Meta(RunSummary.Meta):
        fields = [*RunSummary.Meta.fields, "sentences", "sentences_done", "batches_parked"]


class RunList(ListEndpoint):
    """The runs of the projects that you manage or research, oldest first."""

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = RunRow
    queryset = GenerationRun.objects.none()
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    def get_queryset(self) -> QuerySet[GenerationRun]:
        return tables.of_runs(self.readable(self.request.user)).select_related("corpus")


class RunDetail(DetailEndpoint):
    """A run with its settings, models, progress and outcomes."""

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = RunWhole
    queryset = GenerationRun.objects.none()
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    def get_queryset(self) -> QuerySet[GenerationRun]:
        return self.readable(self.request.user).select_related("corpus")
