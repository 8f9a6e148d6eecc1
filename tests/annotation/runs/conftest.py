"""The manager of the project of the runs."""

import pytest

from tests.annotation.pages import client_of


@pytest.fixture
def manager(project):
    return client_of(project)
