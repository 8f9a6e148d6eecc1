"""Models behind endpoints that projects may use."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from annotation.models import Project
from generation.endpoints.chat import Model
from generation.installed_endpoints import endpoints


def models_by_endpoint(projects: Iterable[Project]) -> Mapping[str, list[Model]]:
    """Return the models that at least one of the projects may use, by the name of the endpoint."""
    rows = [(str(project.public_id), project.name) for project in projects]
    models = defaultdict(list)
    for model in endpoints().models.values():
        if any(model.endpoint.serves(*row) for row in rows):
            models[model.endpoint.name].append(model)
    return models
