"""Sends a model many requests in parallel. Replies are stored before they are handed on."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeAlias
from uuid import UUID

import httpx2

from generation.endpoints.answers import Secret
from generation.endpoints.chat import (
    EndpointDown,
    EndpointError,
    EndpointRefused,
    Go,
    Interrupted,
    Ledger,
    Model,
    Reply,
    Request,
    digest_of,
)
from generation.endpoints.config import read_key
from generation.endpoints.sender import TRIES, Failure, Sender, new_client, refused_reply

# Seconds after which the ledger is asked whether to go on, if no reply arrives.
LONGEST_SILENCE = 2.0
# Seconds without a reply after which the ledger gets the reason of failing tries.
SILENT_AFTER = 10.0
FAILURES_IN_A_ROW = 10
REFUSED_AT_THE_START = 20
SECONDS_TO_END = 10.0

Outcome: TypeAlias = Reply | Failure | Exception


class Chat:
    """Asks one model. Requests are sent from a separate thread; the caller's thread alone uses
    the ledger.
    """

    def __init__(
        self,
        model: Model,
        ledger: Ledger,
        *,
        tries: int = TRIES,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.model, self.ledger = model, ledger
        self._tries, self._clock, self._pause = tries, clock, pause
        self._answered = self._refused = 0
        self._excess_in = self._excess_out = 0

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Return the reply to each different request, in any order; stored ones come first.

        Raises Interrupted if the ledger says to stop, EndpointDown, and EndpointRefused. All
        replies that arrived before are stored.
        """
        by_digest = {digest_of(self.model, request): request for request in requests}
        stored = self.ledger.stored(by_digest.keys())
        for digest, reply in stored.items():
            self.note_tokens(by_digest[digest], reply)
        yield from stored.values()
        new = {digest: by_digest[digest] for digest in by_digest if digest not in stored}
        if not new:
            return
        secret = Secret(read_key(self.model.endpoint))
        with _running_loop() as loop:
            client = new_client(self.model, secret)
            sender = Sender(
                self.model,
                secret,
                client,
                tries=self._tries,
                clock=self._clock,
                pause=self._pause,
            )
            asking = _Asking(self, new, sender, loop)
            try:
                yield from asking.replies()
            finally:
                asking.cancel()
                asyncio.run_coroutine_threadsafe(_close(client), loop).result()

    def reserve_of(self, request: Request) -> tuple[int, int]:
        """Return the most tokens that a request probably sends and receives.

        Servers may add text of their own, or let a model think beyond `max_tokens`: the largest
        excess so far counts for each request.
        """
        return request.most_tokens_in + self._excess_in, request.max_tokens + self._excess_out

    def note_tokens(self, request: Request, reply: Reply) -> None:
        self._excess_in = max(self._excess_in, reply.tokens_in - request.most_tokens_in)
        self._excess_out = max(self._excess_out, reply.tokens_out - request.max_tokens)

    def check_refusals(self, reply: Reply) -> None:
        """Raises EndpointRefused if the first requests were all refused."""
        self._answered += not reply.refused
        self._refused += bool(reply.refused)
        if not self._answered and self._refused >= REFUSED_AT_THE_START:
            raise EndpointRefused(
                f"{self.model.endpoint.name} refused the first {self._refused} requests: "
                f"{reply.refused}"
            )


class _Asking:
    """The requests of one call: those that wait, those sent, and replies not stored yet.

    A place is free again once its reply is stored, so a process that dies pays at most for as many
    replies again as the endpoint allows in parallel.
    """

    def __init__(
        self,
        chat: Chat,
        requests: Mapping[UUID, Request],
        sender: Sender,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.chat, self.requests, self.sender, self.loop = chat, requests, sender, loop
        self.waiting = deque(requests)
        self.in_flight = 0
        self.sent: list[Future[None]] = []
        self.outcomes: SimpleQueue[tuple[UUID, Outcome]] = SimpleQueue()
        self.unstored: list[Reply] = []
        self.failed: set[UUID] = set()
        self.failures_in_a_row = 0
        self.last_reply = time.monotonic()

    def replies(self) -> Iterator[Reply]:
        try:
            self._send()
            while self.in_flight:
                self._receive()
                replies = self._store()
                self._send()  # the server works while the caller does
                yield from replies
        except (EndpointError, GeneratorExit, KeyboardInterrupt):
            self._end(seconds=0.0)
            raise
        if self.waiting:
            raise Interrupted(Go.LIMIT)

    def cancel(self) -> None:
        for future in self.sent:
            future.cancel()

    def _send(self) -> None:
        """Send as many requests as there are free places, and as the limit allows."""
        while self.waiting and self.in_flight < self.chat.model.endpoint.parallel:
            digest = self.waiting[0]
            request = self.requests[digest]
            tokens = self.chat.reserve_of(request)
            if not self.chat.ledger.reserve(digest, sum(tokens), self.chat.model.cost(*tokens)):
                return
            self.waiting.popleft()
            self.in_flight += 1
            outcome = self._outcome(digest, request)
            self.sent.append(asyncio.run_coroutine_threadsafe(outcome, self.loop))

    async def _outcome(self, digest: UUID, request: Request) -> None:
        try:
            self.outcomes.put((digest, await self.sender.send(digest, request)))
        except Exception as error:
            self.outcomes.put((digest, error))

    def _receive(self) -> None:
        """Wait for an outcome, and take the others that are there."""
        timeout = LONGEST_SILENCE
        with suppress(Empty):
            while self.in_flight:
                digest, outcome = self.outcomes.get(timeout=timeout)
                self.in_flight -= 1
                self._take(digest, outcome)
                timeout = 0.0

    def _take(self, digest: UUID, outcome: Outcome) -> None:
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, Reply):
            self.failures_in_a_row = 0
            self.last_reply = time.monotonic()
            self.unstored.append(outcome)
            self.chat.note_tokens(self.requests[digest], outcome)
            self.chat.check_refusals(outcome)
        else:
            self._note_failure(digest, outcome)

    def _note_failure(self, digest: UUID, failure: Failure) -> None:
        """Ask once more at the end; if that fails too, the server is down or refuses the text."""
        self.failures_in_a_row += 1
        is_second = digest in self.failed
        if self.failures_in_a_row >= FAILURES_IN_A_ROW or (is_second and failure.is_down):
            raise EndpointDown(self._silence(failure.reason))
        if is_second:
            self.unstored.append(refused_reply(self.chat.model, digest, failure.reason))
        else:
            self.failed.add(digest)
            self.waiting.append(digest)

    def _store(self) -> list[Reply]:
        replies, self.unstored = self.unstored, []
        is_silent = time.monotonic() - self.last_reply >= SILENT_AFTER
        failing = self.sender.failing if is_silent else ""
        go = self.chat.ledger.store(replies, silence=failing and self._silence(failing))
        if go is not Go.GO:
            self._end(SECONDS_TO_END)
            raise Interrupted(go)
        return replies

    def _silence(self, reason: str) -> str:
        return f"{self.chat.model.endpoint.name} does not answer: {reason.rstrip('.')}."

    def _end(self, seconds: float) -> None:
        """Send nothing more; store what has arrived, and what arrives in these seconds."""
        self.sender.is_stopping = True
        end = time.monotonic() + seconds
        with suppress(Empty):
            while self.in_flight:
                _, outcome = self.outcomes.get(timeout=max(0.0, end - time.monotonic()))
                self.in_flight -= 1
                if isinstance(outcome, Reply):
                    self.unstored.append(outcome)
        self.chat.ledger.store(self.unstored)


@contextmanager
def _running_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in a thread; at the end, tasks that still run are cancelled."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="endpoint", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _close(client: httpx2.AsyncClient) -> None:
    """Wait for what was cancelled. Tasks of the client's library are its own to cancel."""
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)
    await client.aclose()
