"""Projects over REST: description, protocol and progress; and runs started for a project."""

import uuid
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import (
    OpenApiExample,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from drf_standardized_errors.openapi_serializers import (
    ErrorResponse403Serializer,
    ErrorResponse404Serializer,
)
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.access.api import ARCHIVED
from annotation.errors import Refused
from annotation.models import Project
from annotation.projects import settings
from annotation.projects.selectors import progress
from annotation.projects.services import runs
from common.api.endpoints import CheckedJSONParser, DetailEndpoint, ListEndpoint
from common.bounded_json import MAX_INTEGER
from generation import methods, tasks
from generation.api.runs import WHOLE as RUN
from generation.api.runs import RunList, RunWhole
from generation.errors import BadSettings, GenerationError
from generation.models import OF_PAIRS, Corpus, Method

MOST_CORPORA = 50
NOT_A_MANAGER = "Only managers of the project may start runs for it."
ROW = {
    "id": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "name": "Rivers",
    "description": "Swapped words in sentences about rivers",
    "is_open": True,
    "created_at": "2026-11-01T08:00:00Z",
}
PROTOCOL = {name: Project._meta.get_field(name).get_default() for name in settings.PROTOCOL}  # type: ignore[union-attr]
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
REQUEST = {
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "corpora": ["rivers", "towns"],
    "method": "word_swap",
    "preset": "more",
    "settings": {"beam": 50},
    "seed": 7,
    "preview": True,
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


class Runs(RunList):
    """The runs of the projects that you manage or research, oldest first."""

    @extend_schema_serializer(examples=[OpenApiExample("Two runs", REQUEST)])
    class RunStart(serializers.Serializer[dict[str, Any]]):
        project = serializers.UUIDField(help_text="The id of a project that you manage")
        corpora = serializers.ListField(
            child=serializers.CharField(max_length=100, trim_whitespace=False),
            min_length=1,
            max_length=MOST_CORPORA,
            help_text="Names of corpora that you may use. A separate run rewrites each.",
        )
        method = serializers.ChoiceField(choices=Method.choices)
        preset = serializers.CharField(
            required=False, max_length=40, help_text="Named settings: default, more or paper"
        )
        settings = serializers.DictField(
            default=dict, help_text="Settings that override the preset"
        )
        seed = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, default=0)
        preview = serializers.BooleanField(
            default=False, help_text="Rewrite the first sentences and wait for approval"
        )

        def validate_corpora(self, corpora: list[str]) -> list[str]:
            """Refuse duplicates."""
            if len(set(corpora)) < len(corpora):
                raise ValidationError("A corpus is listed twice. Remove one.", code="repeated")
            return corpora

        def validate_method(self, name: str) -> str:
            """Accept only methods that run here."""
            if name not in methods.METHODS:
                raise ValidationError(
                    f"Unknown method. Choose one of: {', '.join(methods.METHODS)}.", code="unknown"
                )
            return name

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            """Refuse unknown fields: a typo must not select a default."""
            unknown = dict.fromkeys(
                self.initial_data.keys() - self.fields, "There is no such field."
            )
            if unknown:
                raise ValidationError(unknown, code="unknown")
            return attrs | {"settings": _with_preset(attrs.pop("preset", ""), **attrs)}

    @extend_schema_serializer(examples=[OpenApiExample("One run", {"runs": [RUN]})])
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
        corpora = _readable(requester(request), asked.pop("corpora"))
        try:
            started = runs.start(project, corpora, **asked, started_by=requester(request))
        except Refused as refused:
            raise PermissionDenied(str(refused)) from refused
        except GenerationError as error:
            field = "settings" if isinstance(error, BadSettings) else "non_field_errors"
            raise ValidationError({field: str(error)}, code="invalid") from error
        for run in started:
            tasks.wake(run.pk)
        return Response(self.RunsStarted({"runs": started}).data, status.HTTP_201_CREATED)


def _with_preset(
    preset: str, *, method: str, settings: dict[str, Any], **_others: Any
) -> dict[str, Any]:
    """Return the settings of a preset with those that were sent. Raises ValidationError."""
    if not preset:
        return settings
    try:
        return {**methods.named(method).preset(preset).settings, **settings}
    except BadSettings as error:
        raise ValidationError({"preset": str(error)}, code="unknown") from error


def _managed(user: User, public_id: uuid.UUID) -> Project:
    """Return a project whose runs the user may start. Raises NotFound or PermissionDenied."""
    if (project := readers.managed(user).filter(public_id=public_id).first()) is not None:
        if project.archived_at is not None:
            raise PermissionDenied(ARCHIVED)
        return project
    if readers.projects(user).filter(public_id=public_id).exists():
        raise PermissionDenied(NOT_A_MANAGER)
    raise NotFound("There is no such project.")


def _readable(user: User, names: list[str]) -> list[Corpus]:
    """Return corpora that the user may use. Unknown and hidden ones are refused alike."""
    found = {each.name: each for each in readers.usable_corpora(user).filter(name__in=names)}
    reason = "There is no such corpus among those that you may use."
    missing: Any = {n: [reason] for n, name in enumerate(names) if name not in found}
    if missing:
        raise ValidationError({"corpora": missing}, code="does_not_exist")
    return [found[name] for name in names]
