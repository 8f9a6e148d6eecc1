"""Workers that ask a model on another server: killed, stopped, and beside other work."""

import json
import random
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from support.services.installation import Installation, kill
from tests.endpoint_server import Body, Response, Server, fails, says, serving

PARALLEL, SENTENCES, SAMPLES = 8, 60, 2
REQUESTS = SENTENCES * SAMPLES
# The client stores at least this often: what arrived since is asked for again after a kill.
UNSTORED = 64
ENDPOINTS = f"""
[local]
address = "{{address}}"
parallel = {PARALLEL}
[local.models.small]
"""
START = f"""
from annotation.projects.services import projects
from generation.models import Corpus
from generation.readers import Row
from generation.services import runs
from generation.services.sentences import import_sentences
corpus = Corpus.objects.create(name="Rivers", language="en")
texts = [f"The boats sail from Bristol to Cork in {{n}}." for n in range(1800, 1800 + {SENTENCES})]
import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=corpus)
settings = {{"generator": "local:small", "scorer": "", "prompt": "Rewrite: {{sentence}}"}}
settings |= {{"samples": {SAMPLES}, "same_words": False, "intent": "any"}}
run = runs.start(corpus, method="prompted", settings=settings, batch_size=20)
projects.create("Study").runs.add(run)
"""
FOUND = """
import json
from generation.models import Candidate, GenerationRun
run = GenerationRun.objects.get()
rows = Candidate.objects.order_by("sentence", "rank").values_list("sentence__text", "text")
attempts = max(run.batches.values_list("attempts", flat=True))
print(json.dumps([run.state, run.paused_because, run.usage, attempts, [list(row) for row in rows]]))
"""

STATE = """
from generation.models import GenerationRun
print(GenerationRun.objects.get(method="word_swap").state)
"""
END_LEASES = "from generation.models import Batch; Batch.objects.update(lease_until=None)"


def rewritten(body: Body) -> Response:
    """Answer with the year first, and the number of the sample by its seed: no two are equal."""
    year = body["messages"][-1]["content"].rstrip(".").split()[-1]
    return says(f"In {year} the boats sailed to Cork, {body['seed'] % 1_000} of them.")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(answer=rewritten) as server:
        server.seconds = 0.05
        yield server


def begin(installation: Installation, server: Server) -> None:
    file = installation.data_dir / "endpoints.toml"
    file.write_text(ENDPOINTS.format(address=server.address))
    installation.environment["PAWSMITH_ENDPOINTS"] = str(file)
    installation.run(START)


def wait_until_done(installation: Installation) -> tuple[Counter[str], list[list[str]]]:
    """Return usage and candidates once the run is done."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        state, reason, usage, _, rows = json.loads(installation.run(FOUND))
        assert state in ("running", "done"), reason
        if state == "done":
            return usage, rows
        time.sleep(0.5)
    raise AssertionError("The run is not done.")


def asked(server: Server) -> Counter[str]:
    return Counter(json.dumps(body, sort_keys=True) for body in server.bodies)


def test_a_killed_worker_asks_again_only_for_what_was_not_stored(
    installation: Installation, server: Server
) -> None:
    kills, draw = 2, random.Random(7)
    begin(installation, server)
    for _ in range(kills):
        before = len(server.bodies)
        worker = installation.start("worker", "--queue=endpoint")
        while len(server.bodies) - before < draw.randrange(8, 30):
            assert worker.poll() is None, worker.communicate()
            time.sleep(0.01)
        kill(worker)
        # Its lease must end.
        installation.run(
            "from generation.models import Batch; Batch.objects.update(lease_until=None)"
        )
    installation.start("worker", "--queue=endpoint")
    usage, rows = wait_until_done(installation)
    requests = asked(server)
    assert len(requests) == REQUESTS
    assert requests.total() - REQUESTS <= kills * (PARALLEL + UNSTORED)
    assert usage["replies"] == REQUESTS
    assert len(rows) == SENTENCES


def test_a_worker_told_to_stop_gives_the_batch_back_with_its_replies(
    installation: Installation, server: Server
) -> None:
    server.seconds = 0.5
    begin(installation, server)
    worker = installation.start("worker")
    while len(server.bodies) < 2 * PARALLEL:
        assert worker.poll() is None, worker.communicate()
        time.sleep(0.01)
    began = time.monotonic()
    worker.terminate()
    worker.communicate()
    assert time.monotonic() - began < 15
    state, _, usage, attempts, _ = json.loads(installation.run(FOUND))
    assert (state, attempts) == ("running", 0)
    assert usage["replies"] == len(server.bodies)


def test_errors_of_a_busy_server_park_no_batch(installation: Installation, server: Server) -> None:
    draw = random.Random(7)
    failures = [fails(429), fails(500), Response(is_cut=True)]
    server.answer = lambda body: draw.choice(failures) if draw.random() < 0.3 else rewritten(body)
    begin(installation, server)
    installation.start("worker")
    usage, _ = wait_until_done(installation)
    assert usage["replies"] == REQUESTS


def test_imports_go_on_while_a_model_is_slow(installation: Installation, server: Server) -> None:
    server.seconds = 60.0
    begin(installation, server)
    installation.start("worker")
    while not server.bodies:
        time.sleep(0.05)
    other = START.replace("Rivers", "Towns").replace('"prompted", settings=settings', '"word_swap"')
    installation.run(other.replace('"Study"', '"Other study"'))
    until = time.monotonic() + 60
    while installation.run(STATE).strip() != "done":
        assert time.monotonic() < until
        time.sleep(0.5)
    assert len(server.bodies) <= PARALLEL
