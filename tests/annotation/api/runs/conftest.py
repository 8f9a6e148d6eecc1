"""A project whose manager starts and steers runs of the method of tests.generation.fake."""

from unittest.mock import Mock

import pytest
from rest_framework.test import APIClient

from annotation.models import Project
from generation import tasks
from tests.annotation import cast
from tests.annotation.api.conftest import As, client_of
from tests.annotation.filled import person


@pytest.fixture
def project(db: None) -> Project:
    """Nothing is in it yet."""
    return cast.study()


@pytest.fixture
def as_(project: Project) -> As:
    return lambda role: client_of(person(role, project))


@pytest.fixture
def manager(as_: As) -> APIClient:
    return as_("manager")


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> Mock:
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)
    return wake
