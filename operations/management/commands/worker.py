"""The embedded worker: imports, generation, intake, releases and periodic jobs.

Runs whose models are behind endpoints are worked in a second thread: replies may take hours,
and people wait for imports and previews.
"""

import logging
import os
import signal
from argparse import ArgumentParser
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from accounts.sessions import SessionStore
from annotation.imports.services import pruning
from annotation.pairs.services import intake
from annotation.quality.services import review
from annotation.seals import services as seals
from common import commands, messages
from common.outages import Retry
from evaluation import models_by_name
from evaluation import services as evaluations
from generation.models import Queue, Worker
from generation.services import replies, worker
from generation.services.worker import send_heartbeats
from operations import backups, deliveries, phases
from operations.work import WORKS

LOWEST = 19
# On Linux with autogroups: the priority of this process's session among all sessions (sched(7)).
SESSION = Path("/proc/self/autogroup")
REVIEW_SECONDS = 20.0
# Other periodic jobs, with their interval in seconds.
CHORES = (
    (seals.seal_waiting, 60.0),
    (backups.back_up_when_due, 3600.0),  # makes tonight's, unless it exists
    (pruning.prune, 3600.0),
    (SessionStore.clear_expired, 3600.0),
    (phases.watch, 10.0),
    (deliveries.delete_old, 3600.0),
)

logger = logging.getLogger(__name__)


class Command(commands.Command):
    """Works until SIGINT or SIGTERM, then finishes the current batch."""

    help = "Generate candidates, add them to projects, build releases, check and seal answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queue",
            choices=Queue.values,
            action="append",
            dest="queues",
            help="only runs of this queue; may be repeated (default: all); endpoint alone does no "
            "other work",
        )

        parser.add_argument(
            "--evaluations",
            action="store_true",
            help="only evaluate releases, which takes minutes: a separate process, with low "
            "priority",
        )
        parser.add_argument(
            "--device",
            choices=models_by_name.DEVICES,
            default=models_by_name.CPU,
            help="with --evaluations: where networks and encoders are trained; cuda is a GPU",
        )

    def handle(self, **options: Any) -> None:
        """Alternate between batches and intake; when idle, wait until work calls."""
        queues = options["queues"] or Queue.values
        patience = Retry(say=self.stderr.write, stop=_stop_on_signals())
        self.stdout.write("The worker is ready.")
        self.stdout.flush()
        try:
            if options["evaluations"]:
                queues = [evaluations.EVALUATIONS.queue]
            with send_heartbeats(Worker.Kind.EMBEDDED, queues):
                if options["evaluations"]:
                    _evaluate(patience, options["device"])
                elif set(queues) == {Queue.ENDPOINT}:
                    _ask_models(patience)
                elif Queue.ENDPOINT in queues:
                    _work_and_ask_models(patience, {*queues} - {Queue.ENDPOINT})
                else:
                    _work(patience, queues)
        except (InterfaceError, OperationalError):
            if not patience.stop.is_set():
                raise
        self.stdout.write("The worker has stopped.")


def _evaluate(patience: Retry, device: str) -> None:
    """Evaluate releases with low priority: people who judge meanwhile come first."""
    give_way()
    while not patience.stop.is_set():
        last_call = messages.last_call()
        if not evaluations.evaluate_next(patience=patience, device=device):
            messages.wait_for_call(last_call, stop=patience.stop)


def _ask_models(patience: Retry) -> None:
    """Do what asks models behind endpoints, and delete old replies."""
    chore = _Chore(replies.delete_old, 3600.0)
    while not patience.stop.is_set():
        last_call = messages.last_call()
        patience(chore.do_when_due)
        if not ask_models_once(patience):
            messages.wait_for_call(last_call, stop=patience.stop)


def ask_models_once(patience: Retry) -> bool:
    """Process a batch of a run, and do leased work: by turns. Return whether there was any."""
    worked = worker.step(patience=patience, queues=[Queue.ENDPOINT])
    outcomes = [work.do_next(patience=patience) for work in WORKS if work.queue == Queue.ENDPOINT]
    return any(outcomes) or worked


def _work_and_ask_models(patience: Retry, queues: Collection[str]) -> None:
    """Ask models in a thread with its own connection. If either fails, both end."""

    def ask() -> None:
        try:
            _ask_models(patience)
        except Exception:
            logger.exception("The thread that asks models behind endpoints has failed")
            patience.stop.set()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(1, "endpoints") as pool:
        asking = pool.submit(ask)
        try:
            _work(patience, queues)
        finally:
            patience.stop.set()
    asking.result()


def _work(patience: Retry, queues: Collection[str]) -> None:
    chores = [_Chore(*chore) for chore in ((_Reviewer(), REVIEW_SECONDS), *CHORES)]
    while not patience.stop.is_set():
        last_call = messages.last_call()
        for chore in chores:
            patience(chore.do_when_due)
        if not _work_once(patience, queues):
            messages.wait_for_call(last_call, stop=patience.stop)


def _work_once(patience: Retry, queues: Collection[str]) -> bool:
    """Return whether there was any work."""
    outcomes = [work.do_next(patience=patience) for work in WORKS if work.queue in queues]
    worked = worker.step(patience=patience, queues=queues)
    taken_in = patience(intake.take_in_all)
    patience(deliveries.spread)
    return any(outcomes) or worked or taken_in > 0


class _Reviewer:
    """Reviews people who have answered since the last review; all of them at first."""

    def __init__(self) -> None:
        self.looked_at: datetime | None = None

    def __call__(self) -> None:
        now = timezone.now()
        review.review_all(since=self.looked_at)
        self.looked_at = now


class _Chore:
    """A periodic job, independent of changes to the system clock."""

    def __init__(self, do: Callable[[], object], seconds: float) -> None:
        self.do, self.seconds, self.next_time = do, seconds, 0.0

    def do_when_due(self) -> None:
        if monotonic() >= self.next_time:
            self.do()
            self.next_time = monotonic() + self.seconds


def _stop_on_signals() -> Event:
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def give_way() -> None:
    """Give this process, and threads that it starts from now on, the lowest priority.

    On Linux the policy "idle" lets any other process run as soon as it wakes up. But Linux divides
    the processor among sessions first: without a session of low priority, this process still gets
    as much of a busy processor as a web server that is another service.
    """
    if not hasattr(os, "nice"):  # Windows
        return
    os.nice(LOWEST)
    with suppress(PermissionError):  # the leader of a group cannot leave its session
        os.setsid()
    try:
        if hasattr(os, "SCHED_IDLE"):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        if os.getsid(0) == os.getpid() and SESSION.exists():
            SESSION.write_text(f"{LOWEST}")
    except OSError as error:
        logger.warning("The priority of this process is higher than it should be: %s", error)
