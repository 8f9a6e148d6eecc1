"""Projects over REST: what they are, by which protocol, and how far they have come."""

from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.models import Project
from annotation.selectors import progress, reading
from annotation.selectors.progress import ProjectProgress
from generation.api.reading import REFUSED, PageQuery, Reading, page, paged
from generation.models import Method


class ProjectList(Reading):
    """Projects that the reader manages or researches."""

    scope = Scope.READ

    class ProjectRow(serializers.ModelSerializer[Project]):
        id = serializers.UUIDField(source="public_id")

        class Meta:
            model = Project
            fields = ["id", "name", "description", "is_open", "created_at"]

    query_class = PageQuery

    @extend_schema(
        operation_id="projects_list", parameters=[PageQuery], responses=paged(ProjectRow)
    )
    def get(self, request: Request) -> Response:
        """The projects that you manage or research, oldest first."""
        return page(self, reading.projects(request.user), self.ProjectRow)


class ProjectDetail(Reading):
    """One project."""

    scope = Scope.READ

    class ProjectWhole(serializers.ModelSerializer[Project]):
        class ProjectProtocol(serializers.ModelSerializer[Project]):
            corrected_methods = serializers.ListField(
                child=serializers.ChoiceField(choices=Method.choices)
            )

            class Meta:
                model = Project
                fields = [
                    "judgments_per_pair",
                    "consensus_min_votes",
                    "max_label",
                    "paraphrase_from",
                    "corrected_methods",
                    "lease_minutes",
                    "seed",
                ]

        class ProjectFunnel(serializers.Serializer[ProjectProgress]):
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

        id = serializers.UUIDField(source="public_id")
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
            fields = [
                "id",
                "name",
                "description",
                "guidelines",
                "is_open",
                "protocol",
                "progress",
                "runs",
                "created_at",
            ]

        @extend_schema_field(ProjectFunnel)
        def get_progress(self, project: Project) -> dict[str, int]:
            return asdict(progress.of_project(project))

    @extend_schema(operation_id="projects_read", responses={200: ProjectWhole, **REFUSED})
    def get(self, request: Request, public_id: str) -> Response:
        """A project: its protocol, and its numbers from candidates to kept pairs."""
        project = get_object_or_404(reading.projects(request.user), public_id=public_id)
        return Response(self.ProjectWhole(project).data)
