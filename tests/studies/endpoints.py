"""Models on servers: those to choose, runs and tasks that ask them, and the test of one."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from annotation.model_judgments import services
from annotation.models import JudgingModel, ModelTask
from annotation.pairs.labelled_lines import ModelJudgmentLine
from generation.models import GenerationRun
from tests.annotation import judged
from tests.studies import runs

ENDPOINTS = """
[local]
address = "http://127.0.0.1:9/v1"
note = "Texts stay in the university"

[local.models.small]
price_in = 0.1
price_out = 0.4
currency = "EUR"
"""
USAGE = {"replies": 640, "reused": 20, "tokens_in": 900_000, "tokens_out": 99_000}
USAGE |= {"cost": 840_000, "currency": "EUR"}
REFUSED = "local answered 401: its key may be wrong. Ask the administrator of this installation."
SILENT = "local does not answer: the connection failed (ConnectError)."
SPENDS = {"most_tokens": 1_000_000, "usage": USAGE}
PAUSED = {"state": "paused", **SPENDS}
NOW = timezone.now()
WAITS = {"paused_because": SILENT, "waits_until": NOW + timedelta(minutes=4), "silent_since": NOW}


def with_endpoint(_study):
    Path(settings.ENDPOINTS_FILE).write_text(ENDPOINTS)


def run_at_limit(study):
    _run_that_asks(study, **PAUSED, paused_because="limit")


def refused_run(study):
    _run_that_asks(study, **PAUSED, paused_because=REFUSED)


def waiting_run(study):
    _run_that_asks(study, **SPENDS, **WAITS)


def _run_that_asks(study, **columns):
    run = runs._run(study, "done", "open")
    GenerationRun.objects.filter(pk=run.pk).update(queue="endpoint", **columns)


def with_model_tasks(study):
    """One task in each state."""
    states = {
        "1": {"state": "waiting"},
        "2": {"state": "waiting", **WAITS},
        "3": {"state": "running"},
        "4": PAUSED,
        "5": {**PAUSED, "paused_because": "limit"},
        "6": {**PAUSED, "paused_because": REFUSED},
        "7": {"state": "done", "unusable": {"no_label": 12}, "unlabelled": 3, "ties": 41},
        "8": {"state": "failed", "failure": "Three workers died over this task."},
        "9": {"state": "cancelled"},
    }
    for revision, columns in states.items():
        ModelTask.objects.create(
            project=study.project,
            model="local:small",
            revision=revision,
            identity={},
            interview={},
            scope="undecided",
            draw=90,
            done=40,
            total=90,
            **SPENDS | columns,
        )
    JudgingModel.objects.create(project=study.project, name="local:small", revision="7")


def with_tested_model(study):
    """A model that always says the same, of pairs of which most are so, with scores."""
    votes = [[int(number < 6)] * 5 for number in range(60)]
    pairs = judged.pairs(study.project, votes, by=judged.people(study.project, 5))
    lines = [
        ModelJudgmentLine(1, pair.public_id, 0, number % 9 / 10)
        for number, pair in enumerate(pairs)
    ]
    services.add(study.project, name="local:small", revision="a2f07d4c91be", lines=lines)
