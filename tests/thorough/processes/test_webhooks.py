"""Webhooks of real workers: to receivers that are down, slow or wrong, and by workers that die."""

import json
import time
from collections.abc import Callable
from typing import Any

from support.services import servers
from support.services.installation import Installation
from tests.operations.receiver import Answer, Receiver, name_target, receiving

# Pauses, leases and looks are short; what follows changes more.
WORKER = """
from datetime import timedelta
from django.core.management import call_command
from common import leases
from operations import deliveries, phases, posting
from operations.management.commands import worker
deliveries.FIRST_PAUSE, posting.SECONDS = timedelta(seconds=0.2), 1.0
leases.LEASE = phases.LEAST_WITHOUT_WORK = timedelta(seconds=2)
worker.CHORES = ((phases.watch, 0.2),)
"""
RUN = '\ncall_command("worker")\n'
# Once the receiver has answered, and before that is stored.
DIES = """
import os, signal
send = deliveries.post
def send_and_die(row):
    send(row)
    os.kill(os.getpid(), signal.SIGKILL)
deliveries.post = send_and_die
"""
HAPPEN = """
from django.db import transaction
from accounts import events
from accounts.models import Event
from annotation.projects.services import projects
project = projects.create("Rivers")
with transaction.atomic():
    for _ in range({number}):
        events.record(Event.Kind.WORK_FINISHED, project, phase="judge")
"""
STUDY = """
from annotation.projects.services import projects
from annotation.work import simulation
from operations import phases
from support.studies import REWRITTEN, SWAPPED, import_pairs
project = projects.create("Rivers")
import_pairs(project, SWAPPED + REWRITTEN)
phases.watch()
for _ in simulation.work(simulation.crowd(project, size=6, accuracy=0.95, seed=1)):
    pass
"""
ROWS = """
import json
from operations.models import Delivery
print(json.dumps(list(Delivery.objects.values("state", "status", "tries", "failure"))))
"""


def told(place: Installation, receiver: Receiver) -> None:
    place.environment["PAWSMITH_WEBHOOKS"] = str(name_target(place.data_dir, receiver))


def rows(place: Installation) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = json.loads(place.run(ROWS))
    return values


def wait_until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)


def wait_until_delivered(place: Installation) -> None:
    wait_until(lambda: {row["state"] for row in rows(place)} == {"delivered"})


def test_a_receiver_that_was_down_gets_what_it_missed(installation: Installation) -> None:
    port = servers.free_port()
    told(installation, Receiver(port, []))
    installation.run(HAPPEN.format(number=3))
    installation.start_code(WORKER + RUN)
    wait_until(lambda: any(row["tries"] > 1 for row in rows(installation)))
    assert rows(installation)[0]["failure"].startswith("No connection")
    with receiving(port=port) as receiver:
        wait_until_delivered(installation)
    assert len(receiver.ids) == len({*receiver.ids}) == 3


def test_every_failure_is_tried_again_with_the_same_id(installation: Installation) -> None:
    with receiving() as elsewhere, receiving() as receiver:
        receiver.script[:] = [
            Answer(500, b"Out of paper."),
            Answer(307, headers={"Location": elsewhere.address}),
            Answer(200, b"slow" * 100, seconds=0.1),
            Answer(410),
        ]
        told(installation, receiver)
        installation.run(HAPPEN.format(number=1))
        installation.start_code(WORKER + RUN)
        wait_until_delivered(installation)
    assert (len(receiver.got), len({*receiver.ids})) == (5, 1)
    assert elsewhere.got == []


def test_a_worker_killed_after_sending_makes_another_send_again(installation: Installation) -> None:
    with receiving() as receiver:
        told(installation, receiver)
        installation.run(HAPPEN.format(number=1))
        worker = installation.start_code(WORKER + DIES + RUN)
        assert worker.wait(60) == -9
        assert [row["state"] for row in rows(installation)] == ["sending"]
        installation.start_code(WORKER + RUN)
        wait_until_delivered(installation)
    assert (len(receiver.got), len({*receiver.ids})) == (2, 1)


def test_two_workers_send_nothing_twice(installation: Installation) -> None:
    with receiving() as receiver:
        told(installation, receiver)
        for _ in range(2):
            installation.start_code(WORKER + RUN)
        installation.run(HAPPEN.format(number=40))
        wait_until(lambda: len(receiver.got) >= 40)
        wait_until_delivered(installation)
    assert len(receiver.ids) == len({*receiver.ids}) == 40


def test_finished_work_is_told(installation: Installation) -> None:
    with receiving() as receiver:
        told(installation, receiver)
        installation.run(STUDY)
        installation.start_code(WORKER + RUN)
        wait_until(lambda: len(receiver.got) == 2)
    assert [body["data"]["phase"] for _, body in receiver.got] == ["correct", "judge"]
