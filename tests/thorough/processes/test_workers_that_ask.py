"""Workers that ask a model on another server: killed, stopped, limited, and beside other work."""

import json
import random
import time
from typing import Any
from zlib import crc32

from support.services.installation import Installation, kill
from tests.endpoint_server import Body, Response, Server, says
from tests.thorough.processes.asking import (
    PARALLEL,
    REQUESTS,
    SENTENCES,
    START,
    STEER,
    TOKENS,
    asked,
    begin,
    status,
    wait_for_requests,
    wait_until,
    wait_until_done,
)
from tests.thorough.processes.asking import server as server

KILLS = 10
PAIRS, KILLS_OF_TASK = 100, 2  # a task fails when a third worker dies over it
LIMIT = 100_000  # tokens, for a run that would use more
ASK_ABOUT_PAIRS = f"""
from annotation.model_judgments import tasks
from annotation.models import JudgingModel, Project
from generation import installed_endpoints
from tests.annotation import make
JudgingModel.objects.all().delete()
if not (project := Project.objects.filter(name="Judged").first()):
    project = make.study()
    Project.objects.filter(pk=project.pk).update(name="Judged")
    make.pairs(project, {PAIRS})
model = installed_endpoints.endpoints().model("local:small")
tasks.ask(project, model, tasks.interview_of(project))
"""
LABELS = """
import json
from annotation.models import ModelJudgment, ModelTask
rows = ModelJudgment.objects.order_by("pair").values_list("pair", "label", "score")
print(json.dumps([ModelTask.objects.latest("pk").state, list(rows)]))
"""
STATE_OF_OTHER = """
from generation.models import GenerationRun
print(GenerationRun.objects.get(method="word_swap").state)
"""
END_LEASES = """
from django.utils import timezone
from annotation.models import ModelTask
from generation.models import Batch
Batch.objects.filter(state="open").update(lease_until=timezone.now())
ModelTask.objects.filter(state="running").update(lease_until=timezone.now())
"""
FORGET_REPLIES = "from generation.models import Reply; Reply.objects.all().delete()"
SET_LIMIT = """
from generation.models import GenerationRun
GenerationRun.objects.update(most_tokens={})
"""


def wait_for_labels(installation: Installation) -> list[list[Any]]:
    """Return pair, label and score of all labels once the task is done."""
    until = time.monotonic() + 300
    while True:
        state, labels = json.loads(installation.run(LABELS))
        if state == "done":
            return list(labels)
        assert time.monotonic() < until, state
        time.sleep(0.2)


def label(body: Body) -> Response:
    """Label a pair by a sum of its text and the seed: not all samples agree."""
    return says(str(crc32(json.dumps(body).encode()) % 2))


def test_killed_workers_pay_again_only_for_requests_in_flight(
    installation: Installation, server: Server
) -> None:
    draw = random.Random(7)
    begin(installation, server.address)
    for _ in range(KILLS):
        number = len(server.bodies) + draw.randrange(REQUESTS // KILLS)
        worker = installation.start("worker", "--queue=endpoint")
        wait_for_requests(server, number, worker)
        time.sleep(draw.uniform(0.0, 0.1))
        kill(worker)
        installation.run(END_LEASES)
    installation.start("worker", "--queue=endpoint")
    disturbed = wait_until_done(installation)
    requests = asked(server)
    assert len(requests) == disturbed["usage"]["replies"] == REQUESTS
    assert requests.total() <= REQUESTS + KILLS * PARALLEL
    assert requests.total() > REQUESTS, "no kill has hit a request"

    installation.run(FORGET_REPLIES)
    installation.run(START)
    undisturbed = wait_until_done(installation)
    assert len(asked(server)) == REQUESTS
    assert len(server.bodies) == requests.total() + REQUESTS
    assert disturbed["candidates"] == undisturbed["candidates"]
    assert len(disturbed["candidates"]) == SENTENCES


def test_killed_workers_label_pairs_as_an_undisturbed_one_does(
    installation: Installation, server: Server
) -> None:
    draw, requests = random.Random(7), PAIRS * 4
    server.answer = label
    begin(installation, server.address, ASK_ABOUT_PAIRS)
    for _ in range(KILLS_OF_TASK):
        worker = installation.start("worker", "--queue=endpoint")
        wait_for_requests(server, len(server.bodies) + draw.randrange(1, requests // 3), worker)
        kill(worker)
        installation.run(END_LEASES)
    installation.start("worker", "--queue=endpoint")
    disturbed = wait_for_labels(installation)
    assert len(asked(server)) == requests
    assert requests < len(server.bodies) <= requests + KILLS_OF_TASK * PARALLEL

    installation.run(FORGET_REPLIES)
    installation.run(ASK_ABOUT_PAIRS)
    assert wait_for_labels(installation) == disturbed
    assert len(disturbed) == PAIRS
    assert {score for _pair, _label, score in disturbed} > {0.0, 1.0}


def test_a_worker_told_to_stop_gives_the_batch_back_with_its_replies(
    installation: Installation, server: Server
) -> None:
    server.seconds = 0.5
    begin(installation, server.address)
    worker = installation.start("worker")
    wait_for_requests(server, 2 * PARALLEL, worker)
    began = time.monotonic()
    worker.terminate()
    worker.communicate()
    assert time.monotonic() - began < 15
    run = status(installation)
    assert (run["state"], run["attempts"]) == ("running", 0)
    assert run["usage"]["replies"] == len(server.bodies)


def test_nothing_is_asked_for_a_cancelled_run(installation: Installation, server: Server) -> None:
    server.seconds = 0.5
    begin(installation, server.address)
    worker = installation.start("worker", "--queue=endpoint")
    wait_for_requests(server, 2 * PARALLEL, worker)
    began = time.monotonic()
    installation.run(STEER.format("CANCEL"))
    run = wait_until(installation, lambda run: not run["held"])
    assert time.monotonic() - began < 5
    assert (run["state"], run["usage"]["replies"]) == ("cancelled", len(server.bodies))


def test_a_run_uses_its_limit_up_then_goes_on_with_a_higher_one(
    installation: Installation, server: Server
) -> None:
    begin(installation, server.address)
    installation.run(SET_LIMIT.format(LIMIT))
    installation.start("worker", "--queue=endpoint")
    run = wait_until(installation, lambda run: run["state"] != "running")
    assert (run["state"], run["paused_because"]) == ("paused", "limit")
    used = run["usage"]["tokens_in"] + run["usage"]["tokens_out"]
    assert 0.95 * LIMIT <= used <= LIMIT
    assert used == len(server.bodies) * TOKENS
    installation.run(STEER.format(f"RESUME, most_tokens={2 * LIMIT}"))
    wait_until_done(installation)
    assert set(asked(server).values()) == {1}
    assert len(server.bodies) == REQUESTS


def test_imports_go_on_while_a_model_is_slow(installation: Installation, server: Server) -> None:
    server.seconds = 60.0
    begin(installation, server.address)
    worker = installation.start("worker")
    wait_for_requests(server, 1, worker)
    installation.run(
        START.replace("Rivers", "Towns").replace('"prompted", settings=settings', '"word_swap"')
    )
    until = time.monotonic() + 60
    while installation.run(STATE_OF_OTHER).strip() != "done":
        assert time.monotonic() < until
        time.sleep(0.5)
    assert len(server.bodies) <= PARALLEL
