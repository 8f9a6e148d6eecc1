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
from generation.models import GenerationRun


def none_of_them(_reader: User | AnonymousUser) -> QuerySet[GenerationRun]:
    """What is readable until somebody says otherwise."""
    return GenerationRun.objects.none()


class RunList(Reading):
    """Runs that a project of the reader has adopted."""

    class RunRow(serializers.ModelSerializer[GenerationRun]):
        id = serializers.UUIDField(source="public_id")
        corpus = serializers.CharField(source="corpus.name")
        sentences = serializers.IntegerField(help_text="Sentences of all batches")
        sentences_done = serializers.IntegerField(help_text="Sentences of finished batches")
        batches_parked = serializers.IntegerField(help_text="Batches that failed three times")

        class Meta:
            model = GenerationRun
            fields = [
                "id",
                "corpus",
                "method",
                "state",
                "seed",
                "sentences",
                "sentences_done",
                "batches_parked",
                "created_at",
                "finished_at",
            ]

    query_class = PageQuery
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @extend_schema(operation_id="runs_list", parameters=[PageQuery], responses=paged(RunRow))
    def get(self, request: Request) -> Response:
        """The runs of the projects that you manage or research, oldest first."""
        rows = tables.of_runs(self.readable(request.user)).select_related("corpus")
        return page(self, rows, self.RunRow)


class RunDetail(Reading):
    """One run with everything that is needed to repeat it."""

    class RunWhole(serializers.ModelSerializer[GenerationRun]):
        class RunProgress(serializers.Serializer[selectors.Progress]):
            total = serializers.IntegerField(help_text="Sentences of all batches")
            done = serializers.IntegerField(help_text="Sentences of finished batches")
            open_batches = serializers.IntegerField()
            parked_batches = serializers.IntegerField(help_text="Batches that failed three times")
            rate = serializers.FloatField(allow_null=True, help_text="Sentences a second")
            seconds_left = serializers.FloatField(allow_null=True)

        id = serializers.UUIDField(source="public_id")
        corpus = serializers.CharField(source="corpus.name")
        progress = serializers.SerializerMethodField()
        outcomes = serializers.SerializerMethodField(
            help_text="Sentences by what came of them: accepted, or the reason why nothing did"
        )
        settings = serializers.DictField()
        models = serializers.DictField(
            source="model_identities", help_text="Name and revision or SHA-256 of each model"
        )

        class Meta:
            model = GenerationRun
            fields = [
                "id",
                "corpus",
                "method",
                "state",
                "seed",
                "settings",
                "models",
                "progress",
                "outcomes",
                "created_at",
                "finished_at",
            ]

        @extend_schema_field(RunProgress)
        def get_progress(self, run: GenerationRun) -> dict[str, Any]:
            return dict(self.RunProgress(selectors.progress(run)).data)

        def get_outcomes(self, run: GenerationRun) -> dict[str, int]:
            return selectors.funnel(run)

    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @extend_schema(operation_id="runs_read", responses={200: RunWhole, **REFUSED})
    def get(self, request: Request, public_id: str) -> Response:
        """A run: its settings and models, how far it is, and what came of its sentences."""
        rows = self.readable(request.user).select_related("corpus")
        return Response(self.RunWhole(get_object_or_404(rows, public_id=public_id)).data)
