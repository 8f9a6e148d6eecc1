"""REST endpoints for model judgments, which never count in figures about people."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access import readers
from annotation.access.api import OfProject
from annotation.model_judgments import selectors
from annotation.models import JudgingModel, ModelJudgment, Project
from annotation.projects.label_fields import ByLabel, LabelField
from common import bulk
from common.api.endpoints import ListEndpoint
from common.api.filters import Filters
from common.api.flat import FlatRows
from common.api.paging import Pages

ROW = {
    "id": "d4c5a1de-7f0b-45e2-8c54-5a0d9a7a6a93",
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "name": "large-judge",
    "revision": "2026-09",
    "note": "Asked once for each pair, at temperature 0",
    "judgments": 47290,
    "created_at": "2026-11-09T12:00:00Z",
}
JUDGMENT = {"pair": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31", "label": 1, "score": 0.81}


@extend_schema_serializer(examples=[OpenApiExample("A model", ROW)])
class ModelRow(serializers.ModelSerializer[JudgingModel]):
    """A model that labelled pairs of a project."""

    id = serializers.UUIDField(source="public_id")
    project = serializers.UUIDField(source="project.public_id")
    judgments = serializers.IntegerField(source="labels", help_text="Pairs that it has labelled")

    class Meta:
        model = JudgingModel
        fields = list(ROW)


@extend_schema_serializer(examples=[OpenApiExample("A label", JUDGMENT)])
class ModelJudgmentRow(serializers.Serializer[Any]):
    """A model's label for a pair."""

    pair = serializers.UUIDField(source="pair__public_id")
    label = LabelField(help_text="The value of a label")  # type: ignore[assignment]
    score = serializers.FloatField(
        allow_null=True, help_text="Probability of a paraphrase according to the model, 0 to 1"
    )

    class Meta:
        list_serializer_class = FlatRows


class ModelJudgmentFilter(Filters):
    """Filters for model judgments."""

    label = ByLabel("label")


class ByPair(Pages):
    """Pages in pair order; a model has one label for each pair."""

    order = ("pair_id",)
    key = {"pair__public_id": serializers.UUIDField()}


class ModelList(OfProject, ListEndpoint):
    """List the models with labels in a project, oldest first."""

    tag = "Models"
    scope = Scope.READ
    serializer_class = ModelRow
    queryset = JudgingModel.objects.none()

    def get_queryset(self) -> QuerySet[JudgingModel]:
        labels = bulk.count_of(ModelJudgment.objects.all(), "model")
        models = JudgingModel.objects.filter(project=self.project).select_related("project")
        return models.annotate(labels=labels)


class ModelJudgmentList(ListEndpoint):
    """List a model's labels, in pair order."""

    tag = "Models"
    scope = Scope.READ
    serializer_class = ModelJudgmentRow
    filterset_class = ModelJudgmentFilter
    pagination_class = ByPair
    queryset = ModelJudgment.objects.none()

    @cached_property
    def model(self) -> JudgingModel:
        """The model in the address. Raises Http404."""
        models = readers.models(self.request.user)
        return get_object_or_404(models, public_id=self.kwargs["public_id"])

    @property
    def project(self) -> Project:
        """The project, whose labels the model gave."""
        return self.model.project

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.labels(self.model)
