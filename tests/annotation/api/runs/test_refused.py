"""What cannot be started is refused by its name."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.models import Project
from generation.models import GenerationRun
from tests.annotation.api.runs.asking import asked, attributes, start
from tests.generation import fake

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("backwards"),
]


@pytest.mark.parametrize(
    ("changes", "attribute"),
    [
        ({"corpora": []}, "corpora"),
        ({"corpora": ["None"]}, "corpora.0"),
        ({"corpora": ["Tests", "Tests"]}, "corpora"),
        ({"corpora": [{"name": "Tests"}]}, "corpora.0"),
        ({"method": "imported"}, "method"),
        ({"method": ["word_swap"]}, "method"),
        ({"settings": [1]}, "settings"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63 - 1 + 0.5}, "seed"),
        ({"seed": "9" * 400}, "seed"),
        ({"project": "7"}, "project"),
        ({"previw": True}, "previw"),
    ],
)
def test_what_is_wrong_is_named(
    manager: APIClient, project: Project, changes: dict[str, Any], attribute: str
) -> None:
    fake.corpus(1)

    reply = start(manager, project, **changes)

    assert (reply.status_code, list(attributes(reply))) == (400, [attribute])
    assert not GenerationRun.objects.exists()


def test_a_setting_that_does_not_suit_the_method_is_named(
    manager: APIClient, project: Project
) -> None:
    fake.corpus(1)

    reply = start(manager, project, settings={"beem": 3})

    assert (reply.status_code, attributes(reply)) == (400, {"settings": "Unknown: beem."})


def test_a_run_whose_model_is_missing_does_not_start(manager: APIClient, project: Project) -> None:
    fake.corpus(1, "One")
    fake.corpus(1, "Two")

    reply = start(manager, project, corpora=["One", "Two"], settings={"model": "absent"})

    assert reply.status_code == 400
    assert attributes(reply) == {"non_field_errors": "The model is missing."}
    assert not GenerationRun.objects.exists()


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ('{"model": "a\\u0000b"}', "settings.model holds a NUL"),
        ('{"model": "\\ud800"}', "settings.model holds half of a surrogate"),
        ('{"\\udfff": 1}', "A name in settings holds half"),
        ('{"seconds": 1e999}', "settings.seconds is a number out of bounds"),
        ('{"seconds": NaN}', "NaN is not JSON"),
        (f'{{"seconds": {"9" * 400}}}', "settings.seconds is a number out of bounds"),
        (f'{{"seconds": {"9" * 5000}}}', "not JSON"),
        (f'{{"model": {"[" * 20}{"]" * 20}}}', "nested more than"),
        (f'{{"model": {"[" * 30_000}{"]" * 30_000}}}', "nested too deeply"),
        (f'{{"model": "{"x" * 70_000}"}}', "longer than"),
        ('{"model": ', "not JSON"),
    ],
)
def test_hostile_settings_are_refused(
    manager: APIClient, project: Project, settings: str, place: str
) -> None:
    fake.corpus(1)
    body = json.dumps(asked(project))[:-1] + f', "settings": {settings}}}'

    reply = manager.post("/api/runs/", body, content_type="application/json")

    assert reply.status_code == 400
    assert place in reply.json()["errors"][0]["detail"]
    assert not GenerationRun.objects.exists()


def test_a_body_that_is_no_object_or_no_text_is_refused(manager: APIClient) -> None:
    for body in (b"[]", b"\xff\xfe", b""):
        reply = manager.generic("POST", "/api/runs/", body, content_type="application/json")
        assert reply.status_code == 400, body
