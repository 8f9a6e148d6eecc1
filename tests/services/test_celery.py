"""A real Celery worker over a real Redis, woken for a run."""

import json

from config import celery_app
from generation import methods, tasks
from generation.models import Queue
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


def test_what_is_scheduled_goes_to_a_queue_that_is_read_before_the_others() -> None:
    queues = {entry["options"]["queue"] for entry in celery_app.conf.beat_schedule.values()}

    assert celery_app.conf.broker_transport_options["queue_order_strategy"] == "sorted"
    assert queues == {min("beat", *Queue.values)}


def test_a_worker_that_is_told_no_queues_leaves_those_with_a_gpu_their_runs() -> None:
    assert celery_app.amqp.queues.keys() == {"beat", Queue.CPU}


def test_a_message_outlasts_a_task_and_a_task_outlasts_its_longest_batch() -> None:
    conf = celery_app.conf
    longest = max(method.lease for method in methods.METHODS.values())
    visible = {
        conf.visibility_timeout,
        conf.broker_transport_options["visibility_timeout"],
        conf.result_backend_transport_options["visibility_timeout"],
    }

    assert tasks.WORK_SECONDS + longest.total_seconds() < conf.task_soft_time_limit
    assert conf.task_soft_time_limit < conf.task_time_limit < min(visible)
    assert len(visible) == 1


def test_celery_is_set_to_lose_nothing_and_to_trust_nobody() -> None:
    conf = celery_app.conf

    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_ignore_result
    assert conf.accept_content == ["json"]
    assert conf.broker_connection_max_retries is None
    assert conf.worker_max_memory_per_child == 2048 * 1024
