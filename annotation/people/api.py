"""REST endpoint for annotators' figures, for managers only: it shows user names."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from drf_standardized_errors.openapi_serializers import ErrorResponse403Serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access.api import OfManaged, PseudonymField
from annotation.models import Membership, Project
from annotation.people.selectors import annotators
from annotation.people.selectors.annotators import AnnotatorFigures

EXAMPLE = {
    "name": "ada",
    "annotator": "annotator-3f2a9c07d1e4",
    "role": "annotator",
    "simulated": False,
    "corrections": 120,
    "judgments": 960,
    "skips": 3,
    "median_seconds": 6.1,
    "label_shares": [0.56, 0.44],
    "compared": 940,
    "agreement": 0.91,
    "agreement_interval": [0.89, 0.926],
    "kappa": 0.81,
    "gold_given": 40,
    "gold_right": 38,
    "flags": [{"reason": "Five answers in less than two seconds", "at": "2026-11-04T09:00:00Z"}],
    "excluded": False,
    "paused_at": None,
    "last_seen": "2026-11-09T16:20:05Z",
}


class AnnotatorFlag(serializers.Serializer[Any]):
    """An active quality flag."""

    reason = serializers.CharField()
    at = serializers.DateTimeField(source="created_at")


@extend_schema_serializer(examples=[OpenApiExample("An annotator", EXAMPLE)])
class AnnotatorRow(serializers.Serializer[AnnotatorFigures]):
    """Figures of one project member; undefined values are null."""

    name = serializers.CharField(source="user.username")
    annotator = PseudonymField(
        source="user.pk", help_text="The name in judgments and corrections of the project"
    )
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    simulated = serializers.BooleanField(source="user.is_simulated")
    corrections = serializers.IntegerField()
    judgments = serializers.IntegerField()
    skips = serializers.IntegerField(help_text="Items that the person skipped")
    median_seconds = serializers.FloatField(allow_null=True, help_text="Of judgments")
    label_shares = serializers.ListField(
        child=serializers.FloatField(), help_text="Of each label from 0 on; empty without judgments"
    )
    compared = serializers.IntegerField(help_text="Pairs on which the others' majority is clear")
    agreement = serializers.FloatField(
        allow_null=True, help_text="Of these, the share on which the person agrees"
    )
    agreement_interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="Wilson's at 95 %"
    )
    kappa = serializers.SerializerMethodField(help_text="Cohen's with the others' majority")
    gold_given = serializers.IntegerField(help_text="Gold pairs answered")
    gold_right = serializers.IntegerField(help_text="Gold pairs answered correctly")
    flags = AnnotatorFlag(many=True, help_text="Open flags")
    excluded = serializers.BooleanField(help_text="The person's answers are excluded")
    paused_at = serializers.DateTimeField(allow_null=True)
    last_seen = serializers.DateTimeField(allow_null=True)

    def get_kappa(self, figures: AnnotatorFigures) -> float | None:
        return figures.confusion.kappa.value


@extend_schema_serializer(
    examples=[OpenApiExample("Everybody", {"next": None, "results": [EXAMPLE]})]
)
class AnnotatorPage(serializers.Serializer[Any]):
    """All members on one page, in the usual list format."""

    next = serializers.URLField(allow_null=True, help_text="Always null")
    results = AnnotatorRow(many=True)


class AnnotatorList(OfManaged):
    """Figures of all members of a project."""

    tag = "Projects"
    scope = Scope.READ
    queryset = Project.objects.none()

    @extend_schema(
        operation_id="projects_annotators_list",
        responses={200: AnnotatorPage, 403: ErrorResponse403Serializer},
    )
    def get(self, request: Request, public_id: str) -> Response:
        """List each member's work and quality figures, by user name; managers only."""
        people: Any = annotators.figures(self.project)
        found = AnnotatorRow(people, many=True, context=self.get_serializer_context())
        return Response({"next": None, "results": found.data})
