"""Start generation over REST: runs over corpora for a project."""

import uuid
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from drf_standardized_errors.openapi_serializers import (
    ErrorResponse403Serializer,
    ErrorResponse404Serializer,
)
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.scopes import requester
from annotation.access import readers, selectors
from annotation.models import Project
from annotation.projects.services import runs as project_runs
from common.api.endpoints import CheckedJSONParser
from common.bounded_json import MAX_INTEGER
from generation import methods, tasks
from generation.api.runs import WHOLE, RunList, RunWhole
from generation.errors import BadSettings, GenerationError
from generation.models import Corpus, Method

MOST_CORPORA = 50
NOT_A_MANAGER = "Only managers of the project may start runs for it."


REQUEST = {
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "corpora": ["rivers", "towns"],
    "method": "word_swap",
    "settings": {"beam": 50},
    "seed": 7,
    "preview": True,
}


class Runs(RunList):
    """The runs of the projects that you manage or research, oldest first."""

    @extend_schema_serializer(examples=[OpenApiExample("Two runs", REQUEST)])
    class RunStart(serializers.Serializer[dict[str, Any]]):
        project = serializers.UUIDField(help_text="The id of a project that you manage")
        corpora = serializers.ListField(
            child=serializers.SlugRelatedField[Corpus](
                slug_field="name", queryset=Corpus.objects.all()
            ),
            min_length=1,
            max_length=MOST_CORPORA,
            help_text="Names of corpora. A separate run rewrites each.",
        )
        method = serializers.ChoiceField(choices=Method.choices)
        settings = serializers.DictField(
            default=dict, help_text="Those settings of the method that are not its defaults"
        )
        seed = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, default=0)
        preview = serializers.BooleanField(
            default=False, help_text="Work the first sentences and wait until it is approved"
        )

        def validate_corpora(self, corpora: list[Corpus]) -> list[Corpus]:
            """Refuse duplicates."""
            if len(set(corpora)) < len(corpora):
                raise ValidationError("A corpus is named twice.", code="repeated")
            return corpora

        def validate_method(self, name: str) -> str:
            """Accept only methods that run here."""
            if name not in methods.METHODS:
                raise ValidationError(f"There are {', '.join(methods.METHODS)}.", code="unknown")
            return name

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            """Refuse unknown fields: a typo must not select a default."""
            unknown = dict.fromkeys(
                self.initial_data.keys() - self.fields, "There is no such field."
            )
            if unknown:
                raise ValidationError(unknown, code="unknown")
            return attrs

    @extend_schema_serializer(examples=[OpenApiExample("One run", {"runs": [WHOLE]})])
    class RunsStarted(serializers.Serializer[dict[str, Any]]):
        runs = RunWhole(many=True)

    parser_classes = [CheckedJSONParser]
    readable = staticmethod(readers.runs)

    @extend_schema(
        operation_id="runs_start",
        request=RunStart,
        responses={
            201: RunsStarted,
            403: ErrorResponse403Serializer,
            404: ErrorResponse404Serializer,
        },
    )
    def post(self, request: Request) -> Response:
        """Start a run over each corpus, for a project that you manage: all runs, or none."""
        sent = self.RunStart(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = dict(sent.validated_data)
        project = _managed(requester(request), asked.pop("project"))
        try:
            started = project_runs.start(
                project, asked.pop("corpora"), **asked, started_by=requester(request)
            )
        except GenerationError as error:
            field = "settings" if isinstance(error, BadSettings) else "non_field_errors"
            raise ValidationError({field: str(error)}, code=type(error).__name__) from error
        for run in started:
            tasks.wake(run.pk)
        return Response(self.RunsStarted({"runs": started}).data, status.HTTP_201_CREATED)


def _managed(user: User, public_id: uuid.UUID) -> Project:
    """Return a project whose runs the user may start. Raises NotFound or PermissionDenied."""
    if (project := selectors.managed(user).filter(public_id=public_id).first()) is not None:
        return project
    if readers.projects(user).filter(public_id=public_id).exists():
        raise PermissionDenied(NOT_A_MANAGER)
    raise NotFound("There is no such project.")
