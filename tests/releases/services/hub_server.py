"""A stand-in for the part of the Hugging Face Hub that an upload speaks to, on this machine.

https://huggingface.co/docs/hub/api: repositories are created, files are asked for and arrive in one
commit, in it or before it (LFS), and commits are tagged.
"""

import base64
import hashlib
import json
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

TOKEN = "hf_only-for-tests"


@dataclass
class Repository:
    private: bool
    files: dict[str, bytes] = field(default_factory=lambda: {".gitattributes": b""})
    commits: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)


@dataclass
class Hub:
    """What it holds and what it was asked; `broken` answers in turn to commits,
    with `error`. If it `stalls`, it answers to no file until it is `over`."""

    address: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    error: str = "Broken"
    stalls: bool = False
    over: Event = field(default_factory=Event)

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        self.asked.append(f"{method} {path}")
        match path.strip("/").split("/"):
            case ["objects", oid]:
                if self.stalls:
                    self.over.wait()
                self.objects[oid] = body
                return 200, {}
            case ["api", "validate-yaml"]:
                return 200, {"errors": [], "warnings": []}
            case ["api", "repos", "create"]:
                return self.create(json.loads(body))
            case ["datasets", _owner, _name, "info", "lfs", "objects", "batch"]:
                return 200, {"transfer": "basic", "objects": list(self.wanted(json.loads(body)))}
            case ["api", "datasets", owner, name, *rest] if f"{owner}/{name}" in self.repositories:
                return self.of(f"{owner}/{name}", rest, body)
        return 404, {"error": "Not Found"}

    def of(self, name: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        repository = self.repositories[name]
        match rest:
            case ["preupload", "main"]:
                return self.preupload(repository, json.loads(body))
            case ["commit", "main"]:
                return self.commit(repository, body)
            case ["tag", revision]:
                repository.tags.setdefault(json.loads(body)["tag"], revision)
                return 200, {}
        return self.about(name)

    def create(self, asked: dict[str, Any]) -> tuple[int, Any]:
        name = f"{asked['organization']}/{asked['name']}"
        address = {"url": f"{self.address}/datasets/{name}"}
        if name in self.repositories:
            return 409, address | {"error": "You already created this dataset repo"}
        if asked["organization"] != "lab":
            return 403, {"error": "You don't have the rights to create a dataset here"}
        self.repositories[name] = Repository(asked["visibility"] == "private")
        return 200, address

    def about(self, name: str) -> tuple[int, Any]:
        repository = self.repositories[name]
        files = [{"rfilename": path} for path in sorted(repository.files)]
        state = {"private": repository.private, "siblings": files, "tags": [], "disabled": False}
        counts = {"downloads": 0, "likes": 0, "gated": False, "author": "lab"}
        return 200, {"id": name, "sha": self.head(repository), **state, **counts}

    def head(self, repository: Repository) -> str:
        return repository.commits[-1] if repository.commits else "0" * 40

    def preupload(self, repository: Repository, asked: dict[str, Any]) -> tuple[int, Any]:
        files = [
            {
                "path": file["path"],
                "uploadMode": "lfs" if file["path"].endswith(".parquet") else "regular",
                "shouldIgnore": False,
                "oid": oid_of(repository.files.get(file["path"]), file["path"]),
            }
            for file in asked["files"]
        ]
        return 200, {"files": files}

    def wanted(self, asked: dict[str, Any]):
        for each in asked["objects"]:
            there = each["oid"] in self.objects
            upload = {"upload": {"href": f"{self.address}/objects/{each['oid']}", "header": {}}}
            yield each | ({} if there else {"actions": upload})

    def commit(self, repository: Repository, body: bytes) -> tuple[int, Any]:
        if self.broken:
            return self.broken.pop(0), {"error": self.error}
        for line in body.splitlines():
            operation = json.loads(line)
            value = operation["value"]
            match operation["key"]:
                case "file":
                    repository.files[value["path"]] = base64.b64decode(value["content"])
                case "lfsFile":
                    repository.files[value["path"]] = self.objects[value["oid"]]
                case "deletedFile":
                    del repository.files[value["path"]]
        oid = hashlib.sha1(body).hexdigest()
        repository.commits.append(oid)
        url = f"{self.address}/datasets/lab/pairs/commit/{oid}"
        return 200, {"commitUrl": url, "commitOid": oid}


def oid_of(content: bytes | None, path: str) -> str | None:
    """The id by which the Hub knows a file: SHA-256 in LFS, else that of a git blob."""
    if content is None:
        return None
    if path.endswith(".parquet"):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@contextmanager
def hub_server():
    """Yield the Hub, which only takes TOKEN."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, reply = 401, {"error": "Invalid user token."}
            if self.path.startswith("/objects/") or TOKEN in self.headers["Authorization"]:
                status, reply = hub.answer(self.command, self.path.partition("?")[0], body)
            content = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with suppress(BrokenPipeError):  # who waited too long has left
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_any  # noqa: N815 the names that it looks for

        def log_message(self, *_arguments: Any) -> None:
            """Keep silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.over.set()
        server.shutdown()
        server.server_close()
