"""An annotator whose page does as ours: it sends an answer until a reply says that it is saved."""

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

from support.services.proxy import Proxy

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
ITEM = re.compile(rb'name="item" value="([-\w]*)"')
# Work pages without an answer say "All saved" there.
SAVED = b'class="saved">Saved: '
SERVER_ERROR = 500
# Seconds after which a page asks again when nothing answered.
AGAIN = 0.3


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person works.

    `pace`: least and most seconds before an answer. `copies`: how often each answer is sent.
    `cut_off` and `abandoned`: how likely a connection ends before its reply, and an item is left.
    """

    pace: tuple[float, float] = (0.0, 0.0)
    copies: int = 1
    cut_off: float = 0.0
    abandoned: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, but for what is drawn again each time; the status is 0 when nothing did."""

    status: int
    body: bytes

    @property
    def saved(self) -> bool:
        return self.status == 200 and SAVED in self.body

    @property
    def item(self) -> str:
        return _first(ITEM, self.body)


NOTHING = Reply(0, b"")


@dataclass(frozen=True, slots=True)
class Door:
    """Where people come in: a web server itself, or the proxy of a public installation."""

    web: tuple[str, int]
    proxy: Proxy | None = None

    def connection(self) -> HTTPConnection:
        return self.proxy.http() if self.proxy else HTTPConnection(*self.web, timeout=60)

    def headers(self) -> dict[str, str]:
        return {"Accept-Language": "en"} | ({"Origin": self.proxy.origin} if self.proxy else {})

    @property
    def cookies(self) -> tuple[str, str]:
        """The names of those of the session and of the token."""
        return ("__Host-session", "__Host-csrf") if self.proxy else ("sessionid", "csrftoken")


@dataclass
class Person:
    """Keeps a ledger of what the server has acknowledged: the label of each item.

    `seconds` are those of each first reply, and `sent` is when each was asked for (`perf_counter`);
    `unlike` counts copies whose reply was another one.
    `forgotten` are items that were asked for again although they had been acknowledged.
    """

    door: Door
    page: str
    session: str
    seed: int
    habits: Habits = Habits()
    ledger: dict[str, int] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    unlike: int = 0

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.connection = self.door.connection()
        self.signed_in = f"{self.door.cookies[0]}={self.session}"
        self.cookie = self.signed_in
        self.token = ""

    def work(self, over: threading.Event) -> None:
        """Answer what is shown until everybody's work is over."""
        item = ""
        while not over.is_set():
            if not item:
                item = self.open().item
                if not item:
                    over.wait(AGAIN)
                continue
            if item in self.ledger:
                self.forgotten.add(item)
            over.wait(self.draw.uniform(*self.habits.pace))
            if self.draw.random() < self.habits.abandoned:
                self.left.add(item)
                over.wait(1)
                item = ""
                continue
            item = self.answer(item, over)

    def open(self) -> Reply:
        """Load the whole page."""
        reply = self.send("GET")
        self.token = _first(TOKEN, reply.body)
        return reply

    def answer(self, item: str, over: threading.Event) -> str:
        """Send an answer until it is settled; returns the next item."""
        # Half of the pairs are paraphrases, and one answer in seven says otherwise.
        number = int(item[:4], 16)
        label = number % 2 ^ ((self.seed + number) % 7 == 0)
        form = {"item": item, "seconds": "2.50", "label": str(label)}
        if self.draw.random() < self.habits.cut_off:
            self.send("POST", form, cut_off=True)
        began, reply = time.perf_counter(), self.send("POST", form)
        while not reply.status or reply.status >= SERVER_ERROR:
            if over.wait(AGAIN):
                return ""
            reply = self.send("POST", form)
        self.seconds.append(time.perf_counter() - began)
        self.sent.append(began)
        if reply.saved:
            self.ledger[item] = label
        # An item that another person has just given up may come after “nothing is left”.
        for _ in range(self.habits.copies - 1 if reply.item else 0):
            self.unlike += _kept(self.send("POST", form)) != _kept(reply)
        return reply.item

    def send(
        self, method: str, form: dict[str, str] | None = None, *, cut_off: bool = False
    ) -> Reply:
        """One request. Status 0 for one whose reply did not come, or was not waited for."""
        headers = self.door.headers() | {"Cookie": self.cookie}
        body = None
        if form is not None:
            body = urlencode(form | {"csrfmiddlewaretoken": self.token})
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "HX-Request": "true",
            }
        try:
            self.connection.request(method, self.page, body, headers)
            if cut_off:
                self.connection.close()
                return NOTHING
            answer = self.connection.getresponse()
            reply = Reply(answer.status, answer.read())
        except (OSError, HTTPException):
            self.connection.close()
            self.statuses[0] += 1
            return NOTHING
        self._take_cookies(answer.getheaders())
        self.statuses[reply.status] += 1
        return reply

    def _take_cookies(self, headers: Sequence[tuple[str, str]]) -> None:
        for name, value in headers:
            if name.lower() == "set-cookie" and value.startswith(f"{self.door.cookies[1]}="):
                self.cookie = f"{self.signed_in}; {value.partition(';')[0]}"


def _kept(reply: Reply) -> bytes:
    """A reply without its token, which is masked differently each time."""
    return TOKEN.sub(b"", reply.body)


def _first(pattern: re.Pattern[bytes], body: bytes) -> str:
    found = pattern.search(body)
    return found[1].decode() if found else ""
