"""Metrics: for whoever has the token, summed over all processes, cheap at any size."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Judgment
from operations import figures
from tests.annotation import cast
from tests.services.installation import ROOT

pytestmark = pytest.mark.django_db

TOKEN = {"authorization": "Bearer of-nobody-else"}

# A process of a web server: it answers so many requests, then it ends or asks for the metrics.
PROCESS = """
import django
django.setup()
from operations import metrics
for _ in range({requests}):
    metrics.count("judge", "POST", 200, 0.02)
if {asks}:
    metrics.figures.gauges = list
    print(metrics.exposition().decode())
"""


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> None:
    settings.METRICS_TOKEN, settings.METRICS_DIR = "of-nobody-else", tmp_path
    cache.clear()


def values(client: Client) -> dict[str, float]:
    """Each metric with its labels, as the page tells them."""
    return read(client.get("/metrics", headers=TOKEN).text)


def read(text: str) -> dict[str, float]:
    found = re.findall(r"^(pawsmith_\S+) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_without_a_token_of_the_installation_there_are_no_metrics(client: Client) -> None:
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", "of-nobody-else"])
def test_who_does_not_have_the_token_learns_nothing(client: Client, given: str) -> None:
    reply = client.get("/metrics", headers={"authorization": given})

    assert (reply.status_code, reply.content) == (401, b"")


@pytest.mark.usefixtures("collected")
def test_answers_and_slots_are_counted(client: Client) -> None:
    project = cast.study()
    cast.pairs(project, 2)
    member = cast.person(project)
    cast.judge_next(member)
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    cast.correct_next(member)

    found = values(client)

    assert found["pawsmith_judgments"] == 1
    assert found["pawsmith_open_slots"] == Judgment.objects.filter(label=None).count()
    assert found["pawsmith_corrections"] == 1
    assert found['pawsmith_runs{state="cancelled"}'] == 0
    assert found["pawsmith_database_bytes"] > 0


@pytest.mark.usefixtures("collected")
def test_the_database_is_read_once_in_some_seconds(
    client: Client, django_assert_num_queries: Any
) -> None:
    values(client)

    with django_assert_num_queries(0):
        values(client)


def test_more_rows_cost_no_more_statements(django_assert_max_num_queries: Any) -> None:
    project = cast.study()
    cast.pairs(project, 30)
    for _ in range(3):
        cast.judge_all(cast.person(project), 1)

    with django_assert_max_num_queries(16):
        figures.gauges()


def test_open_slots_are_counted_along_their_index_as_far_as_the_limit() -> None:
    with CaptureQueriesContext(connection) as asked:
        figures._open_slots()

    [statement] = [query["sql"] for query in asked]
    assert "JOIN" not in statement
    assert f"LIMIT {figures.MOST_OPEN}" in statement


def process(folder: Path, *, requests: int, asks: bool = False) -> dict[str, float]:
    """What a process of a web server tells, if it is asked; it is gone afterwards."""
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PAWSMITH_METRICS_TOKEN": "of-nobody-else",
        "PAWSMITH_DATA_DIR": str(folder),
        "DATABASE_URL": "sqlite://:memory:",
    }
    ran = subprocess.run(
        [sys.executable, "-c", PROCESS.format(requests=requests, asks=asks)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return read(ran.stdout)


def test_requests_of_all_processes_are_summed_those_that_are_gone_included(tmp_path: Path) -> None:
    process(tmp_path, requests=3)
    process(tmp_path, requests=4)

    found = process(tmp_path, requests=5, asks=True)

    series = 'pawsmith_request_seconds_count{method="POST",route="judge",status="2xx"}'
    assert found[series] == 12
    [folder] = (tmp_path / "metrics").iterdir()
    assert len(list(folder.glob("histogram_*.db"))) == 2, "those that are gone, and the last"
    assert process(tmp_path, requests=1, asks=True)[series] == 13
