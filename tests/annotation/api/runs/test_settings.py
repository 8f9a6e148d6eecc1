"""Settings of the real methods over REST: what does not suit one is refused by its name."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Project
from generation import methods
from tests.generation import fake

pytestmark = [pytest.mark.django_db]

WRONG = ({}, None)


@pytest.mark.parametrize("method", methods.METHODS)
def test_a_setting_of_another_type_is_refused(
    manager: APIClient, project: Project, method: str
) -> None:
    fake.corpus(1)
    asked = {"project": str(project.public_id), "corpora": ["Tests"], "method": method}

    for name in methods.named(method).configure({}):
        for value in WRONG:
            reply = manager.post("/api/runs/", asked | {"settings": {name: value}}, format="json")
            assert reply.status_code == 400, (name, value)
            assert name in reply.json()["errors"][0]["detail"], (name, value)
