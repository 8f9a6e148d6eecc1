"""CPU of the annotator's requests, compared with a stock Django view in turns."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks.annotation import cpu, study
from benchmarks.annotation.annotator import Annotator
from benchmarks.annotation.house import House, gunicorn
from support.places import ROOT

SITE = "benchmarks.watch.reference_site"
PAIRS = 5000
# Each round measures all kinds of requests one after the other, so that other load falls on all.
ROUNDS, REQUESTS, WARM_UP = 6, 50, 20


@dataclass
class Reader:
    """A person who is signed in to the reference site."""

    address: tuple[str, int]
    session: str
    connection: HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = HTTPConnection(*self.address, timeout=60)

    def read(self) -> None:
        """Load the page. Raises RuntimeError if it does not name the user."""
        self.connection.request("GET", "/", headers={"Cookie": f"sessionid={self.session}"})
        body = self.connection.getresponse().read()
        if body != b"reader":
            raise RuntimeError(f"the reference site replied {body[:200]!r}")


class Judge(Annotator):
    """An annotator who also works without scripts, and undoes answers."""

    def answer_without_scripts(self) -> None:
        """One judgment by a form: the answer, and the page to which its reply redirects."""
        self._post(self.page, {"item": self.item, "seconds": "2.50", "label": "1"}, {}, status=302)
        self.load()

    def load(self) -> None:
        """Load the whole page on the open connection."""
        self.connection.request("GET", self.page, headers={"Cookie": self.cookie})
        self._see(self.connection.getresponse().read())

    def undo(self) -> None:
        """Undo the last answer, which shows its pair again."""
        headers = {"HX-Request": "true"}
        self._see(self._post(f"{self.page}undo/", {"item": self.item}, headers, status=200))

    def undo_and_answer(self) -> None:
        self.undo()
        self.answer()

    def _post(
        self, page: str, fields: dict[str, str], headers: dict[str, str], *, status: int
    ) -> bytes:
        form = {"csrfmiddlewaretoken": self.token, **fields}
        headers |= {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self.cookie}
        self.connection.request("POST", page, urlencode(form), headers)
        reply = self.connection.getresponse()
        body = reply.read()
        if reply.status != status:
            raise RuntimeError(f"{page}: {reply.status}: {body[:300]!r}")
        return body


@contextmanager
def start_reference_site() -> Iterator[tuple[Reader, int]]:
    """Serve the reference site with a separate database; yields its reader and its process."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE reference")
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path="/reference").geturl()
    environment = {"REFERENCE_DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": SITE}
    session = subprocess.run(
        [sys.executable, "-m", "benchmarks.watch.reference_session"],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    application = "django.core.wsgi:get_wsgi_application()"
    with gunicorn(application, workers=2, threads=4, environment=environment) as (address, web):
        yield Reader(address, session), web


def cpu_ms(house: House, reader: Reader, reference: int) -> dict[str, float]:
    """CPU milliseconds of a request of each kind, web and database, and of the reference."""
    judge = _new_judge(house)
    requests: dict[str, Callable[[], Any]] = {
        "reference": reader.read,
        "turn": judge.answer,
        "turn without scripts": judge.answer_without_scripts,
        "work page": judge.load,
        "undo": judge.undo_and_answer,
    }
    processes = [house.web, house.postgres, reference]
    seconds = dict.fromkeys(requests, 0.0)
    for request in requests.values():
        _repeat(request, WARM_UP)
    for _ in range(ROUNDS):
        for name, request in requests.items():
            # Idle ones are closed by the server.
            judge.connection.close()
            reader.connection.close()
            seconds_before = cpu.seconds_of(processes)
            _repeat(request, REQUESTS)
            seconds[name] += cpu.seconds_of(processes) - seconds_before
    return {name: 1000 * value / (ROUNDS * REQUESTS) for name, value in seconds.items()}


def _new_judge(house: House) -> Judge:
    project = study.make_study("Watched", pairs=PAIRS)
    [session] = study.sign_in(project, ["watched"])
    judge = Judge(house.address, f"/projects/{project.public_id}/judge/", session)
    judge.open()
    return judge


def _repeat(request: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        request()
