"""Every page of a study of the size of PAWS: 50,000 candidates and 236,450 judgments."""

import time
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

from benchmarks.annotation import paws_size
from benchmarks.annotation.house import House
from benchmarks.table import Figure, at_most

TRIES = 5
# Of wall-clock time: what a manager waits for. A page deep down costs what the first one costs.
BOUND = at_most(1.0)
AS_FIRST = at_most(1.5, of_ratio=True)
HOME = at_most(0.3)
PROJECTS = 20
PAGES = {
    "overview": "",
    "agreement": "agreement/",
    "figures, looked at again": "figures/",
    "people": "people/",
    "pairs, closest votes first": "pairs/",
    "pairs kept, of a method": "pairs/?state=kept&method=word_swap",
    "pairs, newest first": "pairs/?order=newest",
    "pairs that hold two words": "pairs/?words=the+river",
    "corrections": "answers/correct/",
    "judgments": "answers/judge/",
    "corrections rejected": "answers/correct/?state=rejected",
    "open leases": "leases/",
    "skips": "skips/",
    "runs, accepted beside estimated": "generation/",
    "new run": "generation/new/?method=word_swap",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """Seconds until the last byte, CPU seconds of web and database, and the number of bytes."""

    seconds: float
    cpu: float
    size: int


def figures(house: House, *, seconds: float) -> list[Figure]:  # noqa: ARG001 a page takes its time
    """The best of five requests each."""
    print("References of the dashboard: CPU seconds of web and database for the same page")
    project, session = paws_size.make("PAWS")
    address = f"/projects/{project.public_id}/"
    paws_size.make_small_studies(PROJECTS - 1, manager="PAWS manager")
    home = _fastest_reply(house, "/", session)
    pages = {name: address + page for name, page in PAGES.items()}
    pages["one pair"] = f"{address}pairs/{project.pairs.latest('id').public_id}/"
    replies = {name: _fastest_reply(house, page, session) for name, page in pages.items()}
    last = _fastest_reply(house, f"{address}pairs/?{_last_page_query(project)}", session)
    first = replies["pairs, closest votes first"]
    file = _get(house, f"{address}tables/pairs.csv", session)
    return [
        Figure(f"home, {PROJECTS} projects", home.seconds, "s", home.cpu, HOME),
        *(Figure(name, reply.seconds, "s", reply.cpu, BOUND) for name, reply in replies.items()),
        Figure("pairs, last page beside first", last.cpu, "CPU-s", first.cpu, AS_FIRST),
        Figure("all pairs as a CSV file", file.seconds, "s", file.cpu),
        Figure("its size", file.size / 1e6, "MB"),
    ]


def _fastest_reply(house: House, page: str, session: str) -> Reply:
    """The fastest of a few: what else the machine does can only add to it."""
    replies = [_get(house, page, session) for _ in range(TRIES)]
    return Reply(
        seconds=min(reply.seconds for reply in replies),
        cpu=min(reply.cpu for reply in replies),
        size=replies[0].size,
    )


def _get(house: House, page: str, session: str) -> Reply:
    """Raises RuntimeError for a page that is none."""
    cpu_before = sum(house.cpu())
    connection = HTTPConnection(*house.address, timeout=300)
    began = time.perf_counter()
    connection.request("GET", page, headers={"Cookie": f"sessionid={session}"})
    reply = connection.getresponse()
    size = len(reply.read())
    seconds = time.perf_counter() - began
    connection.close()
    if reply.status != 200:
        raise RuntimeError(f"{page}: {reply.status}")
    return Reply(seconds, sum(house.cpu()) - cpu_before, size)


def _last_page_query(project: Any) -> str:
    """The query of the last page of pairs by disagreement."""
    from annotation.pairs.selectors import pairs

    beyond_all = (pairs.UNDECIDED + 1, 0)
    page = pairs.page(project, pairs.PairFilters(), before=beyond_all)
    return "after=" + ".".join(map(str, page.before or ()))
