"""A real Celery worker over a real Redis, and the settings that keep its work safe."""

import json

import pytest

from config import celery_app
from generation import methods, tasks
from generation.models import Queue

CELERY = """
from config import celery_app
from support import fake
fake.install()
celery_app.start({arguments})
"""
WORKER = ["worker", "--pool", "solo", "--loglevel", "WARNING"]
START_RUN = """
from annotation.projects.services import projects
from generation import tasks
from support import fake
fake.install()
run = fake.run(fake.corpus(50))
projects.create("Study").runs.add(run)
tasks.wake(run.pk)
"""
FOUND = """
import json, time
from annotation import tasks
from annotation.models import Correction
from generation.models import GenerationRun
def wait_until(happened):
    until = time.monotonic() + 300
    while not happened() and time.monotonic() < until:
        time.sleep(0.1)
wait_until(lambda: GenerationRun.objects.get().state == "done")
tasks.take_in_all.apply_async(queue="beat")
wait_until(lambda: Correction.objects.count() == 45)
print(json.dumps([GenerationRun.objects.get().state, Correction.objects.count()]))
"""


@pytest.mark.parametrize("engine", ["postgres"])
def test_a_woken_worker_generates_and_adds_the_candidates_when_asked(installation, redis_url):
    installation.environment["CELERY_BROKER_URL"] = redis_url
    installation.start("shell", "-c", CELERY.format(arguments=WORKER))
    installation.run(START_RUN)
    assert json.loads(installation.run(FOUND, timeout=660)) == ["done", 45]


def test_scheduled_tasks_exist_and_go_to_a_queue_that_is_read_first():
    celery_app.loader.import_default_modules()
    scheduled = celery_app.conf.beat_schedule.values()
    assert {entry["task"] for entry in scheduled} <= celery_app.tasks.keys()
    assert {entry["options"]["queue"] for entry in scheduled} == {min("beat", *Queue.values)}
    assert celery_app.conf.broker_transport_options["queue_order_strategy"] == "sorted"


def test_a_message_outlasts_a_task_and_a_task_outlasts_its_longest_batch():
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


def test_celery_loses_no_task_and_leaves_gpu_runs_to_workers_with_a_gpu():
    conf = celery_app.conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_ignore_result
    assert conf.accept_content == ["json"]
    assert conf.broker_connection_max_retries is None
    assert conf.worker_max_memory_per_child == 2048 * 1024
    assert celery_app.amqp.queues.keys() == {"beat", Queue.CPU}
