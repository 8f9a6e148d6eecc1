"""Celery only wakes workers up: what is to be done, and what was done, stands in the database.

A message that is lost, late or doubled changes only the time at which a worker looks; `sweep`
makes up for lost ones.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SWEEP_SECONDS = 30.0
INTAKE_SECONDS = 10.0

app = Celery("pawsmith")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "sweep": {"task": "generation.tasks.sweep", "schedule": SWEEP_SECONDS},
    "intake": {
        "task": "annotation.tasks.take_in_all",
        "schedule": INTAKE_SECONDS,
        "options": {"expires": INTAKE_SECONDS},
    },
}
