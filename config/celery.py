"""Celery only wakes workers up; the work and its results are in the database.

A message that is lost, late or repeated only changes when a worker looks for work; `sweep` makes up
for lost ones. docs/operator/workers.md says which workers to start.
"""

import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.contrib.django.task import DjangoTask
from celery.signals import heartbeat_sent, setup_logging
from django.conf import settings
from django.utils.log import configure_logging
from structlog.contextvars import bound_contextvars, get_contextvars

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# The default queues of a worker. Runs that need a GPU use the queue `gpu`.
CPU, BEAT = "cpu", "beat"
REVIEW_SECONDS = 30.0
HEADER = "pawsmith-request"


class LoggedTask(DjangoTask):
    """Adds the task, and the request that queued it, to each log line."""

    abstract = True

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        fields = {"task": self.name, "task_id": self.request.id}
        if request := (self.request.headers or {}).get(HEADER):
            fields["request"] = request
        with bound_contextvars(**fields):
            return self.run(*arguments, **options)


class LoggedCelery(Celery):
    """Adds the request that queues a task to its message."""

    def send_task(self, *arguments: Any, **options: Any) -> Any:
        if request := get_contextvars().get("request"):
            options["headers"] = {**(options.get("headers") or {}), HEADER: request}
        return super().send_task(*arguments, **options)


def every(seconds: float, task: str, *arguments: Any) -> dict[str, Any]:
    """Return an entry of the schedule. An unused message expires before the next one."""
    options = {"queue": BEAT, "expires": seconds}
    return {"task": task, "schedule": seconds, "args": arguments, "options": options}


app = LoggedCelery("pawsmith", task_cls=LoggedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.task_queues = {BEAT: {}, CPU: {}}
app.conf.task_default_queue = CPU
app.conf.beat_schedule = {
    "sweep": every(15.0, "generation.tasks.sweep"),
    "intake": every(10.0, "annotation.tasks.take_in_all"),
    "leased work": every(15.0, "operations.tasks.sweep_leased_work"),
    "pruning": every(3600.0, "annotation.tasks.prune_imports"),
    "events": every(10.0, "operations.tasks.tell_events"),
    "deliveries": every(3600.0, "operations.tasks.delete_old_deliveries"),
    "sessions": every(3600.0, "operations.tasks.clear_sessions"),
    # Look back two periods: one lost message must not leave answers unreviewed.
    "review": every(REVIEW_SECONDS, "annotation.tasks.review_quality", 2 * REVIEW_SECONDS),
    "seals": every(60.0, "annotation.tasks.seal_answers"),
    # Whether tonight's backup exists.
    "backup": every(3600.0, "operations.tasks.back_up"),
}


@setup_logging.connect  # type: ignore[untyped-decorator]
def log_as_settings_say(**_event: object) -> None:
    """Use Django's logging settings instead of Celery's own."""
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


@heartbeat_sent.connect  # type: ignore[untyped-decorator]
def show_life(**_event: object) -> None:
    """Touch the file with which a container checks that its worker is alive."""
    if settings.SIGN_OF_LIFE:
        Path(settings.SIGN_OF_LIFE).touch()
