"""Workers that ask a model on another server: killed, stopped, and beside other work."""

import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.services import servers
from support.services.installation import Installation, kill
from tests.endpoint_server import Body, Response, Server, fails, says, serving

PARALLEL, SENTENCES, SAMPLES = 16, 200, 2
REQUESTS = SENTENCES * SAMPLES
KILLS = 10
TOKENS, LIMIT = 280, 100_000  # of a reply, and of a run that cannot ask everything
ENDPOINTS = f"""
[local]
address = "{{address}}"
parallel = {PARALLEL}
key_file = "{{key_file}}"
[local.models.small]
"""
KEY = "sk-secret-0123456789"
START = f"""
from annotation.projects.services import projects
from generation.models import Corpus
from generation.readers import Row
from generation.services import runs
from generation.services.sentences import import_sentences
corpus, is_new = Corpus.objects.get_or_create(name="Rivers", language="en")
texts = [f"The boats sail from Bristol to Cork in {{n}}." for n in range(1800, 1800 + {SENTENCES})]
if is_new:
    import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=corpus)
prompt = "Say something else with the same words. " * 15 + "Rewrite: {{sentence}}"
settings = {{"generator": "local:small", "scorer": "", "prompt": prompt}}
settings |= {{"samples": {SAMPLES}, "same_words": False, "intent": "any"}}
run = runs.start(corpus, method="prompted", settings=settings, batch_size=20)
projects.create(f"Study {{run.pk}}").runs.add(run)
"""
STATUS = """
import json
from generation.models import GenerationRun
run = GenerationRun.objects.latest("pk")
rows = run.candidate_set.order_by("sentence", "rank").values_list("sentence__text", "text")
print(json.dumps({
    **{name: getattr(run, name) for name in ("state", "paused_because", "usage")},
    "parked": run.batches.filter(state="parked").count(),
    "attempts": sum(run.batches.filter(state="open").values_list("attempts", flat=True)),
    "held": run.batches.exclude(lease=None).count(),
    "candidates": list(rows),
}))
"""
STEER = """
from common.messages import call_on_commit
from generation.models import GenerationRun
from generation.services import runs
runs.steer(GenerationRun.objects.get(), runs.Action.{})
call_on_commit()
"""
STATE_OF_OTHER = """
from generation.models import GenerationRun
print(GenerationRun.objects.get(method="word_swap").state)
"""
END_LEASES = "from generation.models import Batch; Batch.objects.update(lease_until=None)"
FORGET_REPLIES = "from generation.models import Reply; Reply.objects.all().delete()"
SET_LIMIT = """
from generation.models import GenerationRun
GenerationRun.objects.update(most_tokens={})
"""
# A worker that gives requests up after a second, and asks a silent server every second.
HASTY = """
from datetime import timedelta
from django.core.management import call_command
from generation.endpoints import sender
from generation.services import replies
sender.LONGEST, replies.SHORTEST_WAIT = 1.0, timedelta(seconds=1)
call_command("worker", "--queue=endpoint")
"""


def rewritten(body: Body) -> Response:
    """Answer with the year first, and the number of the sample by its seed: no two are equal."""
    year = body["messages"][-1]["content"].rstrip(".").split()[-1]
    text = f"In {year} the boats sailed to Cork, {body['seed'] % 1_000} of them."
    return says(text, usage={"prompt_tokens": 200, "completion_tokens": TOKENS - 200})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(answer=rewritten) as server:
        server.seconds = 0.05
        yield server


def begin(installation: Installation, address: str) -> None:
    file, key_file = (installation.data_dir / name for name in ("endpoints.toml", "key"))
    key_file.write_text(KEY)
    file.write_text(ENDPOINTS.format(address=address, key_file=key_file))
    installation.environment["PAWSMITH_ENDPOINTS"] = str(file)
    installation.run(START)


def status(installation: Installation) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(installation.run(STATUS))
    return values


def wait_until(installation: Installation, is_so: Callable[[dict[str, Any]], bool]) -> Any:
    """Return the status of the run once it is as expected."""
    until = time.monotonic() + 300
    while not is_so(run := status(installation)):
        assert time.monotonic() < until, run
        time.sleep(0.2)
    return run


def wait_until_done(installation: Installation) -> dict[str, Any]:
    run = wait_until(installation, lambda run: run["state"] != "running")
    assert (run["state"], run["parked"]) == ("done", 0), run["paused_because"]
    return run


def wait_for_requests(server: Server, number: int, worker: subprocess.Popen[str]) -> None:
    while len(server.bodies) < number:
        assert worker.poll() is None, worker.communicate()
        time.sleep(0.001)


def asked(server: Server) -> Counter[str]:
    return Counter(json.dumps(body, sort_keys=True) for body in server.bodies)


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


def test_errors_of_a_busy_server_park_no_batch(installation: Installation, server: Server) -> None:
    draw = random.Random(7)
    failures = [fails(429), fails(500), Response(is_cut=True)]
    server.answer = lambda body: draw.choice(failures) if draw.random() < 0.3 else rewritten(body)
    begin(installation, server.address)
    installation.start("worker")
    run = wait_until_done(installation)
    assert run["usage"]["replies"] == REQUESTS
    assert len(server.bodies) > REQUESTS


def test_a_run_goes_on_alone_once_its_server_is_back(installation: Installation) -> None:
    port = servers.free_port()
    begin(installation, f"http://127.0.0.1:{port}/v1")
    worker = installation.start_code(HASTY)
    with serving(answer=rewritten, port=port) as server:
        server.seconds = 0.05
        wait_for_requests(server, 3 * PARALLEL, worker)
    run = wait_until(installation, lambda run: run["paused_because"])
    assert run["state"] == "running"
    assert run["paused_because"].startswith("local does not answer")
    with serving(answer=rewritten, port=port) as server_again:
        run = wait_until_done(installation)
    assert run["usage"]["replies"] == REQUESTS
    assert (asked(server) + asked(server_again)).total() <= REQUESTS + PARALLEL


def test_a_wrong_key_pauses_a_run_at_once(installation: Installation, server: Server) -> None:
    begin(installation, server.address)
    worker = installation.start("worker", "--queue=endpoint")
    wait_for_requests(server, 3 * PARALLEL, worker)
    server.answer = lambda body: fails(401)
    run = wait_until(installation, lambda run: run["state"] != "running")
    assert (run["state"], run["attempts"], run["held"]) == ("paused", 0, 0)
    assert run["paused_because"].startswith("local answered 401")
    assert len(server.bodies) - run["usage"]["replies"] <= PARALLEL
    server.answer = rewritten
    installation.run(STEER.format("RESUME"))
    wait_until_done(installation)
    assert len(server.bodies) <= REQUESTS + PARALLEL


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


def test_a_worker_leaves_the_key_nowhere(installation: Installation, server: Server) -> None:
    draw = random.Random(7)
    failures = [fails(429, KEY), fails(500, KEY), fails(400, KEY)]
    answers = [*failures, *(says(f"{KEY}, they said {number}.") for number in range(7))]
    server.answer = lambda body: draw.choice(answers)
    begin(installation, server.address)
    worker = installation.start("worker", "--queue=endpoint")
    wait_for_requests(server, REQUESTS // 2, worker)
    server.answer = lambda body: fails(401, KEY)
    wait_until(installation, lambda run: run["state"] == "paused")
    worker.terminate()
    output = "".join(worker.communicate())
    assert "local answered 401" in output
    rows = installation.manage("dumpdata")
    assert "[key], they said" in rows
    files = [path for path in installation.data_dir.rglob("*") if path.is_file()]
    texts = {"rows": rows, "output": output}
    texts |= {path.name: path.read_text(errors="replace") for path in files}
    assert [name for name, text in texts.items() if KEY in text] == ["key"]


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
