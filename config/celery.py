"""Celery only wakes workers up: what is to be done, and what was done, stands in the database.

A message that is lost, late or doubled changes only the time at which a worker looks; `sweep`
makes up for lost ones. docs/workers.md says which workers to start.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SWEEP_SECONDS = 15.0
INTAKE_SECONDS = 10.0
REVIEW_SECONDS = 30.0
RELEASES_SECONDS = 15.0

# Those of a worker that is not told others. Runs that need a GPU have a queue of their own, `gpu`.
CPU, BEAT = "cpu", "beat"

app = Celery("pawsmith")
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
        "task": "annotation.tasks.sweep_releases",
        "schedule": RELEASES_SECONDS,
        "options": {"queue": BEAT, "expires": RELEASES_SECONDS},
    },
    "review": {
        "task": "annotation.tasks.review_quality",
        "schedule": REVIEW_SECONDS,
        # Twice as far back: whoever stopped while one message was lost is still looked at.
        "args": [2 * REVIEW_SECONDS],
        "options": {"queue": BEAT, "expires": REVIEW_SECONDS},
    },
}
