"""The embedded worker: batches of generation, and the intake of what they gave."""

import signal
from argparse import ArgumentParser
from collections.abc import Collection
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError

from annotation.services import intake
from generation.models import Queue
from generation.services import worker
from generation.services.patience import Patience

IDLE_SECONDS = 1.0


class Command(BaseCommand):
    """Works until it is told to stop; then it finishes the batch that it holds."""

    help = "Generate candidates and take them into the projects, until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queue",
            choices=Queue.values,
            action="append",
            dest="queues",
            help="only runs of this queue; may be repeated (default: all)",
        )

    def handle(self, **options: Any) -> None:
        """Alternate between the next batch and what is to be taken in; look each second if idle."""
        queues = options["queues"] or Queue.values
        patience = Patience(say=self.stderr.write, stop=_stop_on_signals())
        self.stdout.write("The worker is ready.")
        self.stdout.flush()
        try:
            while not patience.stop.is_set():
                if not _work_once(patience, queues):
                    patience.stop.wait(IDLE_SECONDS)
        except (InterfaceError, OperationalError):
            if not patience.stop.is_set():
                raise
        self.stdout.write("The worker has stopped.")


def _work_once(patience: Patience, queues: Collection[str]) -> bool:
    """Whether there was anything to do."""
    worked = worker.step(patience=patience, queues=queues)
    taken_in = patience(intake.take_in_all)
    return worked or taken_in > 0


def _stop_on_signals() -> Event:
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop
