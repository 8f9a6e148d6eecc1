"""A server of the chat protocol for tests: it answers by a script, then as `answer` says.

    with serving(says("A cat sleeps."), fails(503)) as server:
        chat = Chat(model_of(server), NoLedger(), clock=time.clock, pause=time.pause)

`python -m tests.endpoint_server --seconds 0.5` serves until it is stopped, and prints its address.
With `--reorder` it answers the preset of this name.
"""

import argparse
import json
import random
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias
from uuid import UUID

from generation.endpoints.chat import Endpoint, Go, Model, Reply

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Response:
    """A response; `part_seconds` are between its bytes, `is_cut` ends it in the middle."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    part_seconds: float = 0.0
    is_cut: bool = False


def completion(text: Any, *, usage: Any = None, choice: Body | None = None) -> Body:
    """Return the body of an answer; `usage` False for none, `choice` for more fields of it."""
    first = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    tokens = {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
    body = {"id": "1", "model": "served", "system_fingerprint": "fp_1"}
    body["choices"] = [first | (choice or {})]
    return body if usage is False else body | {"usage": usage or tokens}


def says(text: Any, **more: Any) -> Response:
    return Response(body=json.dumps(completion(text, **more)).encode())


def sends(value: Any) -> Response:
    """Answer with other JSON, or with these bytes."""
    return Response(body=value if isinstance(value, bytes) else json.dumps(value).encode())


def fails(status: int, message: str = "no", **headers: str) -> Response:
    body = json.dumps({"error": {"message": message}}).encode()
    return Response(status, body, {key.replace("_", "-"): text for key, text in headers.items()})


def echo(body: Body) -> Response:
    return says(body["messages"][-1]["content"])


def reorder(body: Body) -> Response:
    """Answer the preset `reorder`: exchange two words of the sentence, which ones by the seed."""
    sentence = body["messages"][-1]["content"].splitlines()[-2].removeprefix("Sentence: ")
    words = sentence.split()
    first, second = random.Random(body["seed"]).sample(range(len(words)), 2)
    words[first], words[second] = words[second], words[first]
    return says(" ".join(words))


class Server:
    """`script` is answered first, one response a request; then what `answer` returns.

    `bodies` and `headers` are those of the requests so far; `most_at_once` were in progress.
    """

    def __init__(self, script: list[Response], answer: Callable[[Body], Response]) -> None:
        self.script, self.answer = script, answer
        self.address = ""
        self.seconds = 0.0
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.at_once = self.most_at_once = 0
        self.lock, self.ended = threading.Lock(), threading.Event()

    def respond(self, body: Body, headers: dict[str, str]) -> Response:
        with self.lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            response = self.script.pop(0) if self.script else None
        self.ended.wait(self.seconds)
        response = response or self.answer(body)
        with self.lock:
            self.at_once -= 1
        return response


@contextmanager
def serving(
    *script: Response, answer: Callable[[Body], Response] = echo, port: int = 0
) -> Iterator[Server]:
    server = Server([*script], answer)
    handler = type("Handler", (_Handler,), {"server_": server})
    with _HTTPServer(("127.0.0.1", port), handler) as http:
        server.address = f"http://127.0.0.1:{http.server_port}/v1"
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            http.shutdown()
            thread.join()


def model_of(server: Server, name: str = "local:small", **fields: Any) -> Model:
    """Return a model of the server; fields are those of Endpoint and Model."""
    endpoint = Endpoint(name.partition(":")[0], server.address)
    of_endpoint = {key: fields.pop(key) for key in [*fields] if hasattr(endpoint, key)}
    return Model(replace(endpoint, **of_endpoint), name, **{"served": "org/Small"} | fields)


class FakeTime:
    """Time that passes by pauses alone."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def clock(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


class MemoryLedger:
    """Keeps replies in memory, and says `go` once `after` replies were stored."""

    def __init__(self, *, tokens: int = 10**9, go: Go = Go.GO, after: int = 0) -> None:
        self.tokens, self.go, self.after = tokens, go, after
        self.replies: dict[UUID, Reply] = {}
        self.reserved: dict[UUID, int] = {}
        self.silences: set[str] = set()

    def stored(self, digests: Collection[UUID]) -> Mapping[UUID, Reply]:
        self.reserved.clear()
        return {digest: self.replies[digest] for digest in digests if digest in self.replies}

    def reserve(self, digest: UUID, tokens: int, cost: int) -> bool:
        if self.used + sum(self.reserved.values()) + tokens > self.tokens:
            return False
        self.reserved[digest] = tokens
        return True

    def store(self, replies: Sequence[Reply], *, silence: str = "") -> Go:
        self.silences.add(silence)
        for reply in replies:
            self.reserved.pop(reply.digest, None)
            self.replies[reply.digest] = reply
        return self.go if len(self.replies) >= self.after else Go.GO

    @property
    def used(self) -> int:
        return sum(reply.tokens_in + reply.tokens_out for reply in self.replies.values())


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    server_: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        response = self.server_.respond(body, dict(self.headers))
        if self.server_.ended.is_set():  # connections that are kept alive end, too
            self.close_connection = True
            return
        self.send_response(response.status)
        length = len(response.body) + (100 if response.is_cut else 0)
        for name, value in {"Content-Length": str(length), **response.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if response.part_seconds:
            for index in range(len(response.body)):
                self.wfile.write(response.body[index : index + 1])
                if self.server_.ended.wait(response.part_seconds):
                    break
        else:
            self.wfile.write(response.body)
        self.close_connection |= response.is_cut


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--reorder", action="store_true")
    arguments = parser.parse_args()
    answer = reorder if arguments.reorder else echo
    with serving(answer=answer, port=arguments.port) as server:
        server.seconds = arguments.seconds
        print(server.address, flush=True)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    main()
