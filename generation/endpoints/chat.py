"""Requests to a model, its replies, and the ledger that keeps them: each reply is paid once."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import blake2b
from typing import Any, Protocol, TypeAlias
from uuid import UUID

# The role ("system", "user" or "assistant") and the text.
Message: TypeAlias = tuple[str, str]


class EndpointError(Exception):
    """Base class. `str(error)` can be shown to managers: it has no key, address or path."""


class EndpointDown(EndpointError):
    """The server does not answer, or fails for every request. Ask again later."""


class EndpointRefused(EndpointError):
    """The server or the operator's file refuses all requests, so asking again cannot help."""


class UnknownModel(EndpointError):
    """The operator's file has no model of this name."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that the operator's file names. The key stays where `key_file` or `key_env` says.

    Attributes:
        address: what comes before /chat/completions.
        parallel: simultaneous requests, for each process.
        timeout: seconds for a whole reply.
        per_minute: requests that each process may start in a minute; 0 for any number.
        note: what managers read before they choose one of its models.
        projects: names or ids of the projects that may use it; empty for all.
        keep_days: how long replies are kept after the end of the work that paid for them.
    """

    name: str
    address: str
    key_file: str = ""
    key_env: str = ""
    parallel: int = 16
    timeout: float = 120.0
    per_minute: int = 0
    note: str = ""
    projects: tuple[str, ...] = ()
    keep_days: int = 90

    @property
    def has_key(self) -> bool:
        return bool(self.key_file or self.key_env)

    def serves(self, *names: str) -> bool:
        """Whether a project may use it, from its name and its id."""
        return not self.projects or not {*names}.isdisjoint(self.projects)


@dataclass(frozen=True, slots=True)
class Model:
    """A model of an endpoint.

    Attributes:
        name: as settings name it: "local:qwen3-8b".
        served: its name on the server, sent as `model`.
        revision: what the operator knows of its weights.
        price_in, price_out: for a million tokens that are sent or received, in `currency`.
        most_tokens: the highest limit that a manager may set for a run or task; 0 for none.
        seed, logprobs: whether the server understands these fields.
        tokens_field: the field for the largest length of a reply.
        extra: more fields of the body, sent as they are.
    """

    endpoint: Endpoint
    name: str
    served: str
    revision: str = ""
    price_in: float = 0.0
    price_out: float = 0.0
    currency: str = ""
    most_tokens: int = 0
    seed: bool = True
    logprobs: bool = False
    tokens_field: str = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_priced(self) -> bool:
        return bool(self.currency)

    @property
    def identity(self) -> dict[str, str]:
        """What makes two replies comparable. Not the address: servers move, and releases say it."""
        parts = {"name": self.name, "served": self.served, "revision": self.revision}
        return {key: value for key, value in parts.items() if value}

    def cost(self, tokens_in: int, tokens_out: int) -> int:
        """Return the cost in millionths of the currency; 0 for a model without prices."""
        return round(self.price_in * tokens_in + self.price_out * tokens_out)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model, for one answer.

    Attributes:
        max_tokens: the largest length of the answer.
        seed: sent if the model understands it.
        sample: makes otherwise equal requests different, so that each gets its own answer.
        logprobs: how many of the likeliest first tokens to return with their log probability.
    """

    messages: tuple[Message, ...]
    temperature: float
    top_p: float
    max_tokens: int
    seed: int
    sample: int = 0
    logprobs: int = 0

    @property
    def most_tokens_in(self) -> int:
        """An estimate from above of the tokens sent: one for each two bytes, and some for roles."""
        return sum(len(text.encode()) // 2 + 8 for _, text in self.messages)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request, as it arrived.

    Attributes:
        digest: of its request, by `digest_of`.
        model: the name of the model, such as "local:qwen3-8b".
        text: without what the model thought before it answered; "" if refused.
        finish: why the answer ended, as the server says: "stop", or "length" if it was cut off.
        estimated: whether the tokens are an estimate, as the server did not count them.
        cost: in millionths of the model's currency.
        logprobs: of the likeliest first tokens, if asked for and given.
        reported: model and fingerprint, as the server says.
        seconds: from sending to the end of the reply, of the last try.
        refused: why the server does not answer this request, if it does not.
    """

    digest: UUID
    model: str
    text: str
    finish: str
    tokens_in: int
    tokens_out: int
    estimated: bool
    cost: int
    logprobs: Mapping[str, float]
    reported: str
    seconds: float
    refused: str = ""


def is_name(model: str) -> bool:
    """Whether a setting names a model behind an endpoint: other models have no colon."""
    return ":" in model


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has: a third of its characters, outside Latin, Greek
    and Cyrillic one for each character.
    """
    others = sum(
        character > "\u052f" and not "\u1e00" <= character <= "\u206f" for character in text
    )
    return -(-(len(text) - others) // 3) + others


def body_of(model: Model, request: Request) -> dict[str, Any]:
    """Return what is sent: no field that the operator did not declare, as servers refuse these."""
    body: dict[str, Any] = {
        "model": model.served,
        "messages": [{"role": role, "content": text} for role, text in request.messages],
        "temperature": float(request.temperature),
        "top_p": float(request.top_p),
        model.tokens_field: request.max_tokens,
    }
    if model.seed:
        body["seed"] = request.seed
    if model.logprobs and request.logprobs:
        body |= {"logprobs": True, "top_logprobs": request.logprobs}
    return body | dict(model.extra)


def digest_of(model: Model, request: Request) -> UUID:
    """Return the digest by which a reply is found again: of the model, the body and the sample."""
    parts = [
        model.endpoint.name,
        model.served,
        model.revision,
        body_of(model, request),
        request.sample,
    ]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return UUID(bytes=blake2b(text.encode(), digest_size=16).digest())


class Go(Enum):
    """Whether to go on, and if not, why."""

    GO = "go"
    STOPPED = "stopped"  # a person paused or cancelled the work, or the worker ends
    LIMIT = "limit"  # the limit of tokens or cost is reached
    LATE = "late"  # the batch takes too long for its lease


class Interrupted(Exception):
    """The ledger says to stop. What arrived is stored, and need not be asked again."""

    def __init__(self, go: Go) -> None:
        super().__init__(go.value)
        self.go = go


class Ledger(Protocol):
    """Keeps replies, and says whether to go on. One thread calls it."""

    def stored(self, digests: Collection[UUID]) -> Mapping[UUID, Reply]:
        """Return those replies that are kept already."""

    def reserve(self, digest: UUID, tokens: int, cost: int) -> bool:
        """Reserve the most that a request can use; False if that would exceed a limit.

        `store` frees what was reserved for its replies.
        """

    def store(self, replies: Sequence[Reply], *, silence: str = "") -> Go:
        """Keep new replies, but for those with `refused`: the server may be changed.

        `silence` says that the server has not answered for some time, and why; "" if it answers.

        Called whenever replies have arrived, and after 2 seconds without any, to ask whether to go
        on.
        """


class NoLedger:
    """Keeps nothing and has no limits."""

    def stored(self, digests: Collection[UUID]) -> Mapping[UUID, Reply]:
        return {}

    def reserve(self, digest: UUID, tokens: int, cost: int) -> bool:
        return True

    def store(self, replies: Sequence[Reply], *, silence: str = "") -> Go:
        return Go.GO
