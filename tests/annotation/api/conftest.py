"""A filled study with the addresses of everything that is read of it, and one that is judged."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from accounts.models import User
from annotation.models import Guest, GuestJudgment, Membership, Project
from tests.annotation import cast, judged
from tests.annotation.filled import Filled, filled, person

As = Callable[[str], APIClient]


@pytest.fixture
def study(db: None, settings: Settings, tmp_path: Path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    return filled()


@pytest.fixture
def guest(study: Filled) -> Guest:
    """A model that has labelled the decided pair."""
    guest = Guest.objects.create(project=study.project, name="large-judge", revision="7")
    GuestJudgment.objects.create(guest=guest, pair=study.decided, label=1, score=0.75)
    return guest


@pytest.fixture
def addresses(study: Filled, guest: Guest) -> dict[str, str]:
    """Of each endpoint, by its name."""
    project = f"/api/projects/{study.project.public_id}/"
    release = f"/api/releases/{study.release.public_id}/"
    run = study.project.runs.earliest("pk")
    return {
        "projects": "/api/projects/",
        "project": project,
        "pairs": f"{project}pairs/",
        "pair": f"/api/pairs/{study.decided.public_id}/",
        "judgments": f"{project}judgments/",
        "corrections": f"{project}corrections/",
        "agreement": f"{project}agreement/",
        "annotators": f"{project}annotators/",
        "guests": f"{project}guests/",
        "guest": f"/api/guests/{guest.public_id}/judgments/",
        "project_releases": f"{project}releases/",
        "releases": "/api/releases/",
        "release": release,
        "file": f"{release}files/pairs.jsonl",
        "corpora": "/api/corpora/",
        "corpus": f"/api/corpora/{run.corpus.name}/",
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


@pytest.fixture
def project(db: None) -> Project:
    """Two pairs, each judged alike by two people, and by a third who differs."""
    project = cast.study(judgments_per_pair=3, consensus_min_votes=3)
    cast.pairs(project, 2)
    judged.all_that_is_open(project, [1, 1, 0])
    return project


@pytest.fixture
def manager(project: Project) -> APIClient:
    return client_of(cast.person(project, role=Membership.Role.MANAGER).user)


@pytest.fixture
def researcher(project: Project) -> APIClient:
    return client_of(cast.person(project, role=Membership.Role.RESEARCHER).user)


def client_of(user: User | None) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client
