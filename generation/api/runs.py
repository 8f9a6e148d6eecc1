"""Runs over REST. Which of them a person may read is told by the room that knows studies."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from generation import selectors, tables
from generation.api.reading import REFUSED, PageQuery, Reading, page, paged
from generation.models import Batch, GenerationRun
from generation.services import steering
from generation.services.steering import Action

MOST_PARKED = 20


def none_of_them(_reader: User | AnonymousUser) -> QuerySet[GenerationRun]:
    """What is readable until somebody says otherwise."""
    return GenerationRun.objects.none()


class RunSummary(serializers.ModelSerializer[GenerationRun]):
    """What a list of runs and the page of one begin with."""

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


class RunWhole(RunSummary):
    """A run with everything that is needed to repeat it, and with how far it is."""

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
        return steering.possible(run)

    @extend_schema_field(RunProgress)
    def get_progress(self, run: GenerationRun) -> dict[str, Any]:
        return dict(self.RunProgress(selectors.progress(run)).data)

    def get_outcomes(self, run: GenerationRun) -> dict[str, int]:
        return selectors.funnel(run)

    @extend_schema_field(ParkedBatch(many=True))
    def get_parked(self, run: GenerationRun) -> list[Any]:
        return list(self.ParkedBatch(selectors.parked(run)[:MOST_PARKED], many=True).data)


class RunList(Reading):
    """Runs that a project of the reader has adopted."""

    class RunRow(RunSummary):
        sentences = serializers.IntegerField(help_text="Sentences of all batches")
        sentences_done = serializers.IntegerField(help_text="Sentences of finished batches")
        batches_parked = serializers.IntegerField(help_text="Batches that failed three times")

        class Meta(RunSummary.Meta):
            fields = [*RunSummary.Meta.fields, "sentences", "sentences_done", "batches_parked"]

    query_class = PageQuery
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @extend_schema(operation_id="runs_list", parameters=[PageQuery], responses=paged(RunRow))
    def get(self, request: Request) -> Response:
        """The runs of the projects that you manage or research, oldest first."""
        rows = tables.of_runs(self.readable(request.user)).select_related("corpus")
        return page(self, rows, self.RunRow)


class RunDetail(Reading):
    """One run with everything that is needed to repeat it."""

    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @extend_schema(operation_id="runs_read", responses={200: RunWhole, **REFUSED})
    def get(self, request: Request, public_id: str) -> Response:
        """A run: its settings and models, how far it is, and what came of its sentences."""
        rows = self.readable(request.user).select_related("corpus")
        return Response(RunWhole(get_object_or_404(rows, public_id=public_id)).data)
