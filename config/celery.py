"""Celery only wakes workers up; the work and its results are in the database.

A message that is lost, late or repeated only changes when a worker looks for work; `sweep` makes up
for lost ones. docs/operator/workers.md says which workers to start.
"""

import os
from pathlib import Path

from celery import Celery
from celery.signals import heartbeat_sent, setup_logging
from django.conf import settings
from django.utils.log import configure_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SWEEP_SECONDS = 15.0
INTAKE_SECONDS = 10.0
REVIEW_SECONDS = 30.0
RELEASES_SECONDS = 15.0
WATCH_SECONDS = 60.0
SEAL_SECONDS = 60.0
# How often to check whether tonight's backup exists.
BACKUP_SECONDS = 3600.0

# The default queues of a worker. Runs that need a GPU use the queue `gpu`.
CPU, BEAT = "cpu", "beat"

app = Celery("pawsmith", task_cls="config.logged_task:LoggedTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.task_queues = {BEAT: {}, CPU: {}}
app.conf.task_default_queue = CPU
app.conf.beat_schedule = {
    "sweep": {
        "task": "generation.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"queue": BEAT, "expires": SWEEP_SECONDS},
    },
    "intake": {
        "task": "annotation.tasks.take_in_all",
        "schedule": INTAKE_SECONDS,
        "options": {"queue": BEAT, "expires": INTAKE_SECONDS},
    },
    "releases": {
        "task": "releases.tasks.sweep_releases",
        "schedule": RELEASES_SECONDS,
        "options": {"queue": BEAT, "expires": RELEASES_SECONDS},
    },
    "review": {
        "task": "annotation.tasks.review_quality",
        "schedule": REVIEW_SECONDS,
        # Look back two periods: one lost message must not leave answers unreviewed.
        "args": [2 * REVIEW_SECONDS],
        "options": {"queue": BEAT, "expires": REVIEW_SECONDS},
    },
    "watch": {
        "task": "operations.tasks.watch",
        "schedule": WATCH_SECONDS,
        "options": {"queue": BEAT, "expires": WATCH_SECONDS},
    },
    "seals": {
        "task": "annotation.tasks.seal_answers",
        "schedule": SEAL_SECONDS,
        "options": {"queue": BEAT, "expires": SEAL_SECONDS},
    },
    "backup": {
        "task": "operations.tasks.back_up",
        "schedule": BACKUP_SECONDS,
        "options": {"queue": BEAT, "expires": BACKUP_SECONDS},
    },
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
