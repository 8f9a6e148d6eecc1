"""Reads what a server answers: the text, the tokens used and log probabilities."""

import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from common import bounded_json
from common.bounded_json import InvalidJSON
from generation.endpoints.chat import Model, Reply, Request, estimated_tokens

MOST_BYTES = 1_000_000
MOST_CHARACTERS = 20_000
MOST_QUOTED = 200
# A server that reports more has lost count.
_MOST_TOKENS = 10_000_000


class Unreadable(Exception):
    """The body has no answer of the chat protocol; the message says why."""


class Secret:
    """The key of an endpoint, which texts of its server must not show.

    Short keys are words such as "ollama", which protect nothing and occur in texts.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        in_json = json.dumps(key)[1:-1]
        self._forms = {key, in_json, in_json.replace("/", "\\/")} if len(key) >= 8 else set()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def blot_out(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, "[key]")
        return text

    def quote(self, body: bytes) -> str:
        """Return the beginning of a body in one line, for an error."""
        text = self.blot_out(body[:MOST_BYTES].decode(errors="replace"))
        return " ".join(text.replace("\0", "").split())[:MOST_QUOTED]


def read_reply(
    body: bytes, model: Model, request: Request, digest: UUID, secret: Secret, seconds: float
) -> Reply:
    """Return the reply in the body of a response. Raises Unreadable."""
    try:
        value = bounded_json.read(body, most=MOST_BYTES)
    except InvalidJSON as error:
        raise Unreadable("an answer that is not JSON") from error
    answer = _mapping(value)
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or "message" not in _mapping(choices[0]):
        raise Unreadable("an answer without choices")
    choice = _mapping(choices[0])
    content = _content(choice["message"])
    text = secret.blot_out(_without_thoughts(content))
    finish = "length" if len(text) > MOST_CHARACTERS else _line(choice.get("finish_reason"), secret)
    counted = _usage(answer)
    tokens_in, tokens_out = counted or _estimated_usage(request, content)
    reported = [_line(answer.get(name), secret) for name in ("model", "system_fingerprint")]
    return Reply(
        digest=digest,
        model=model.name,
        text=text[:MOST_CHARACTERS],
        finish=finish,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        estimated=counted is None,
        cost=model.cost(tokens_in, tokens_out),
        logprobs=_logprobs(choice, secret) if request.logprobs else {},
        reported=" ".join(filter(None, reported)),
        seconds=seconds,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _line(value: Any, secret: Secret) -> str:
    return secret.quote(value.encode()) if isinstance(value, str) else ""


def _content(message: Any) -> str:
    """Return the text of a message, which some servers send in parts, and its thoughts apart."""
    content = _mapping(message).get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = [_mapping(part).get("text") for part in parts if _mapping(part).get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _without_thoughts(text: str) -> str:
    """Return what follows the thoughts; some templates of models begin them without a mark.

    >>> _without_thoughts("<think>The cat...</think>\\n\\nA cat sleeps.")
    'A cat sleeps.'
    """
    if "</think>" in text:
        return text.rpartition("</think>")[2].strip()
    return "" if re.match(r"\s*<think>", text) else text


def _usage(answer: Mapping[str, Any]) -> tuple[int, int] | None:
    usage = _mapping(answer.get("usage"))
    match [usage.get("prompt_tokens"), usage.get("completion_tokens")]:
        case [int(sent), int(received)] if (
            0 <= min(sent, received) <= _MOST_TOKENS >= max(sent, received)
        ):
            return sent, received
    return None


def _estimated_usage(request: Request, content: str) -> tuple[int, int]:
    sent = sum(estimated_tokens(text) for _, text in request.messages)
    return sent, estimated_tokens(content)


def _logprobs(choice: Mapping[str, Any], secret: Secret) -> dict[str, float]:
    """Return the log probabilities of the likeliest first tokens; {} if there are none."""
    tokens = _mapping(choice.get("logprobs")).get("content")
    if not isinstance(tokens, list) or not tokens:
        return {}
    likeliest = _mapping(tokens[0]).get("top_logprobs")
    rows = [_mapping(row) for row in likeliest] if isinstance(likeliest, list) else []
    return {
        secret.blot_out(row["token"]): float(row["logprob"])
        for row in rows
        if isinstance(row.get("token"), str) and isinstance(row.get("logprob"), (int, float))
    }
