"""Bodies that nobody should send over REST: each is refused, none brings the server down."""

import json

import pytest
from rest_framework.test import APIClient

from generation.models import GenerationRun
from tests.generation import hostile

pytestmark = [pytest.mark.django_db]
BODIES = {
    *hostile.BAD,
    *hostile.BAD_JSON,
    *(b'{"corpora": ["' + each + b'"]}' for each in hostile.BAD),
    *(b'{"seed": ' + each + b"}" for each in hostile.BAD_JSON),
    *(json.dumps({"corpora": [each], "method": each}).encode() for each in hostile.GOOD),
}


def test_each_is_refused(manager: APIClient) -> None:
    manager.raise_request_exception = False
    replies = {body[:60]: _status(manager, body) for body in BODIES}

    assert {body: status for body, status in replies.items() if status != 400} == {}
    assert not GenerationRun.objects.exists()


def test_one_of_three_million_bytes_is_refused(manager: APIClient) -> None:
    manager.raise_request_exception = False
    assert _status(manager, b'{"corpora": ["' + b"x" * 3_000_000 + b'"]}') in {400, 413}


def _status(manager: APIClient, body: bytes) -> int:
    reply = manager.generic("POST", "/api/runs/", body, content_type="application/json")
    return reply.status_code
