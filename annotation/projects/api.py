"""Projects over REST: description, protocol and progress."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access import readers
from annotation.models import Project
from annotation.projects import settings
from annotation.projects.selectors import progress
from annotation.stats.labels import Level, Rule
from common.api.endpoints import DetailEndpoint, ListEndpoint
from generation.models import OF_PAIRS

ROW = {
    "id": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "name": "Rivers",
    "description": "Swapped words in sentences about rivers",
    "is_open": True,
    "archived_at": None,
    "created_at": "2026-11-01T08:00:00Z",
}
PROTOCOL = {name: Project._meta.get_field(name).get_default() for name in settings.PROTOCOL}  # type: ignore[union-attr]
PROTOCOL["scheme"] = asdict(PROTOCOL["scheme"])
WHOLE = ROW | {
    "guidelines": "Two sentences are paraphrases when they mean the same.",
    "protocol": PROTOCOL,
    "progress": {
        "candidates": 50000,
        "accepted": 32300,
        "fixed": 14990,
        "rejected": 2710,
        "to_correct": 0,
        "pairs": 47288,
        "excluded": 2,
        "judgments": 236440,
        "to_judge": 0,
        "decided": 47288,
        "kept": 43900,
    },
    "runs": ["6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11"],
}
RULES = [*Rule]


@extend_schema_serializer(examples=[OpenApiExample("A project", ROW)])
class ProjectRow(serializers.ModelSerializer[Project]):
    """A project in a list."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Project
        fields = list(ROW)


class LabelRow(serializers.Serializer[Any]):
    """A label: the value that files have, and the name that people see."""

    value = serializers.IntegerField()
    name = serializers.CharField()


class SchemeRow(serializers.Serializer[Any]):
    """The labels that people choose from, and what their answers become."""

    labels = LabelRow(many=True)
    level = serializers.ChoiceField(choices=[*Level])
    rule = serializers.ChoiceField(choices=RULES)
    border = serializers.IntegerField(
        allow_null=True, help_text="Value of the lowest label of the upper side; null without sides"
    )
    directed = serializers.BooleanField(help_text="Whether the order of the sentences matters")
    captions = serializers.ListField(child=serializers.CharField())


class ProjectProtocol(serializers.ModelSerializer[Project]):
    """The rules by which pairs are judged and decided."""

    scheme = SchemeRow()
    corrected_methods = serializers.ListField(child=serializers.ChoiceField(choices=OF_PAIRS))

    class Meta:
        model = Project
        fields = list(PROTOCOL)


class ProjectFunnel(serializers.Serializer[dict[str, int]]):
    """Counts from candidates to kept pairs."""

    candidates = serializers.IntegerField(help_text="Candidates added to the project")
    accepted = serializers.IntegerField(help_text="Corrections that changed nothing")
    fixed = serializers.IntegerField(help_text="Corrections that changed the text")
    rejected = serializers.IntegerField(help_text="Candidates that could not be fixed")
    to_correct = serializers.IntegerField(help_text="Corrections still to be done")
    pairs = serializers.IntegerField(help_text="Pairs to be judged, or judged")
    excluded = serializers.IntegerField(
        help_text="Pairs that managers excluded; the other figures of pairs don't count them"
    )
    judgments = serializers.IntegerField(help_text="Answers on these pairs")
    to_judge = serializers.IntegerField(help_text="Judgments still to be done")
    decided = serializers.IntegerField(help_text="Pairs with all their answers")
    kept = serializers.IntegerField(help_text="Pairs on which enough annotators agree")


@extend_schema_serializer(examples=[OpenApiExample("A project", WHOLE)])
class ProjectWhole(ProjectRow):
    """A project with its protocol and its progress."""

    protocol = ProjectProtocol(source="*")
    progress = serializers.SerializerMethodField()
    runs = serializers.SlugRelatedField[Any](
        slug_field="public_id",
        many=True,
        read_only=True,
        help_text="The runs whose candidates are added to the project",
    )

    class Meta:
        model = Project
        fields = list(WHOLE)

    @extend_schema_field(ProjectFunnel)
    def get_progress(self, project: Project) -> dict[str, int]:
        return progress.of_project(project)


class ProjectList(ListEndpoint):
    """The projects that you manage or research, oldest first, without archived ones."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = ProjectRow
    queryset = Project.objects.none()

    def get_queryset(self) -> QuerySet[Project]:
        return readers.projects(self.request.user).filter(archived_at=None)


class ProjectDetail(DetailEndpoint):
    """A project with its protocol and counts from candidates to kept pairs."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = ProjectWhole
    queryset = Project.objects.none()

    def get_queryset(self) -> QuerySet[Project]:
        return readers.projects(self.request.user)
