"""Projects over REST: description, protocol and progress."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access import readers
from annotation.models import Project
from annotation.projects.selectors import progress
from annotation.projects.selectors.progress import ProjectProgress
from common.api.endpoints import DetailEndpoint, ListEndpoint
from generation.models import Method

ROW = {
    "id": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "name": "Rivers",
    "description": "Swapped words in sentences about rivers",
    "is_open": True,
    "created_at": "2026-11-01T08:00:00Z",
}
PROTOCOL = {
    "judgments_per_pair": 5,
    "consensus_min_votes": 4,
    "decides_early": False,
    "max_label": 1,
    "paraphrase_from": 1,
    "corrected_methods": ["word_swap"],
    "lease_minutes": 30,
    "seed": 0,
}
WHOLE = ROW | {
    "guidelines": "Two sentences are paraphrases when they mean the same.",
    "protocol": PROTOCOL,
    "progress": {
        "candidates": 50000,
        "accepted": 32300,
        "fixed": 14990,
        "rejected": 2710,
        "to_correct": 0,
        "pairs": 47290,
        "judgments": 236450,
        "to_judge": 0,
        "decided": 47290,
        "kept": 43900,
    },
    "runs": ["6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11"],
}


@extend_schema_serializer(examples=[OpenApiExample("A project", ROW)])
class ProjectRow(serializers.ModelSerializer[Project]):
    """A project in a list."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Project
        fields = list(ROW)


class ProjectProtocol(serializers.ModelSerializer[Project]):
    """The rules by which pairs are judged and decided."""

    corrected_methods = serializers.ListField(child=serializers.ChoiceField(choices=Method.choices))

    class Meta:
        model = Project
        fields = list(PROTOCOL)


class ProjectFunnel(serializers.Serializer[ProjectProgress]):
    """Counts from candidates to kept pairs."""

    candidates = serializers.IntegerField(help_text="That have entered the project")
    accepted = serializers.IntegerField(help_text="Corrections that changed nothing")
    fixed = serializers.IntegerField(help_text="Corrections that changed the text")
    rejected = serializers.IntegerField(help_text="Candidates that could not be repaired")
    to_correct = serializers.IntegerField(help_text="Corrections that are still open")
    pairs = serializers.IntegerField(help_text="That are or were to be judged")
    judgments = serializers.IntegerField(help_text="Answers on these pairs")
    to_judge = serializers.IntegerField(help_text="Judgments that are still open")
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
        help_text="The runs whose candidates enter the project",
    )

    class Meta:
        model = Project
        fields = list(WHOLE)

    @extend_schema_field(ProjectFunnel)
    def get_progress(self, project: Project) -> dict[str, int]:
        return asdict(progress.of_project(project))


class ProjectList(ListEndpoint):
    """The projects that you manage or research, oldest first."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = ProjectRow
    queryset = Project.objects.none()

    def get_queryset(self) -> QuerySet[Project]:
        return readers.projects(self.request.user)


class ProjectDetail(DetailEndpoint):
    """A project with its protocol and counts from candidates to kept pairs."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = ProjectWhole
    queryset = Project.objects.none()

    def get_queryset(self) -> QuerySet[Project]:
        return readers.projects(self.request.user)
