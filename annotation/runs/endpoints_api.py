"""The REST endpoint that lists models behind endpoints."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access import readers
from annotation.models import Project
from annotation.runs.services import names_for_endpoints
from common.api.endpoints import Endpoint
from generation.endpoints.chat import Model
from generation.installed_endpoints import endpoints

EXAMPLE = {
    "results": [
        {
            "name": "local",
            "note": "Texts stay in the university.",
            "models": [{"name": "local:qwen3-8b", "priced": False}],
        }
    ]
}


class EndpointModelRow(serializers.Serializer[Any]):
    """A model of an endpoint."""

    name = serializers.CharField(help_text="As settings of runs name it")
    priced = serializers.BooleanField(source="is_priced", help_text="Whether its tokens cost money")


class EndpointRow(serializers.Serializer[Any]):
    """A server that the operator has set up, with its models."""

    name = serializers.CharField()
    note = serializers.CharField(help_text="What to know before its models are used; may be empty")
    models = EndpointModelRow(many=True)


@extend_schema_serializer(examples=[OpenApiExample("An endpoint", EXAMPLE)])
class EndpointRows(serializers.Serializer[Any]):
    """Servers with models."""

    results = EndpointRow(many=True)


class EndpointList(Endpoint):
    """Servers whose models your projects may use."""

    tag = "Corpora and runs"
    scope = Scope.READ
    queryset = Project.objects.none()

    @extend_schema(operation_id="endpoints", responses=EndpointRows)
    def get(self, request: Request) -> Response:
        """Return the servers whose models a project of yours may use, and these models."""
        projects = readers.projects(request.user).filter(archived_at=None)
        rows = [
            {"name": name, "note": models[0].endpoint.note, "models": models}
            for name, models in _models_by_endpoint(projects.only("public_id", "name")).items()
        ]
        return Response(EndpointRows({"results": rows}).data)


def _models_by_endpoint(projects: Iterable[Project]) -> Mapping[str, list[Model]]:
    """Return the models that at least one of the projects may use, by the name of the endpoint."""
    names = list(map(names_for_endpoints, projects))
    models = defaultdict(list)
    for model in endpoints().models.values():
        if any(model.endpoint.serves(*name) for name in names):
            models[model.endpoint.name].append(model)
    return models
