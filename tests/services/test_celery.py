"""A real Celery worker over a real Redis, woken for a run."""

import json

import pytest

from config import celery_app
from tests.services.installation import Installation

CELERY = """
from config import celery_app
from tests.generation import fake
fake.install()
celery_app.start({arguments})
"""

WORKER = ["worker", "--pool", "solo", "--loglevel", "WARNING"]
BEAT = ["beat", "--loglevel", "WARNING", "--pidfile", "", "--schedule"]

START_RUN = """
from annotation.services import projects
from generation import tasks
from tests.generation import fake
fake.install()
run = fake.run(fake.corpus(50))
projects.adopt(projects.create("Study"), run)
tasks.wake(run.pk)
"""

FOUND = """
import json, time
from annotation.models import Correction
from generation.models import GenerationRun
until = time.monotonic() + 60
while Correction.objects.count() < 45 and time.monotonic() < until:
    time.sleep(0.1)
print(json.dumps([GenerationRun.objects.get().state, Correction.objects.count()]))
"""


@pytest.mark.slow
def test_a_woken_worker_generates_and_the_schedule_takes_in(
    installation: Installation, redis_url: str
) -> None:
    installation.environment["CELERY_BROKER_URL"] = redis_url
    schedule = str(installation.data_dir / "schedule")
    for arguments in (WORKER, [*BEAT, schedule]):
        installation.start("shell", "-c", CELERY.format(arguments=arguments))

    installation.run(START_RUN)

    assert json.loads(installation.run(FOUND)) == ["done", 45]


def test_what_is_scheduled_exists() -> None:
    celery_app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in celery_app.conf.beat_schedule.values()}

    assert scheduled <= celery_app.tasks.keys()
