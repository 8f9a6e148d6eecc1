"""How tests ask for runs over REST."""

from typing import Any

from rest_framework.test import APIClient

from annotation.models import Project
from annotation.services import projects
from generation.models import GenerationRun
from tests.generation import fake


def asked(project: Project, /, **changes: Any) -> dict[str, Any]:
    return {
        "project": str(project.public_id),
        "corpora": ["Tests"],
        "method": "word_swap",
    } | changes


def start(client: APIClient, project: Project, /, **changes: Any) -> Any:
    return client.post("/api/runs/", asked(project, **changes), format="json")


def steer(client: APIClient, run: GenerationRun, action: str) -> Any:
    return client.post(f"/api/runs/{run.public_id}/{action}/")


def adopted(project: Project, size: int = 12, **settings: Any) -> GenerationRun:
    """A run that the project has adopted."""
    run = fake.run(fake.corpus(size), **settings)
    projects.adopt(project, run)
    return run


def attributes(reply: Any) -> dict[str, str]:
    """What was wrong, by the name of what was asked."""
    return {error["attr"]: error["detail"] for error in reply.json()["errors"]}
