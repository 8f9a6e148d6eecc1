"""A filled study, and the addresses of everything that is read of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from accounts.models import User
from tests.annotation.filled import Filled, filled, person

As = Callable[[str], APIClient]


@pytest.fixture
def study(db: None, settings: Settings, tmp_path: Path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    return filled()


@pytest.fixture
def addresses(study: Filled) -> dict[str, str]:
    """Of each endpoint, by its name."""
    project = f"/api/projects/{study.project.public_id}/"
    release = f"/api/releases/{study.release.public_id}/"
    run = study.project.runs.earliest("pk")
    return {
        "projects": "/api/projects/",
        "project": project,
        "pairs": f"{project}pairs/",
        "pair": f"/api/pairs/{study.decided.public_id}/",
        "releases": f"{project}releases/",
        "release": release,
        "file": f"{release}files/pairs.jsonl",
        "corpora": "/api/corpora/",
        "runs": "/api/runs/",
        "run": f"/api/runs/{run.public_id}/",
        "candidates": f"/api/runs/{run.public_id}/candidates/",
    }


@pytest.fixture
def as_(study: Filled) -> As:
    """A client of somebody who stands to the study as a word says."""

    def client(role: str) -> APIClient:
        return client_of(person(role, study.project))

    return client


def client_of(user: User | None) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client
