"""The embedded worker: generation, intake of what it gave, releases, the quality of answers."""

import signal
from argparse import ArgumentParser
from collections.abc import Collection
from datetime import datetime, timedelta
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from annotation.services import intake, quality, releases
from generation.models import Queue
from generation.services import worker
from generation.services.patience import Patience

IDLE_SECONDS = 1.0
REVIEW_EVERY = timedelta(seconds=20)


class Command(BaseCommand):
    """Works until it is told to stop; then it finishes the batch that it holds."""

    help = "Generate candidates, take them into projects, build releases, look after answers."

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
        reviewer = _Reviewer()
        self.stdout.write("The worker is ready.")
        self.stdout.flush()
        try:
            while not patience.stop.is_set():
                patience(reviewer.review_when_due)
                if not _work_once(patience, queues):
                    patience.stop.wait(IDLE_SECONDS)
        except (InterfaceError, OperationalError):
            if not patience.stop.is_set():
                raise
        self.stdout.write("The worker has stopped.")


def _work_once(patience: Patience, queues: Collection[str]) -> bool:
    """Whether there was anything to do. First what somebody waits for in front of a page."""
    has_cpu = Queue.CPU in queues
    previewed = has_cpu and releases.preview_next(patience=patience)
    worked = worker.step(patience=patience, queues=queues)
    taken_in = patience(intake.take_in_all)
    built = has_cpu and releases.build_next(patience=patience)
    return previewed or worked or taken_in > 0 or built


class _Reviewer:
    """Looks at the answers of whoever has given any since it last looked; at first, of all."""

    def __init__(self) -> None:
        self.looked_at: datetime | None = None

    def review_when_due(self) -> None:
        now = timezone.now()
        if self.looked_at is None or now - self.looked_at >= REVIEW_EVERY:
            quality.review_all(since=self.looked_at)
            self.looked_at = now


def _stop_on_signals() -> Event:
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop
