"""REST endpoint to steer runs. The annotation app sets which runs a person may steer."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_standardized_errors.openapi_serializers import ErrorResponse403Serializer
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import requester
from accounts.scopes import Scope
from common.api.endpoints import Endpoint
from common.api.errors import Conflict, ConflictResponse
from generation import tasks
from generation.api.runs import RunWhole, none_of_them
from generation.errors import NotNow
from generation.models import GenerationRun
from generation.services import run_control
from generation.services.run_control import Action

ACTION = OpenApiParameter(
    "action", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[action.value for action in Action]
)
NOT_A_MANAGER = "Only managers of a project that adopted the run may steer it."


class RunSteering(Endpoint):
    """Steers a run. Returns 403 to people who may only read the run, and 404 to all others."""

    tag = "Corpora and runs"
    scope = Scope.MANAGE
    queryset = GenerationRun.objects.none()
    readable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)
    steerable: Callable[[Any], QuerySet[GenerationRun]] = staticmethod(none_of_them)

    @extend_schema(
        operation_id="runs_steer",
        parameters=[ACTION],
        request=None,
        responses={200: RunWhole, 403: ErrorResponse403Serializer, 409: ConflictResponse},
    )
    def post(self, request: Request, public_id: str, action: Action) -> Response:
        """Steer a run. Its `actions` lists what its state allows; other actions return 409."""
        rows = self.readable(request.user).select_related("corpus")
        run = get_object_or_404(rows, public_id=public_id)
        if not self.steerable(request.user).filter(pk=run.pk).exists():
            raise PermissionDenied(NOT_A_MANAGER)
        try:
            run_control.steer(run, action, by=requester(request))
        except NotNow as error:
            raise Conflict(str(error)) from error
        tasks.wake(run.pk)
        return Response(RunWhole(run).data)


class ActionConverter:
    """Converts actions in addresses."""

    regex = "|".join(Action)

    def to_python(self, value: str) -> Action:
        return Action(value)

    def to_url(self, value: Action) -> str:
        return str(value)
