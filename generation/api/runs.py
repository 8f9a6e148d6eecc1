"""REST endpoints for runs and their candidates; the annotation app sets who may read them."""

from collections.abc import Callable
from typing import Any, TypeAlias

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from common.api.endpoints import (
    CheckedJSONParser,
    DetailEndpoint,
    Endpoint,
    ListEndpoint,
    sent_values,
)
from common.api.errors import CLOSED, Conflict, RefusalResponse
from common.api.filters import Choice, Filters, Known
from generation import selectors, tasks, usage_figures
from generation.api.filters import ByModel
from generation.api.usage import Limits, Spending
from generation.errors import BadLimit, NotNow
from generation.models import Batch, GenerationRun, Method
from generation.services import runs
from generation.services.runs import Action
from generation.shapes import Shape, shapes_of

Runs: TypeAlias = Callable[[Any], QuerySet[GenerationRun]]

MOST_PARKED = 20
WAITS = "Its preview is done and waits until the run is approved or cancelled"
SUMMARY = {
    "id": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11",
    "corpus": "rivers",
    "method": "word_swap",
    "state": "running",
    "preview": False,
    "preview_sentences": 0,
    "seed": 7,
    "created_at": "2026-11-02T08:00:00Z",
    "finished_at": None,
    "settings": {"beam": 100},
}
COUNTS = {
    "sentences": 20000,
    "sentences_done": 12500,
    "sentences_accepted": 9100,
    "batches_parked": 1,
    "awaits_approval": False,
}
WHOLE = SUMMARY | {
    "queue": "cpu",
    "pairs_of": [],
    "models": {"language_model": {"name": "kneser-ney", "sha256": "9f86d081884c7d65"}},
    "awaits_approval": False,
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
    "dropped": {"contained": 5, "typos": 4},
    "shapes": [{"kind": "adverbial", "is_rotation": True, "candidates": 1380, "share": 0.65}],
    "parked": [{"number": 7, "size": 500, "reason": "The model is missing."}],
    "most_tokens": None,
    "most_cost": None,
    "usage": None,
    "paused_because": "",
    "waits_until": None,
    "repeatable": True,
}
ACTION = OpenApiParameter(
    "action", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[action.value for action in Action]
)
NOT_A_MANAGER = "Only managers of a project that adopted the run may steer it."


class OfReadableRuns(Endpoint):
    """An endpoint over the runs that a person may read: none until `readable` is set."""

    tag = "Corpora and runs"
    scope = Scope.READ
    queryset: Any = GenerationRun.objects.none()
    readable: Runs = staticmethod(lambda _reader: GenerationRun.objects.none())


class RunSummary(serializers.ModelSerializer[GenerationRun]):
    """The fields that run lists and single runs share."""

    id = serializers.UUIDField(source="public_id")
    corpus = serializers.CharField(source="corpus.name")
    preview = serializers.BooleanField(
        help_text="Only the first sentences are rewritten until the run is approved"
    )
    preview_sentences = serializers.SerializerMethodField(
        help_text="Sentences that its preview has read so far; 0 once it is approved"
    )

    settings = serializers.DictField()

    class Meta:
        model = GenerationRun
        fields = list(SUMMARY)

    def get_preview_sentences(self, run: Any) -> int:
        return selectors.progress(run).done if run.preview else 0


@extend_schema_serializer(examples=[OpenApiExample("A run", WHOLE)])
class RunWhole(Spending, RunSummary):
    """A run with its progress and everything needed to repeat it."""

    class RunProgress(serializers.Serializer[selectors.Progress]):
        total = serializers.IntegerField(help_text="Sentences of all batches")
        done = serializers.IntegerField(help_text="Sentences of finished batches")
        open_batches = serializers.IntegerField()
        parked_batches = serializers.IntegerField(help_text="Batches that failed three times")
        rate = serializers.FloatField(allow_null=True, help_text="Sentences per second")
        seconds_left = serializers.FloatField(allow_null=True)

    class RunShape(serializers.Serializer[Shape]):
        kind = serializers.CharField(help_text="Kind of change")
        is_rotation = serializers.BooleanField(
            help_text="Whether a part of the sentence went from one end to the other"
        )
        candidates = serializers.IntegerField()
        share = serializers.FloatField(help_text="Expected share of paraphrases, 0 to 1")

    class ParkedBatch(serializers.ModelSerializer[Batch]):
        reason = serializers.CharField(source="error")

        class Meta:
            model = Batch
            fields = ["number", "size", "reason"]

    awaits_approval = serializers.SerializerMethodField(help_text=WAITS)
    actions = serializers.SerializerMethodField(help_text="Actions that the run allows now")
    progress = serializers.SerializerMethodField()
    outcomes = serializers.SerializerMethodField(
        help_text="Sentences by outcome: accepted, or the reason for no candidate"
    )
    dropped = serializers.SerializerMethodField(
        help_text="Pairs that the method left out, by why; empty if it counts none"
    )
    shapes = serializers.SerializerMethodField(
        help_text="Candidates whose paraphrases are estimated (preset balanced), by shape",
    )
    parked = serializers.SerializerMethodField(
        help_text=f"The first {MOST_PARKED} batches that failed three times"
    )
    pairs_of = serializers.SlugRelatedField[Any](
        slug_field="public_id",
        many=True,
        read_only=True,
        help_text="Runs whose pairs are rewritten; empty: sources are rewritten",
    )
    models = serializers.DictField(
        source="model_identities", help_text="Name and revision or SHA-256 of each model"
    )

    paused_because = serializers.SerializerMethodField(
        help_text="Why a worker paused the run, or waits; empty if a person paused it"
    )
    repeatable = serializers.SerializerMethodField(
        help_text="Whether the same settings and seed give the same candidates"
    )

    class Meta(RunSummary.Meta):
        fields = [
            *RunSummary.Meta.fields,
            "queue",
            "pairs_of",
            "models",
            "awaits_approval",
            "actions",
            "progress",
            "outcomes",
            "dropped",
            "shapes",
            "parked",
            "most_tokens",
            "most_cost",
            "usage",
            "paused_because",
            "waits_until",
            "repeatable",
        ]

    def get_awaits_approval(self, run: GenerationRun) -> bool:
        return selectors.awaits_approval(run)

    def get_actions(self, run: GenerationRun) -> list[Action]:
        return runs.possible_actions(run)

    @extend_schema_field(RunProgress)
    def get_progress(self, run: GenerationRun) -> dict[str, Any]:
        return dict(self.RunProgress(selectors.progress(run)).data)

    def get_outcomes(self, run: GenerationRun) -> dict[str, int]:
        return selectors.funnel(run)

    def get_dropped(self, run: GenerationRun) -> dict[str, int]:
        return selectors.dropped(run)

    @extend_schema_field(RunShape(many=True))
    def get_shapes(self, run: GenerationRun) -> list[Any]:
        shapes: Any = shapes_of(run)
        return list(self.RunShape(shapes, many=True).data)

    @extend_schema_field(ParkedBatch(many=True))
    def get_parked(self, run: GenerationRun) -> list[Any]:
        return list(
            self.ParkedBatch(selectors.parked_batches_of(run)[:MOST_PARKED], many=True).data
        )

    def get_paused_because(self, run: GenerationRun) -> str:
        limit = usage_figures.limit_reached(run, selectors.progress(run))
        return limit or run.paused_because

    def get_repeatable(self, run: GenerationRun) -> bool:
        return usage_figures.is_repeatable(run)


@extend_schema_serializer(examples=[OpenApiExample("A run", SUMMARY | COUNTS)])
class RunRow(RunSummary):
    """A run in a list, with its counts."""

    sentences = serializers.IntegerField(help_text="Sentences of all batches")
    sentences_done = serializers.IntegerField(help_text="Sentences of finished batches")
    sentences_accepted = serializers.IntegerField(
        help_text="Sentences with a candidate; the run's `outcomes` says why others have none"
    )
    batches_parked = serializers.IntegerField(help_text="Batches that failed three times")
    awaits_approval = serializers.BooleanField(help_text=WAITS)

    class Meta(RunSummary.Meta):
        fields = [*RunSummary.Meta.fields, *COUNTS]

    def get_preview_sentences(self, run: Any) -> int:
        return int(run.sentences_done) if run.preview else 0


class RunFilter(Filters):
    """Filters of the list of runs."""

    corpus = Known("corpus__name", most=100, help_text="Its name")
    method = Choice("method", choices=Method.choices)
    state = Choice("state", choices=GenerationRun.State.choices)
    model = ByModel("pk")


class RunList(OfReadableRuns, ListEndpoint):
    """The runs of the projects that you manage or research, oldest first."""

    serializer_class = RunRow
    filterset_class = RunFilter

    def get_queryset(self) -> QuerySet[GenerationRun]:
        return selectors.annotate_runs(self.readable(self.request.user)).select_related("corpus")


class RunDetail(OfReadableRuns, DetailEndpoint):
    """A run with its settings, models, progress and outcomes."""

    serializer_class = RunWhole

    def get_queryset(self) -> QuerySet[GenerationRun]:
        return self.readable(self.request.user).select_related("corpus")


class RunSteering(OfReadableRuns, Endpoint):
    """Controls a run. Returns 403 to people who may only read the run, and 404 to all others."""

    scope = Scope.MANAGE
    steerable: Runs = staticmethod(lambda _reader: GenerationRun.objects.none())

    parser_classes = [CheckedJSONParser]

    @extend_schema(
        operation_id="runs_steer",
        parameters=[ACTION],
        request=Limits,
        responses={200: RunWhole, **CLOSED, 409: RefusalResponse},
    )
    def post(self, request: Request, public_id: str, action: str) -> Response:
        """Control a run. Its `actions` lists what its state allows; others return 409.

        Resuming can set limits of a run that asks a model on another server.
        """
        if action not in list(Action):
            raise NotFound
        rows = self.readable(request.user).select_related("corpus")
        run = get_object_or_404(rows, public_id=public_id)
        if not self.steerable(request.user).filter(pk=run.pk).exists():
            raise PermissionDenied(NOT_A_MANAGER)
        limits = sent_values(Limits, request)
        try:
            runs.steer(run, Action(action), by=requester(request), **limits)
        except BadLimit as error:
            raise ValidationError({"non_field_errors": str(error)}, code="invalid") from error
        except NotNow as error:
            raise Conflict(str(error)) from error
        tasks.wake(run.pk)
        return Response(RunWhole(run).data)
