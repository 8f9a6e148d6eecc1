"""Caddy with deploy/Caddyfile in front of a local web server, and slow senders of bodies."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.client import HTTPConnection
from pathlib import Path

from support.places import ROOT
from support.services.servers import free_port

CADDY = shutil.which("caddy") or "caddy"
CADDYFILE = ROOT / "deploy" / "Caddyfile"
HOST = "pawsmith.example"
PATIENCE_SECONDS = 60.0
PAUSE_SECONDS = 2.0
FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
# What a test needs besides: no other port of this machine, and nothing of its list of authorities.
OF_A_TEST = "admin off\n\tskip_install_trust\n\thttp_port {port}\n\t"


def caddyfile(*, http_port: int) -> str:
    """The file as the installed version of Caddy reads it."""
    text = CADDYFILE.read_text()
    version_text = subprocess.run(
        [CADDY, "version"], capture_output=True, text=True, check=True
    ).stdout
    major, minor = map(int, re.findall(r"\d+", version_text)[:2])
    if (major, minor) <= (2, 6):
        text = text.replace("import buffered\n", "import buffered_by_2_6\n")
    return text.replace("email ", OF_A_TEST.format(port=http_port) + "email ", 1)


@dataclass
class Proxy:
    """Caddy on a free port, with a certificate that its authority signed, as `HOST`.

    Where `path` is not empty, it passes on only what is below that path.
    """

    folder: Path
    web_port: int
    path: str = ""
    buffers: bool = True
    port: int = field(default_factory=free_port)
    running: subprocess.Popen[bytes] | None = None

    @staticmethod
    def is_installed() -> bool:
        return shutil.which("caddy") is not None

    @property
    def origin(self) -> str:
        return f"https://{HOST}:{self.port}"

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", self.port

    @cached_property
    def context(self) -> ssl.SSLContext:
        """Trusts the authority of this Caddy alone."""
        return ssl.create_default_context(cafile=self._authority)

    @property
    def _authority(self) -> Path:
        return self.folder / "caddy/pki/authorities/local/root.crt"

    def start(self) -> None:
        """Start it, and wait until it speaks TLS. Raises TimeoutError."""
        text = caddyfile(http_port=free_port())
        if not self.buffers:
            text = re.sub(r"\timport buffered\w*\n", "", text)
        file = self.folder / "Caddyfile"
        file.write_text(text)
        with self.folder.joinpath("caddy.log").open("ab") as log:
            self.running = subprocess.Popen(
                [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"],
                env=os.environ | self._environment(),
                stdout=log,
                stderr=log,
            )
        self._wait()

    def kill(self) -> None:
        """kill -9."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    def connect(self, *, timeout: float = PATIENCE_SECONDS) -> ssl.SSLSocket:
        """A connection that trusts its certificate."""
        plain = socket.create_connection(self.address, timeout=timeout)
        return self.context.wrap_socket(plain, server_hostname=HOST)

    def http(self, *, timeout: float = PATIENCE_SECONDS) -> HTTPConnection:
        """The same for requests."""
        return _Through(self, timeout=timeout)

    def _environment(self) -> dict[str, str]:
        return {
            "PAWSMITH_ADDRESS": self.origin + self.path,
            "PAWSMITH_CONTACT": "nobody@pawsmith.example",
            "PAWSMITH_CERTIFICATE": "internal",
            "PAWSMITH_WEB": f"127.0.0.1:{self.web_port}",
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            with suppress(OSError):
                self.connect(timeout=5).close()
                return
            time.sleep(0.1)
        raise TimeoutError(self.folder.joinpath("caddy.log").read_text())


class _Through(HTTPConnection):
    """Requests over TLS to `HOST`, a name without an address."""

    def __init__(self, proxy: Proxy, *, timeout: float) -> None:
        super().__init__(HOST, proxy.port, timeout=timeout)
        self.proxy, self.seconds = proxy, timeout

    def connect(self) -> None:
        self.sock = self.proxy.connect(timeout=self.seconds)


@dataclass(frozen=True, slots=True)
class SlowBody:
    """A body of so many bytes, of which `at_once` come at once, and then one every two seconds.

    It is a file of a form, with the headers that make Django look for a token in it. With
    `session`, its sender is signed in.
    """

    length: int
    at_once: int = 0
    path: str = "/accounts/login/"
    session: str = ""

    def head(self, origin: str) -> bytes:
        lines = (
            f"POST {self.path} HTTP/1.1",
            f"Host: {origin.removeprefix('https://')}",
            f"Origin: {origin}",
            f"Cookie: __Host-csrf={'x' * 32}; __Host-session={self.session}",
            "Content-Type: multipart/form-data; boundary=x",
            f"Content-Length: {self.length}",
        )
        return "\r\n".join([*lines, "", ""]).encode()


@contextmanager
def slow_senders(proxy: Proxy, bodies: Sequence[SlowBody]) -> Iterator[None]:
    """A connection for each body, all of which have begun; who is refused connects again."""
    over, begun_count = threading.Event(), threading.Semaphore(0)
    threads = [
        threading.Thread(target=_send, args=[proxy, body, over, begun_count], daemon=True)
        for body in bodies
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            assert begun_count.acquire(timeout=PATIENCE_SECONDS)
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)


def _send(proxy: Proxy, body: SlowBody, over: threading.Event, begun: threading.Semaphore) -> None:
    while not over.is_set():
        with suppress(OSError), proxy.connect() as connection:
            connection.sendall(body.head(proxy.origin) + FILE + b"x" * body.at_once)
            begun.release()
            while not over.wait(PAUSE_SECONDS):
                connection.sendall(b"x")
        over.wait(PAUSE_SECONDS)
