"""A person at a browser, in a closed loop: read the page, answer, and answer what comes back."""

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
ITEM = re.compile(rb'name="item" value="([-\w]*)"')
# Work pages without an answer say "All saved" there.
SAVED = b'class="saved">Saved: '


@dataclass
class Annotator:
    """Keeps one connection, its cookies, the item in view and the seconds of each answer."""

    address: tuple[str, int]
    page: str
    session: str
    number: int = 0
    connection: HTTPConnection = field(init=False)
    cookie: str = ""
    token: str = ""
    item: str = ""
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    largest: int = 0

    def __post_init__(self) -> None:
        self.connection = HTTPConnection(*self.address, timeout=60)

    def open(self) -> None:
        """Load the whole page. Raises RuntimeError when it holds no item."""
        self.connection.close()  # the server closes idle ones, and a browser would notice
        self.connection.request("GET", self.page, headers={"Cookie": f"sessionid={self.session}"})
        reply = self.connection.getresponse()
        body = reply.read()
        [csrf] = [
            value.partition(";")[0]
            for name, value in reply.getheaders()
            if name.lower() == "set-cookie" and value.startswith("csrftoken=")
        ]
        self.cookie = f"sessionid={self.session}; {csrf}"
        self._see(body)
        if reply.status != 200 or not self.item:
            raise RuntimeError(f"{self.page}: {reply.status} without an item")

    def answer(self) -> None:
        """One judgment: one request, whose reply brings the next item."""
        form = {
            "csrfmiddlewaretoken": self.token,
            "item": self.item,
            "seconds": "2.50",
            # Four of five agree on most pairs, as people do.
            "label": str(int((self.number + int(self.item[:4], 16)) % 7 != 0)),
        }
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": self.cookie,
            "HX-Request": "true",
            "Accept-Language": "en",
        }
        began = time.perf_counter()
        self.connection.request("POST", self.page, urlencode(form), headers)
        reply = self.connection.getresponse()
        body = reply.read()
        self.seconds.append(time.perf_counter() - began)
        self.largest = max(self.largest, len(body))
        if reply.status != 200 or SAVED not in body:
            raise RuntimeError(f"{reply.status}: {body[:300]!r}")
        self._see(body)

    def work(self, *, until: float = float("inf"), answers: float = float("inf")) -> None:
        """Answer until a moment of time.perf_counter(), so many times, or to the queue's end."""
        self.connection.close()
        while self.item and len(self.seconds) < answers and time.perf_counter() < until:
            try:
                self.answer()
            except (RuntimeError, OSError, HTTPException) as error:
                self.errors.append(repr(error))
                return

    def _see(self, body: bytes) -> None:
        self.token, self.item = _first(TOKEN, body), item_in(body)


def item_in(body: bytes) -> str:
    """The name of the item that a page shows; empty at the end of the queue."""
    return _first(ITEM, body)


def work_together(people: Sequence[Annotator], *, seconds: float) -> None:
    """Let everybody work at once for a time."""
    until = time.perf_counter() + seconds
    threads = [
        threading.Thread(target=person.work, kwargs={"until": until}, daemon=True)
        for person in people
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _first(pattern: re.Pattern[bytes], body: bytes) -> str:
    found = pattern.search(body)
    return found[1].decode() if found else ""
