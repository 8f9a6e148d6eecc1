"""Sends one request to a server, again where that can help, within bounds of time and bytes."""

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

import httpx2

from generation.endpoints.answers import MOST_BYTES, Secret, Unreadable, read_reply
from generation.endpoints.chat import EndpointRefused, Model, Reply, Request, body_of

TRIES = 7
# Seconds in which a request may be tried again, and the longest pause before that.
LONGEST = 300.0
LONGEST_PAUSE = 60.0
TRY_AGAIN = {408, 409, 425, 429}
# All requests would fail alike: a person must correct the file or the server.
REFUSES_ALL = {
    401: "its key may be wrong",
    402: "its account may have no credit left",
    403: "its key may not use this model",
    404: "its address or the name of the model may be wrong",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without an answer after all tries; `is_down` if the server may be down or busy."""

    reason: str
    is_down: bool


class _Failed(Exception):
    """One try failed, and another one can help. `pause`: the seconds that the server asks for."""

    def __init__(self, reason: str, *, is_down: bool, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.failure = Failure(reason, is_down)
        self.pause = pause


class Sender:
    """Sends requests for one model, a limited number a minute.

    `clock` and `pause` are replaced by tests.
    """

    def __init__(
        self,
        model: Model,
        secret: Secret,
        client: httpx2.AsyncClient,
        *,
        tries: int,
        clock: Callable[[], float],
        pause: Callable[[float], Awaitable[object]],
    ) -> None:
        self._model, self._secret, self._client = model, secret, client
        self._tries, self._clock, self._pause = tries, clock, pause
        self._next_start = 0.0
        self.is_stopping = False
        # Why a try failed since the last answer, if the server may be down.
        self.failing = ""

    async def send(self, digest: UUID, request: Request) -> Reply | Failure:
        """Raises EndpointRefused if the server refuses whatever it is asked."""
        end = self._clock() + LONGEST
        tried = 0
        while True:
            await self._wait_for_turn()
            if self.is_stopping:
                return Failure("it was not sent", is_down=False)
            try:
                reply = await self._try(digest, request)
            except _Failed as error:
                if error.failure.is_down:
                    self.failing = error.failure.reason
                tried += 1
                pause = max(error.pause, min(2 ** (tried - 1), LONGEST_PAUSE) * _jitter())
                if tried == self._tries or self._clock() + pause > end:
                    return error.failure
            else:
                self.failing = ""
                return reply
            await self._pause(pause)

    async def _wait_for_turn(self) -> None:
        if per_minute := self._model.endpoint.per_minute:
            start = max(self._next_start, self._clock())
            self._next_start = start + 60 / per_minute
            if start > self._clock():
                await self._pause(start - self._clock())

    async def _try(self, digest: UUID, request: Request) -> Reply:
        endpoint, began = self._model.endpoint, self._clock()
        try:
            async with asyncio.timeout(endpoint.timeout):
                status, headers, body = await self._post(request)
        except TimeoutError:
            reason = f"no whole answer within {endpoint.timeout:g} seconds"
            raise _Failed(reason, is_down=True) from None
        except httpx2.HTTPError as error:
            reason = f"the connection failed ({type(error).__name__})"
            raise _Failed(reason, is_down=True) from None
        self._raise_for_status(status, headers, body)
        if status >= 400 or len(body) > MOST_BYTES:
            too_long = f"an answer of more than {MOST_BYTES:,} bytes"
            refused = too_long if status < 400 else f"{status}: {self._secret.quote(body)}"
            return refused_reply(self._model, digest, refused, self._clock() - began)
        try:
            seconds = self._clock() - began
            return read_reply(body, self._model, request, digest, self._secret, seconds)
        except Unreadable as error:
            reason = f"{error}: {self._secret.quote(body)}"
            raise _Failed(reason, is_down=False) from error

    async def _post(self, request: Request) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and the body, up to the first part beyond the most bytes."""
        url = f"{self._model.endpoint.address}/chat/completions"
        content = json.dumps(body_of(self._model, request), ensure_ascii=False).encode()
        body = bytearray()
        async with self._client.stream("POST", url, content=content) as response:
            async for part in response.aiter_raw():
                body += part
                if len(body) > MOST_BYTES:
                    break
        return response.status_code, response.headers, bytes(body)

    def _raise_for_status(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        name = self._model.endpoint.name
        if status in REFUSES_ALL or 300 <= status < 400:
            why = REFUSES_ALL.get(status, "it leads to another address, which is not followed")
            raise EndpointRefused(
                f"{name} answered {status}: {why}. Ask the administrator of this installation."
            )
        if status in TRY_AGAIN or status >= 500:
            reason = f"{status}: {self._secret.quote(body)}"
            is_down = status != 500
            raise _Failed(reason, is_down=is_down, pause=_seconds(headers.get("Retry-After", "")))


def new_client(model: Model, secret: Secret) -> httpx2.AsyncClient:
    """Return a client that follows no redirects and takes no compressed bodies, which can be huge
    when unpacked.
    """
    parallel = model.endpoint.parallel
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    return httpx2.AsyncClient(
        headers=headers | secret.headers,
        timeout=httpx2.Timeout(None, connect=10.0),
        limits=httpx2.Limits(max_connections=parallel, max_keepalive_connections=parallel),
        follow_redirects=False,
    )


def refused_reply(model: Model, digest: UUID, reason: str, seconds: float = 0.0) -> Reply:
    return Reply(
        digest=digest,
        model=model.name,
        text="",
        finish="",
        tokens_in=0,
        tokens_out=0,
        estimated=False,
        cost=0,
        logprobs={},
        reported="",
        seconds=seconds,
        refused=reason,
    )


def _jitter() -> float:
    """Spread the pauses of many requests, which would otherwise come back together."""
    return random.uniform(0.75, 1.25)


def _seconds(header: str) -> float:
    """Return what Retry-After asks for, at most a minute; 0 for a date or nonsense."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", header.strip()):
        return 0.0
    return min(float(header), LONGEST_PAUSE)
