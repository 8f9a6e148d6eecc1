"""REST endpoints by which a model behind an endpoint is asked to judge pairs."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_serializer,
)
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.access.api import OfProject, managed_project, refusal_as_conflict
from annotation.errors import Refused
from annotation.model_judgments import asking, tasks
from annotation.model_judgments.task_views import STEPS
from annotation.models import ModelTask
from common.api.endpoints import (
    CheckedJSONParser,
    DetailEndpoint,
    Endpoint,
    ListEndpoint,
    sent_values,
)
from common.api.errors import CLOSED, Conflict, RefusalResponse
from common.bounded_json import MAX_INTEGER
from generation import installed_endpoints
from generation.api.usage import NO_USAGE, Limits, Spending
from generation.endpoints.chat import EndpointError

TASK = {
    "id": "0d0c5c5e-51b5-4b36-b9b3-0e7c5d2a6f10",
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "model": "local:qwen3-8b",
    "revision": "a2f07d4c91be",
    "state": "running",
    "scope": "all",
    "draw": None,
    "done": 640,
    "total": 2000,
    "usage": NO_USAGE | {"replies": 2560, "tokens_in": 512000, "tokens_out": 7680},
    "unusable": {"no_label": 12},
    "unlabelled": 3,
    "ties": 41,
    "most_tokens": 5000000,
    "most_cost": None,
    "paused_because": "",
    "failure": "",
    "created_at": "2026-11-09T12:00:00Z",
    "finished_at": None,
}
REQUEST = {"model": "local:qwen3-8b", "scope": "undecided", "samples": 4, "most_tokens": 5000000}
STEP = OpenApiParameter("step", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[*STEPS])


@extend_schema_serializer(examples=[OpenApiExample("A task", TASK)])
class TaskRow(Spending, serializers.ModelSerializer[ModelTask]):
    """A model that judges pairs: how far it is, and what it has used."""

    id = serializers.UUIDField(source="public_id")
    project = serializers.UUIDField(source="project.public_id")
    unusable = serializers.DictField(help_text="Answers without a label, by reason")

    class Meta:
        model = ModelTask
        fields = list(TASK)


@extend_schema_serializer(examples=[OpenApiExample("A task", REQUEST)])
class NewTask(Limits):
    """What a model is asked; the prompt is that of the page if it is left out."""

    model = serializers.CharField(max_length=100)
    scope = serializers.ChoiceField(choices=ModelTask.Scope.choices, default="all")
    draw = serializers.IntegerField(
        min_value=1, max_value=MAX_INTEGER, allow_null=True, default=None
    )
    prompt = serializers.CharField(
        max_length=asking.MOST_CHARACTERS, required=False, trim_whitespace=False
    )
    by_logprobs = serializers.BooleanField(default=False)
    samples = serializers.ChoiceField(
        choices=range(asking.FEWEST_SAMPLES, asking.MOST_SAMPLES + 1, 2), default=4
    )
    temperature = serializers.FloatField(min_value=0, max_value=2, default=1.0)
    seed = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, default=0)


class ModelTasks(OfProject, ListEndpoint):
    """The tasks of a project, by which models judge its pairs, oldest first."""

    tag = "Models"
    scope = Scope.READ
    serializer_class = TaskRow
    queryset = ModelTask.objects.none()
    parser_classes = [CheckedJSONParser]

    def get_queryset(self) -> QuerySet[ModelTask]:
        return ModelTask.objects.filter(project=self.project).select_related("project")

    @extend_schema(
        operation_id="model_tasks_create",
        request=NewTask,
        responses={201: TaskRow, **CLOSED, 409: RefusalResponse},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Ask a model to judge pairs. Returns 409 if it is being asked the same already."""
        project = managed_project(requester(request), public_id)
        values = sent_values(NewTask, request)
        names = ("prompt", "by_logprobs", "samples", "temperature", "seed")
        parameters = {name: values.pop(name) for name in names if name in values}
        try:
            model = installed_endpoints.endpoints().model(values.pop("model"))
        except EndpointError as error:
            raise ValidationError({"model": str(error)}, code="does_not_exist") from error
        interview = tasks.interview_of(project, **parameters)
        with refusal_as_conflict():
            task = tasks.ask(project, model, interview, by=requester(request), **values)
        return Response(TaskRow(task).data, status.HTTP_201_CREATED)


class ModelTaskDetail(DetailEndpoint):
    """Return a task, by which a model judges pairs."""

    tag = "Models"
    scope = Scope.READ
    serializer_class = TaskRow
    queryset = ModelTask.objects.none()

    def get_queryset(self) -> QuerySet[ModelTask]:
        return _readable_tasks(self.request)


class ModelTaskSteering(Endpoint):
    """Pauses, resumes and cancels a task. Returns 403 to people who may only read it."""

    tag = "Models"
    scope = Scope.MANAGE
    queryset = ModelTask.objects.none()
    parser_classes = [CheckedJSONParser]

    @extend_schema(
        operation_id="model_tasks_steer",
        parameters=[STEP],
        request=Limits,
        responses={200: TaskRow, **CLOSED, 409: RefusalResponse},
    )
    def post(self, request: Request, public_id: str, step: str) -> Response:
        """Pause, resume or cancel a task. Returns 409 if its state does not allow it.

        Resuming can set limits.
        """
        if step not in STEPS:
            raise NotFound
        task = get_object_or_404(_readable_tasks(request), public_id=public_id)
        managed_project(requester(request), task.project.public_id)
        sent = sent_values(Limits, request)
        limits = sent if step == "resume" else {}
        try:
            STEPS[step](task, by=requester(request), **limits)
        except (Refused, EndpointError) as error:
            raise Conflict(str(error)) from error
        return Response(TaskRow(task).data)


def _readable_tasks(request: Request) -> QuerySet[ModelTask]:
    tasks_with_projects = ModelTask.objects.select_related("project")
    return tasks_with_projects.filter(project__in=readers.projects(request.user))
