"""An installation whose workers ask a model on another server, and a run that asks it."""

import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.services.installation import Installation
from tests.endpoint_server import Body, Response, Server, says, serving

PARALLEL, SENTENCES, SAMPLES = 16, 200, 2
REQUESTS = SENTENCES * SAMPLES
TOKENS = 280  # of a reply
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


def begin(installation: Installation, address: str, start: str = START) -> None:
    file, key_file = (installation.data_dir / name for name in ("endpoints.toml", "key"))
    key_file.write_text(KEY)
    file.write_text(ENDPOINTS.format(address=address, key_file=key_file))
    installation.environment["PAWSMITH_ENDPOINTS"] = str(file)
    installation.run(start)


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
