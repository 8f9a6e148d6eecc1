"""Metrics: for those with the token, summed over all processes, cheap at any size."""

import os
import re
import subprocess
import sys

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Judgment
from tests.annotation import cast
from tests.services.installation import ROOT

pytestmark = pytest.mark.django_db

# Three processes of a web server, two of which end before the last is asked for the metrics.
PROCESSES = """
import os, django
django.setup()
from operations import metrics
def count(requests):
    for _ in range(requests):
        metrics.count("judge", "POST", 200, 0.02)
for requests in (3, 4):
    if os.fork() == 0:
        count(requests)
        os._exit(0)
    os.wait()
count(5)
metrics.figures.gauges = list
print(metrics.exposition().decode(), "END")
count(1)
print(metrics.exposition().decode())
"""


def read(text):
    """Each metric with its labels."""
    found = re.findall(r"^(pawsmith_\S+) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_metrics_are_for_those_with_the_token_of_the_installation(client, settings, tmp_path):
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN, settings.METRICS_DIR = "token", tmp_path
    cache.clear()
    for given in ("", "Bearer ", "Bearer wrong", "token"):
        reply = client.get("/metrics", headers={"authorization": given})
        assert (reply.status_code, reply.content) == (401, b"")
    project = cast.study()
    cast.pairs(project, 2)
    member = cast.person(project)
    cast.judge_next(member)
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    cast.correct_next(member)
    found = read(client.get("/metrics", headers={"authorization": "Bearer token"}).text)
    assert found["pawsmith_judgments"] == found["pawsmith_corrections"] == 1
    assert found["pawsmith_open_slots"] == Judgment.objects.filter(label=None).count()
    assert found['pawsmith_runs{state="cancelled"}'] == 0
    assert found["pawsmith_database_bytes"] > 0
    with CaptureQueriesContext(connection) as asked:  # some seconds later the same is told
        client.get("/metrics", headers={"authorization": "Bearer token"})
    assert len(asked) == 0


def test_requests_of_all_processes_are_summed_those_that_ended_included(tmp_path):
    environment = {"PAWSMITH_METRICS_TOKEN": "token", "PAWSMITH_DATA_DIR": str(tmp_path)}
    environment |= {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    command = [sys.executable, "-c", PROCESSES]
    printed = subprocess.check_output(command, cwd=ROOT, env=os.environ | environment, text=True)
    series = 'pawsmith_request_seconds_count{method="POST",route="judge",status="2xx"}'
    assert [read(text)[series] for text in printed.split("END")] == [12, 13]
    [folder] = (tmp_path / "metrics").iterdir()
    assert len(list(folder.glob("histogram_*.db"))) == 2, "of those that ended, and of the last"
