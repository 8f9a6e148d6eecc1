"""From sentences to a verified release, with every service, and without a network if permitted.

`python -m tests.thorough.processes.whole_study DATABASE FOLDER` prints what it found as JSON.
"""

import json
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.services import servers
from tests.services.installation import Installation
from tests.thorough.processes import network_namespace

SENTENCES = 12
PATIENCE = 120.0
WORKER = ("worker", "--pool", "solo", "--without-gossip", "--queues", "beat,cpu")
BEAT = ("beat", "--pidfile", "")
# One process for all commands: each takes longer to start than to do its work.
JOB = """
import json, time
from pathlib import Path
from django.core.management import call_command
from annotation.models import Example, Judgment, Release, SentencePair
from annotation.services import intake
from generation.models import Candidate, GenerationRun
sentences = Path("annotation/demonstration/sentences.jsonl").read_text().splitlines()
file = Path({folder!r}, "some.jsonl")
file.write_text("\\n".join(sentences[:{sentences}]) + "\\n")
call_command("create_project", "Alone")
call_command("import_sentences", file, corpus="Alone")
call_command("generate", corpus=["Alone"], project="Alone", method="word_swap")
until = time.monotonic() + {patience}
while GenerationRun.objects.get().state != "done":
    assert time.monotonic() < until, GenerationRun.objects.values()
    time.sleep(0.2)
call_command("simulate_annotators", project="Alone", annotators=6, accuracy=0.95, seed=1)
call_command("report", project="Alone", json=True)
output = Path({folder!r}, "release")
call_command("build_release", project="Alone", release="1.0", dev=0, test=0, output=output)
call_command("verify_release", output)
counted = (Candidate, Judgment, SentencePair, Example)
print(json.dumps({{model.__name__: model.objects.count() for model in counted}}))
"""


def main(database: str, folder: str) -> None:
    """Leave the network, start the services, do the job, and count who was called."""
    is_alone = network_namespace.leave()
    with servers.redis() as broker:
        place = Installation(database, Path(folder), {"CELERY_BROKER_URL": broker})
        port = _free_port()
        try:
            place.celery(*WORKER)
            place.celery(*BEAT, "--schedule", f"{folder}/schedule")
            place._spawn("-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}")
            job = JOB.format(folder=folder, sentences=SENTENCES, patience=PATIENCE)
            done = json.loads(place.start("shell", "-c", job).communicate()[0].splitlines()[-1])
            pages = {path: _status(port, path) for path in ("/readyz", "/accounts/login/")}
        finally:
            place.stop()
    told = {"alone": is_alone, "ways": network_namespace.refused_ways() if is_alone else 0}
    print(json.dumps({**told, "done": done, "pages": pages}))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _status(port: int, path: str) -> Any:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as reply:
                return reply.status
        except ConnectionError:
            time.sleep(0.2)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            time.sleep(0.2)
    raise TimeoutError(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
