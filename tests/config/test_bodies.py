"""A body that is too large is refused before any of it is read or kept."""

import pytest
from django.test import Client

from config.bodies import LARGEST
from tests.config.production import ROOT


class Untouched:
    """A body that must not be read."""

    def read(self, *_: object) -> bytes:
        raise AssertionError("it was read")

    readline = read


@pytest.mark.parametrize("path", ["/accounts/login/", "/api/runs/", "/nothing/"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "application/json"])
def test_it_is_answered_by_413(path: str, kind: str) -> None:
    reply = _send(Client(), path, LARGEST + 1, kind)

    assert reply.status_code == 413
    assert "too large" in reply.text


@pytest.mark.django_db
@pytest.mark.parametrize("length", ["", "nonsense", "-1"])
def test_a_length_that_is_none_is_no_length(length: str) -> None:
    assert _send(Client(), "/accounts/login/", length, "application/json").status_code < 500


@pytest.mark.django_db
def test_control_a_body_of_the_largest_size_is_read() -> None:
    with pytest.raises(AssertionError, match="it was read"):
        _send(Client(), "/accounts/login/", LARGEST, "multipart/form-data; boundary=x")


def test_the_proxy_allows_as_much() -> None:
    caddy = (ROOT / "deploy" / "Caddyfile").read_text()
    assert f"max_size {LARGEST // 1_000_000}MB" in caddy


def _send(client: Client, path: str, length: object, kind: str) -> object:
    body = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, "wsgi.input": Untouched()}
    return client.generic("POST", path, **body)
