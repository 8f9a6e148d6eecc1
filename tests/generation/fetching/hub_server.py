"""A Hugging Face Hub with one small repository, on this machine."""

import hashlib
import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "c" * 40


@dataclass
class Hub:
    """What the server holds, and what it was asked for."""

    repository: str  # organisation/model
    files: dict[str, bytes]
    sent: dict[str, bytes] = field(default_factory=dict)  # in the place of a file's contents
    stalls_at: str = ""  # a file that is sent by half, until the server ends
    requests: list[str] = field(default_factory=list)
    stalled: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def about(self):
        files = [(name, len(text), sha256(text)) for name, text in self.files.items()]
        siblings = [
            {"rfilename": name, "size": n, "lfs": {"sha256": digest, "size": n, "pointerSize": 130}}
            for name, n, digest in files
        ]
        card = {"license": "mit"}
        return {"id": self.repository, "sha": COMMIT, "siblings": siblings, "cardData": card}

    def tree(self):
        files = [(name, len(text), sha256(text)[:40]) for name, text in self.files.items()]
        return [{"type": "file", "path": name, "size": n, "oid": oid} for name, n, oid in files]


@contextmanager
def http_server(handler):
    """The address at which a handler answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def serving(hub):
    """The address at which the hub answers."""
    with http_server(type("Handler", (_Handler,), {"hub": hub})) as address:
        try:
            yield address
        finally:
            hub.ended.set()


class _Handler(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.do_GET()

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        path = self.path.partition("?")[0]
        self.hub.requests.append(path)
        models = f"/api/models/{self.hub.repository}"
        files = f"/{self.hub.repository}/resolve/{COMMIT}/"
        if path in (f"{models}/revision/main", f"{models}/revision/{COMMIT}"):
            self._send_json(self.hub.about())
        elif path == f"{models}/tree/{COMMIT}":
            self._send_json(self.hub.tree())
        elif path.startswith(files) and path.removeprefix(files) in self.hub.files:
            self._send_file(path.removeprefix(files))
        else:
            code = "RepoNotFound" if models not in path else "RevisionNotFound"
            self._send_headers(404, b"", {"X-Error-Code": code})

    def _send_json(self, value):
        text = json.dumps(value).encode()
        self._send_headers(200, text, {"Content-Type": "application/json"})
        self.wfile.write(text)

    def _send_file(self, name):
        text = self.hub.sent.get(name, self.hub.files[name])
        known = {"ETag": f'"{sha256(text)[:40]}"', "X-Repo-Commit": COMMIT}
        self._send_headers(200, text, known)
        if self.command == "GET":
            stalls = name == self.hub.stalls_at
            self.wfile.write(text[: len(text) // 2] if stalls else text)
            if stalls:
                self.hub.stalled.set()
                self.hub.ended.wait()

    def _send_headers(self, status, text, headers):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()


def sha256(text):
    return hashlib.sha256(text).hexdigest()
