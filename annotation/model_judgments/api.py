"""REST endpoints for model judgments, which never count in figures about people."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access import readers
from annotation.access.api import OfProject
from annotation.agreement.api import Estimated
from annotation.model_judgments import alternative, selectors
from annotation.model_judgments.alternative import StandIn
from annotation.models import JudgingModel, ModelJudgment, Project
from annotation.people.selectors.names import Naming
from annotation.projects.label_fields import ByLabel, LabelField
from annotation.stats.alternative import EPSILONS
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
BY_EPSILON = f"At the epsilons {', '.join(map(str, EPSILONS))}"
JUDGMENT = {"pair": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31", "label": 1, "score": 0.81}

_BRIER = {"value": 0.071, "interval": [0.068, 0.074]}
_SHARE = {"value": 0.79, "interval": [0.75, 0.82]}
ALTERNATIVE = {
    "judged_again": 0,
    "kappa": 0.71,
    "people": [
        {
            "annotator": "annotator-5c1f0e9a7b24",
            "pairs": 1180,
            "advantage": 0.93,
            "p_values": [0.0016, 0.0001, 0.0001],
            "beaten": [True, True, True],
        }
    ],
    "too_few_pairs": {"annotator-90be21d47a3c": 12},
    "advantage": 0.93,
    "verdicts": [{"epsilon": 0.1, "beaten": 17, "winning_rate": 0.425, "passed": False}],
    "calibration": {
        "pairs": 47290,
        "brier": _BRIER,
        "error": {"value": 0.021, "interval": [0.018, 0.025]},
        "bins": [{"number": 7, "pairs": 610, "score": 0.76, "share": _SHARE}],
    },
}


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


class PersonTested(serializers.Serializer[Any]):
    """One person compared with the model, on the pairs that both and a third person judged."""

    annotator = serializers.CharField(source="person", help_text="Pseudonym of their main account")
    pairs = serializers.IntegerField()
    advantage = serializers.FloatField(
        help_text="Share of the pairs on which the model agrees with the others at least as well"
    )
    p_values = serializers.ListField(child=serializers.FloatField(), help_text=BY_EPSILON)
    beaten = serializers.ListField(child=serializers.BooleanField(), help_text=BY_EPSILON)


class VerdictRow(serializers.Serializer[Any]):
    """Whether the model passes at an epsilon: it beats at least half of the people."""

    epsilon = serializers.FloatField(help_text="How much worse than a person it may be")
    beaten = serializers.IntegerField(help_text="People that it beats")
    winning_rate = serializers.FloatField(help_text="Their share of the people tested")
    passed = serializers.BooleanField()


class BinRow(serializers.Serializer[Any]):
    """Pairs with scores of one tenth."""

    number = serializers.IntegerField(help_text="0 to 9: the tenth at which the bin begins")
    pairs = serializers.IntegerField()
    score = serializers.FloatField(help_text="Mean score")
    share = Estimated(help_text="Share of the upper side among people's majorities")


class CalibrationRow(serializers.Serializer[Any]):
    """Scores of the model compared with people's majorities."""

    pairs = serializers.IntegerField()
    brier = Estimated(help_text="Mean squared difference")
    error = Estimated(help_text="Expected calibration error, of ten equal bins")
    bins = BinRow(many=True)


@extend_schema_serializer(examples=[OpenApiExample("A test", ALTERNATIVE)])
class Alternative(serializers.Serializer[StandIn]):
    """The alternative annotator test of a model, and its calibration."""

    judged_again = serializers.IntegerField(
        help_text="Pairs judged again because this model disagreed; with any, nobody is tested, "
        "and kappa and calibration are null, because the figures would favour it"
    )
    kappa = serializers.FloatField(
        allow_null=True,
        help_text="Cohen's kappa with people's majority. A model that passes with a low one may "
        "always give one label, if others are rare",
    )
    people = PersonTested(source="test.people", many=True)
    too_few_pairs = serializers.DictField(
        source="test.too_few_pairs",
        child=serializers.IntegerField(),
        help_text="Number of pairs of each person with fewer than 30",
    )
    advantage = serializers.FloatField(
        source="test.advantage", allow_null=True, help_text="Mean of the people's"
    )
    verdicts = VerdictRow(
        source="test.verdicts", many=True, help_text="Empty if fewer than 3 people are tested"
    )
    calibration = CalibrationRow(
        allow_null=True,
        help_text="Null without scores, where labels have no two sides, or if pairs were judged "
        "again",
    )


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


class AlternativeDetail(OfProject):
    """Whether a model can replace a person."""

    tag = "Models"
    scope = Scope.READ
    queryset = JudgingModel.objects.none()

    @extend_schema(operation_id="models_alternative", responses=Alternative)
    def get(self, request: Request, public_id: str, model_id: str) -> Response:
        """Return the alternative annotator test (Calderon, Reichart and Dror 2025) of a model."""
        models = JudgingModel.objects.filter(project=self.project)
        model = get_object_or_404(models, public_id=model_id)
        naming = Naming(self.project, by_name=False)
        figures = alternative.of_model(model, self.project, naming)
        return Response(Alternative(figures).data)


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
