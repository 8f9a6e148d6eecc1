"""A Hugging Face Hub with one small repository, on this machine."""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

COMMIT = "c" * 40


@dataclass
class Hub:
    """What the server holds, and what it was asked for.

    Attributes:
        repository: organisation/model.
        files: contents by name.
        licence: as the model's card states it.
        sent: what is sent of a file in the place of its contents.
        stalls_at: a file that is sent by half, until the server ends.
        requests: the paths that were asked for.
    """

    repository: str
    files: Mapping[str, bytes]
    licence: str = "mit"
    sent: dict[str, bytes] = field(default_factory=dict)
    stalls_at: str = ""
    requests: list[str] = field(default_factory=list)
    stalled: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def info(self) -> dict[str, Any]:
        """What is told of the repository."""
        siblings = [
            {"rfilename": name, "size": len(text), "lfs": _lfs(text)}
            for name, text in self.files.items()
        ]
        card = {"license": self.licence} if self.licence else {}
        return {"id": self.repository, "sha": COMMIT, "siblings": siblings, "cardData": card}

    def tree(self) -> list[dict[str, Any]]:
        """What is told of its files."""
        return [
            {"type": "file", "path": name, "size": len(text), "oid": _sha256(text)[:40]}
            for name, text in self.files.items()
        ]


@contextmanager
def serving(hub: Hub) -> Iterator[str]:
    """The address at which the hub answers."""
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        hub.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: Hub

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self, *, body: bool) -> None:
        path = self.path.partition("?")[0]
        self.hub.requests.append(path)
        models = f"/api/models/{self.hub.repository}"
        files = f"/{self.hub.repository}/resolve/{COMMIT}/"
        if path in (f"{models}/revision/main", f"{models}/revision/{COMMIT}"):
            self._send_json(self.hub.info())
        elif path == f"{models}/tree/{COMMIT}":
            self._send_json(self.hub.tree())
        elif path.startswith(files) and path.removeprefix(files) in self.hub.files:
            self._send_file(path.removeprefix(files), body=body)
        else:
            self._refuse("RepoNotFound" if models not in path else "RevisionNotFound")

    def _send_json(self, value: object) -> None:
        text = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _send_file(self, name: str, *, body: bool) -> None:
        text = self.hub.sent.get(name, self.hub.files[name])
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("ETag", f'"{_sha256(text)[:40]}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if body and name == self.hub.stalls_at:
            self.wfile.write(text[: len(text) // 2])
            self.wfile.flush()
            self.hub.stalled.set()
            self.hub.ended.wait(60)
        elif body:
            self.wfile.write(text)

    def _refuse(self, code: str) -> None:
        self.send_response(404)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()


def _lfs(text: bytes) -> dict[str, Any]:
    return {"sha256": _sha256(text), "size": len(text), "pointerSize": 130}


def _sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
