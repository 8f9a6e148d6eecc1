"""All leased work is known to operations, evaluations too."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import translation

from common import clock
from common.leased import Leased
from common.leases import LEASE, Progress
from evaluation.models import Evaluation
from evaluation.services import EVALUATIONS
from generation.services import worker
from operations import status
from operations.work import KINDS, WORKS, Waiting, waiting_work
from releases.models import Release
from tests.annotation import make

pytestmark = [pytest.mark.both_engines, pytest.mark.django_db]

ALONE = "Evaluations are waiting, but no worker evaluates."


def test_each_model_of_leased_work_has_one_work():
    models = [model for model in apps.get_models() if issubclass(model, Leased)]
    assert sorted(map(str, models)) == sorted(str(work.model) for work in WORKS)


def test_each_kind_of_work_has_its_own_words_in_german():
    with translation.override("de"):
        words = {kind: Waiting(kind, "", "cpu", None, False).kind_in_words for kind in KINDS}
    assert len({*words.values()}) == len(KINDS)
    assert words["model task"] == "Urteile eines Modells"


def test_a_claim_holds_a_row_until_its_lease_ends(evaluation, monkeypatch):
    at = clock.now()
    monkeypatch.setattr(clock, "now", lambda: at)
    row = EVALUATIONS.claim()
    assert list(EVALUATIONS.pending(at)) == []
    assert list(EVALUATIONS.pending(at + LEASE)) == [row]


def test_a_renewed_lease_begins_anew(evaluation, monkeypatch):
    row = EVALUATIONS.claim()
    at = clock.now() + LEASE / 2
    monkeypatch.setattr(clock, "now", lambda: at)
    assert EVALUATIONS.renew(row, Progress())
    assert list(EVALUATIONS.pending(at + LEASE * 0.9)) == []
    assert list(EVALUATIONS.pending(at + LEASE)) == [row]


@pytest.fixture
def evaluation():
    release = Release.objects.create(project=make.study(), version="1", seed=0, settings={})
    asked_at = clock.now() - timedelta(hours=5)
    row = {"experiment": "plain", "names": [], "asked_at": asked_at}
    return Evaluation.objects.create(release=release, **row)


def test_an_evaluation_waits_since_it_was_requested(evaluation):
    [work] = waiting_work(clock.now())
    assert (work.kind, work.name, work.since) == (
        "evaluation",
        str(evaluation.release),
        evaluation.asked_at,
    )


def test_the_metrics_count_an_evaluation(evaluation):
    assert b'pawsmith_waiting{kind="evaluation"} 1.0' in status.metrics()


def test_an_evaluation_without_an_evaluator_is_a_problem(evaluation):
    worker.store_heartbeat("one:1", "embedded", ["cpu", "gpu"])
    assert ALONE in [finding.text for finding in status.read_condition().findings]


def test_a_long_evaluation_is_no_problem(evaluation):
    worker.store_heartbeat("one:1", "embedded", ["evaluations"])
    soon = clock.now() + timedelta(seconds=30)
    Evaluation.objects.update(state="under_way", lease_until=soon)
    assert [finding.text for finding in status.read_condition().findings] == []


def test_an_evaluator_is_no_worker_for_anything_else():
    worker.store_heartbeat("one:1", "embedded", ["evaluations"])
    [finding] = status.read_condition().findings
    assert finding.text == "No worker is running. No work is waiting yet."
