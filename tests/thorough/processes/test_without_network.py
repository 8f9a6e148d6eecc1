"""From sentences to a release, no process of Python calls another machine."""

import json
import os
from pathlib import Path

import pytest
import requests

from support.places import ROOT
from support.services.installation import Installation

RECORDING = Path(__file__).parent / "recording"
WORKER = ("worker", "--pool", "solo", "--without-gossip", "--queues", "beat,cpu")
BEAT = ("beat", "--pidfile", "")
# One process for all commands: each takes longer to start than to work.
STUDY = """
import json, time
from pathlib import Path
from django.core.management import call_command
from annotation.models import Judgment, SentencePair
from releases.models import Example
from generation.models import Candidate, GenerationRun
sentences = Path("operations/demonstration/sentences.jsonl").read_text().splitlines()
file = Path({folder!r}, "some.jsonl")
file.write_text("\\n".join(sentences[:12]) + "\\n")
call_command("create_project", "Study")
call_command("import_sentences", file, corpus="Some")
call_command("generate", corpus=["Some"], project="Study", method="word_swap")
until = time.monotonic() + 300
while GenerationRun.objects.get().state != "done":
    assert time.monotonic() < until, GenerationRun.objects.values()
    time.sleep(0.2)
call_command("simulate_annotators", project="Study", annotators=6, accuracy=0.95, seed=1)
call_command("report", project="Study", json=True)
output = Path({folder!r}, "release")
call_command("build_release", project="Study", release="1.0", dev=0, test=0, output=output)
call_command("verify_release", output)
print(json.dumps([each.objects.count() for each in (Candidate, SentencePair, Judgment, Example)]))
"""
CALL_OTHERS = """
import socket
for host in ("192.0.2.1", "host.invalid"):
    try:
        socket.create_connection((host, 443), timeout=0.2).close()
    except OSError:
        pass
"""


@pytest.fixture
def place(new_postgres_database, redis_url, tmp_path):
    """An installation whose processes record the addresses and names that they call."""
    tmp_path.joinpath("calls").touch()
    recording = {
        "CELERY_BROKER_URL": redis_url,
        "PYTHONPATH": f"{RECORDING}{os.pathsep}{ROOT}",
        "PAWSMITH_TEST_CALLS": str(tmp_path / "calls"),
    }
    place = Installation(new_postgres_database, tmp_path, recording)
    yield place
    place.stop()


def test_a_whole_study_calls_no_other_machine(place, tmp_path):
    place.celery(*WORKER)
    place.celery(*BEAT, "--schedule", f"{tmp_path}/schedule")
    address = place.serve()
    printed = place.manage("shell", "-c", STUDY.format(folder=str(tmp_path)), timeout=600)
    assert all(json.loads(printed.splitlines()[-1]))
    assert requests.get(f"{address}/accounts/login/", timeout=120).status_code == 200
    assert tmp_path.joinpath("calls").read_text() == ""


def test_control_calls_are_recorded(place, tmp_path):
    place.manage("shell", "-c", CALL_OTHERS)
    calls = tmp_path.joinpath("calls").read_text()
    assert "192.0.2.1" in calls
    assert "host.invalid" in calls
