"""REST endpoint for inter-annotator agreement: the figures of the report and the dashboard."""

from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access.api import OfProject
from annotation.agreement import groups, selectors, shapes
from annotation.agreement.selectors import Part
from annotation.stats.labels import Level
from annotation.stats.shape import REMARKS, RULES
from generation.models import Method

_BEFORE = {
    "pairs": 47290,
    "human_agreement": {"value": 0.921, "interval": [0.919, 0.923]},
    "fleiss_kappa": {"value": 0.684, "interval": [0.678, 0.69]},
    "krippendorff_alpha": {"value": 0.684, "interval": [0.678, 0.69]},
    "ordinal_alpha": {"value": 0.684, "interval": [0.678, 0.69]},
    "interval_alpha": {"value": None, "interval": None},
}
_FIGURES = {"before_filter": _BEFORE, "after_filter": _BEFORE | {"pairs": 43900}}
HEADLINES = {
    Level.NOMINAL: "krippendorff_alpha",
    Level.ORDINAL: "ordinal_alpha",
    Level.INTERVAL: "interval_alpha",
}
EXAMPLE = {
    "headline": "krippendorff_alpha",
    "overall": _FIGURES,
    "methods": [{"method": "word_swap"} | _FIGURES],
    "kinds": [{"method": "word_swap", "kind": "named entity"} | _FIGURES],
    "confusions": [],
    "shape": {
        "pairs": 1000,
        "majority": 0.62,
        "most_points": 0.1,
        "verdict": "readable",
        "rules": [
            {"rule": "rotation", "accuracy": 0.84, "points": 0.22, "interval": [0.816, 0.861]}
        ],
    },
    "groups": [
        {
            "question": "First language",
            "choice": "German",
            "people": 12,
            "answers": 30210,
            "alpha": {"value": 0.701, "interval": [0.692, 0.709]},
            "with_others": {"value": 0.934, "interval": [0.931, 0.937]},
            "outcomes": [24180, 6030],
        }
    ],
}


class Estimated(serializers.Serializer[Any]):
    """A value with its 95 % interval; undefined values are null."""

    value = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(
        child=serializers.FloatField(), min_length=2, max_length=2, allow_null=True
    )


class Measured(serializers.Serializer[Any]):
    """Inter-annotator agreement on a set of pairs."""

    pairs = serializers.IntegerField(help_text="Decided pairs")
    human_agreement = Estimated(
        source="human",
        help_text="Share of answers that equal the majority of their pair: its side where sides "
        "decide, else its label; null where votes decide no label",
    )
    fleiss_kappa = Estimated(source="fleiss")
    krippendorff_alpha = Estimated(source="alpha", help_text="With nominal distances")
    ordinal_alpha = Estimated(
        source="ordinal", help_text="With ordinal distances; null where labels have no order"
    )
    interval_alpha = Estimated(
        help_text="With interval distances; null where labels have no equal steps"
    )


class BeforeAndAfter(serializers.Serializer[Any]):
    """Figures of all pairs, and of the pairs on which enough annotators agree."""

    before_filter = Measured(source="before")
    after_filter = Measured(source="after")


class OfPart(serializers.Serializer[Any]):
    """Figures of a subset of pairs."""

    before_filter = Measured(source="measured.before")
    after_filter = Measured(source="measured.after")


class OfMethod(OfPart):
    """Figures of one generation method."""

    method = serializers.ChoiceField(choices=Method.choices, source="key")


class OfKind(OfPart):
    """Figures of one kind of change by one method."""

    method = serializers.SerializerMethodField()
    kind = serializers.SerializerMethodField(help_text="Empty where the machine names none")

    @extend_schema_field(serializers.ChoiceField(choices=Method.choices))
    def get_method(self, part: Part[tuple[str, str]]) -> str:
        return part.key[0]

    def get_kind(self, part: Part[tuple[str, str]]) -> str:
        return part.key[1]


class OfGroup(serializers.Serializer[Any]):
    """Figures of the annotators who made the same choice and allow its publication."""

    question = serializers.CharField()
    choice = serializers.CharField()
    people = serializers.IntegerField()
    answers = serializers.IntegerField(help_text="To decided pairs")
    alpha = Estimated(help_text="The headline alpha among them")
    with_others = Estimated(
        help_text="Share of their answers that equal the majority of all other answers to the pair"
    )
    outcomes = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Number of their answers for each outcome, the lowest first",
    )


class OfRule(serializers.Serializer[Any]):
    """How often a rule that sees only the shape of a pair tells its label."""

    rule = serializers.ChoiceField(choices=list(RULES))
    accuracy = serializers.FloatField()
    points = serializers.FloatField(help_text="Above the share of the more frequent label")
    interval = serializers.ListField(
        child=serializers.FloatField(), min_length=2, max_length=2, help_text="Of the accuracy"
    )


class OfShape(serializers.Serializer[Any]):
    """What the shape of pairs gives away, measured on up to 1,000 kept pairs."""

    pairs = serializers.IntegerField()
    majority = serializers.FloatField(help_text="Share of the more frequent label")
    most_points = serializers.FloatField(help_text="Readable if a rule has more")
    verdict = serializers.ChoiceField(choices=list(REMARKS))
    rules = OfRule(many=True)


@extend_schema_serializer(examples=[OpenApiExample("Agreement", EXAMPLE)])
class ProjectAgreement(serializers.Serializer[Any]):
    """Figures of all decided pairs, of subsets, and of groups of annotators."""

    headline = serializers.SerializerMethodField(
        help_text="The alpha whose distances are those of the labels: without an order, in an "
        "order, or with equal steps"
    )
    overall = BeforeAndAfter()
    methods = OfMethod(many=True)
    kinds = OfKind(many=True)
    confusions = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="How often two answers to one pair have the labels of row and column, in the "
        "order of the scheme; empty unless three or more labels have no order",
    )
    shape = OfShape(
        allow_null=True, help_text="Null with fewer than 100 kept pairs, or other labels than two"
    )
    groups = OfGroup(many=True)

    @extend_schema_field(serializers.ChoiceField(choices=list(HEADLINES.values())))
    def get_headline(self, agreement: dict[str, Any]) -> str:
        return HEADLINES[agreement["overall"].before.level]


class AgreementDetail(OfProject):
    """Inter-annotator agreement in a project."""

    tag = "Projects"
    scope = Scope.READ

    @extend_schema(operation_id="projects_agreement", responses=ProjectAgreement)
    def get(self, request: Request, public_id: str) -> Response:
        """Return agreement before and after the filter, by method, kind of change, and group."""
        breakdown = selectors.of_project(self.project)
        figures = {
            "overall": breakdown.overall,
            "methods": breakdown.methods,
            "kinds": breakdown.kinds,
            "confusions": breakdown.confusions,
            "shape": shapes.of_project(self.project),
            "groups": groups.of_project(self.project),
        }
        return Response(ProjectAgreement(figures).data)
