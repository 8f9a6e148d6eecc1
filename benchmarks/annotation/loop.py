"""1, 8 and 32 annotators in a closed loop: how many judgments, how soon, and at what price."""

from typing import Any

from benchmarks.annotation import study
from benchmarks.annotation.annotator import Annotator, item_in, work_together
from benchmarks.annotation.crowd import Stretch, measure_in_turns
from benchmarks.annotation.house import House
from benchmarks.table import Figure, at_most

CROWDS = (1, 8, 32)
PAIRS = 5000
WARM_UP = 2.0
# Where a judgment in the plain way costs 15 CPU-ms, ours is to cost 8 at most.
BESIDE_PLAIN = at_most(8 / 15, of_ratio=True)


def figures(house: House, *, seconds: float) -> list[Figure]:
    """The figures of each crowd, each in a study of its own."""
    people: list[Annotator] = []
    table: list[Figure] = []
    for size in CROWDS:
        crowd = _crowd(house, f"{size}", size, "/projects/{}/judge/")
        plain = _crowd(house, f"{size} plain", size, "/plain/{}/")
        people += crowd + plain
        for group in (crowd, plain):
            work_together(group, seconds=WARM_UP)
        table += _crowd_figures(size, *measure_in_turns(house, crowd, plain, seconds=seconds))
    return [*table, *_check_figures(people)]


def _crowd(house: House, name: str, size: int, page: str) -> list[Annotator]:
    project = study.make_study(f"{name} at once", pairs=PAIRS)
    names = [f"{name}-{number}" for number in range(size)]
    crowd = [
        Annotator(house.address, page.format(project.public_id), session, number)
        for number, session in enumerate(study.sign_in(project, names))
    ]
    for person in crowd:
        person.open()
    return crowd


def _crowd_figures(size: int, stretch: Stretch, plain: Stretch) -> list[Figure]:
    judgments = len(stretch.seconds)
    return [
        Figure(f"{size} at once: judgments/s", stretch.per_second),
        *(
            Figure(f"{size} at once: p{percent}", stretch.percentile_ms(percent), "ms")
            for percent in (50, 95, 99)
        ),
        Figure(f"{size} at once: web", 1000 * stretch.web / judgments, "CPU-ms"),
        Figure(f"{size} at once: database", 1000 * stretch.database / judgments, "CPU-ms"),
        Figure(f"{size} at once: one judgment", stretch.cpu_ms, "CPU-ms", None, at_most(8)),
        Figure(
            f"{size} at once: beside the plain path, in turns",
            stretch.cpu_ms,
            "CPU-ms",
            plain.cpu_ms,
            BESIDE_PLAIN,
        ),
    ]


def _check_figures(people: list[Annotator]) -> list[Figure]:
    from annotation.models import Judgment

    answered = sum(len(person.seconds) for person in people)
    errors = [error for person in people for error in person.errors] + study.faults()
    print("\n".join(errors[:20]))
    stored = Judgment.objects.exclude(submitted_at=None).count()
    return [
        Figure("statements for a judgment, at most", _most_statements(), "", None, at_most(4)),
        Figure(
            "largest reply", max(person.largest for person in people), "bytes", None, at_most(4096)
        ),
        Figure("acknowledged judgments", answered),
        Figure("stored beyond those, or fewer", abs(stored - answered), goal=at_most(0)),
        Figure("errors and broken promises", len(errors), goal=at_most(0)),
    ]


def _most_statements() -> int:
    """The most that any judgment of a small study takes, those that decide a pair included."""
    from django.test import Client

    project = study.make_study("Counted", pairs=3)
    sessions = study.sign_in(project, [f"counted-{number}" for number in range(5)])
    page = f"/projects/{project.public_id}/judge/"
    return max(
        _most_statements_of_one(Client(headers={"host": "localhost"}), session, page)
        for session in sessions
    )


def _most_statements_of_one(client: Any, session: str, page: str) -> int:
    from django.conf import settings
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.cookies[settings.SESSION_COOKIE_NAME] = session
    item, most = item_in(client.get(page).content), 0
    while item:
        answer = {"item": item, "label": "1", "seconds": "2.5"}
        with CaptureQueriesContext(connection) as queries:
            reply = client.post(page, answer, headers={"HX-Request": "true"})
        item = item_in(reply.content)
        if item:  # the end of the queue, once for each person, also looks for other work
            most = max(most, len(queries))
    return most
