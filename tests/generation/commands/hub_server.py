"""The command fetch_models, and a Hugging Face Hub with one small repository for it."""

import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

COMMIT = "c" * 40


def sha256(text):
    return hashlib.sha256(text).hexdigest()


def fetch(*arguments):
    output = StringIO()
    call_command("fetch_models", *arguments, stdout=output)
    return output.getvalue()


def refused(message, *arguments):
    with pytest.raises(CommandError, match=message):
        fetch(*arguments)


class Hub:
    def __init__(self, repository, files, *, stalls_at=None):
        self.repository, self.files = repository, files
        self.sent = {}  # in the place of a file's contents
        self.stalls_at = stalls_at  # a file that is sent by half, until the server ends
        self.requests = []
        self.stalled, self.ended = threading.Event(), threading.Event()

    def answer(self, path):
        api = f"/api/models/{self.repository}"
        if path in (f"{api}/revision/main", f"{api}/revision/{COMMIT}"):
            return json.dumps(self._about()).encode()
        if path == f"{api}/tree/{COMMIT}":
            return json.dumps([*self._tree()]).encode()
        name = path.removeprefix(f"/{self.repository}/resolve/{COMMIT}/")
        return self.sent.get(name, self.files.get(name))

    def _about(self):
        siblings = []
        for name, text in self.files.items():
            stored = {"sha256": sha256(text), "size": len(text), "pointerSize": 130}
            siblings.append({"rfilename": name, "size": len(text), "lfs": stored})
        about = {"id": self.repository, "sha": COMMIT, "siblings": siblings}
        return about | {"cardData": {"license": "mit"}}

    def _tree(self):
        for name, text in self.files.items():
            yield {"type": "file", "path": name, "size": len(text), "oid": sha256(text)[:40]}


@contextmanager
def serving(hub):
    handler = type("Handler", (_Handler,), {"hub": hub})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            hub.ended.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        path = self.path.partition("?")[0]
        self.hub.requests.append(path)
        text = self.hub.answer(path)
        if text is None:
            code = "RevisionNotFound" if f"/{self.hub.repository}/" in path else "RepoNotFound"
            self._send_head(404, {"X-Error-Code": code, "Content-Length": 0})
            return
        known = {"Content-Length": len(text), "ETag": f'"{sha256(text)[:40]}"'}
        self._send_head(200, known | {"X-Repo-Commit": COMMIT})
        if self.command == "GET":
            stalls = path.endswith(f"/{self.hub.stalls_at}")
            self.wfile.write(text[: len(text) // 2] if stalls else text)
            if stalls:
                self.hub.stalled.set()
                self.hub.ended.wait()

    def do_HEAD(self):
        self.do_GET()

    def _send_head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
