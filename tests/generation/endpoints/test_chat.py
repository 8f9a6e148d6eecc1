from dataclasses import replace
from uuid import UUID

import pytest

from generation.endpoints.chat import (
    Endpoint,
    Model,
    Request,
    body_of,
    digest_of,
    estimated_tokens,
)

HOST = Endpoint("local", "http://127.0.0.1:8000/v1")
MODEL = Model(HOST, "local:small", served="org/Small", revision="2026-09")
REQUEST = Request((("user", "Rewrite: the cat sleeps."),), 0.8, 0.95, 64, seed=7)


def test_same_request_has_same_digest_in_later_versions():
    """Otherwise an upgrade would pay for all replies again."""
    assert digest_of(MODEL, REQUEST) == UUID("f227f743-5a83-2bd4-24a9-99de5eeb1d92")


@pytest.mark.parametrize(
    ("model", "request_"),
    [
        (replace(MODEL, served="org/Other"), REQUEST),
        (replace(MODEL, revision="2026-10"), REQUEST),
        (replace(MODEL, endpoint=replace(HOST, name="other")), REQUEST),
        (replace(MODEL, extra={"top_k": 20}), REQUEST),
        (MODEL, replace(REQUEST, temperature=0.9)),
        (MODEL, replace(REQUEST, seed=8)),
        (MODEL, replace(REQUEST, sample=1)),
    ],
)
def test_whatever_changes_the_answer_changes_the_digest(model: Model, request_: Request):
    assert digest_of(model, request_) != digest_of(MODEL, REQUEST)


def test_address_does_not_change_the_digest():
    moved = replace(MODEL, endpoint=replace(HOST, address="https://new.example/v1", parallel=2))

    assert digest_of(moved, REQUEST) == digest_of(MODEL, REQUEST)


def test_body_has_no_field_that_the_operator_did_not_declare():
    model = replace(MODEL, seed=False, tokens_field="max_completion_tokens", extra={"top_k": 20})

    assert body_of(model, replace(REQUEST, logprobs=5)) == {
        "model": "org/Small",
        "messages": [{"role": "user", "content": "Rewrite: the cat sleeps."}],
        "temperature": 0.8,
        "top_p": 0.95,
        "max_completion_tokens": 64,
        "top_k": 20,
    }


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("cat", 1), ("“cats”", 2), ("мир!", 2), ("猫が寝る。", 5)]
)
def test_tokens_are_estimated_by_script(text: str, tokens: int):
    assert estimated_tokens(text) == tokens
