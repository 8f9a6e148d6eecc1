"""A server that is told of events: it keeps what it gets, and answers as its script says."""

import base64
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

KEY = b"0123456789abcdefghijklmnopqrstuv"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0  # before each byte of the body


@dataclass
class Receiver:
    """`script` is answered first, then `answer`; `got` are the ids and bodies that arrived."""

    port: int
    script: list[Answer]
    answer: Answer = Answer()
    got: list[tuple[str, Any]] = field(default_factory=list)
    forged: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/pawsmith?of=lab"

    @property
    def ids(self) -> list[str]:
        return [message_id for message_id, _ in self.got]

    def take(self, headers: Any, body: bytes) -> Answer:
        """Check the signature as a receiver of its own would, and keep the message."""
        message_id, moment = headers["webhook-id"], headers["webhook-timestamp"]
        digest = hmac.digest(KEY, b".".join([message_id.encode(), moment.encode(), body]), "sha256")
        is_ours = headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
        self.forged += not is_ours
        self.got.append((message_id, json.loads(body)))
        return self.script.pop(0) if self.script else self.answer


@contextmanager
def receiving(*script: Answer, port: int = 0) -> Iterator[Receiver]:
    handler = type("Handler", (_Handler,), {})
    with _Server(("127.0.0.1", port), handler) as http:
        http.daemon_threads, http.block_on_close = True, False
        handler.receiver = receiver = Receiver(http.server_port, [*script])
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield receiver
        finally:
            receiver.ended.set()
            http.shutdown()
            thread.join()
    assert receiver.forged == 0


def name_target(folder: Path, receiver: Receiver, *lines: str, name: str = "lab") -> Path:
    """Write a file of webhooks with one target, and its secret; return the file."""
    secret, file = folder / f"{name}.secret", folder / "webhooks.toml"
    secret.write_text(f"{SECRET}\n")
    table = [f"[{name}]", f'address = "{receiver.address}"', f'secret_file = "{secret}"', *lines]
    file.write_text("\n".join(table))
    return file


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = self.receiver.take(self.headers, body)
        self.send_response(answer.status)
        for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        for byte in answer.body:
            self.receiver.ended.wait(answer.seconds)
            self.wfile.write(bytes([byte]))

    def do_GET(self) -> None:
        """A redirect that was followed arrives here."""
        self.receiver.got.append(("followed", None))
        self.send_response(200)
        self.end_headers()
