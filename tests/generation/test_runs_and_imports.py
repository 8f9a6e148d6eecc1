"""Runs over REST and with Celery."""

from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from django.db import transaction
from django.urls import reverse
from kombu.exceptions import OperationalError
from rest_framework.test import APIRequestFactory, force_authenticate

from accounts.models import User
from generation import tasks
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList
from generation.models import GenerationRun
from support import fake
from support.workers import work_until_idle

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(backwards):
    run = fake.run(fake.corpus(20))
    run.batches.filter(number=2).update(state="parked")
    return run


def test_over_rest_they_are_read_only_through_views_that_know_who_reads(admin_client, run):
    row = admin_client.get(reverse("api_run", args=[run.public_id])).json()
    assert (row["settings"], row["models"], row["seed"]) == (fake.DEFAULTS, fake.IDENTITIES, 7)
    [row] = admin_client.get(reverse("api_runs")).json()["results"]
    names = ("sentences", "sentences_done", "sentences_accepted", "batches_parked")
    assert (row["id"], row["settings"]) == (str(run.public_id), fake.DEFAULTS)
    assert [row[name] for name in names] == [20, 0, 0, 1]
    work_until_idle()
    [row] = admin_client.get(reverse("api_runs")).json()["results"]
    # Two of the fifteen sentences that are not parked have a single word.
    assert [row[name] for name in names] == [20, 15, 13, 1]
    request = APIRequestFactory().get("/")
    force_authenticate(request, User.objects.get())
    for view in (CorpusList, RunList):
        assert view.as_view()(request).data == {"next": None, "results": []}
    assert RunDetail.as_view()(request, public_id=run.public_id).status_code == 404


def on_commit(call, *, robust):
    try:
        call()
    except OperationalError:
        assert robust


@pytest.fixture
def sent(backwards, monkeypatch, settings):
    """What is called for each message; it returns those since it was looked at last."""
    settings.CELERY_BROKER_URL, send = "memory://", Mock()
    monkeypatch.setattr(tasks.work_run, "apply_async", send)
    monkeypatch.setattr(transaction, "on_commit", on_commit)

    def sent():
        calls = [(*arguments, *options.values()) for (arguments,), options in send.call_args_list]
        send.reset_mock()
        return calls

    return sent


def test_a_woken_worker_wakes_one_other_and_works_to_the_end(sent, monkeypatch, settings):
    run, other = fake.run(fake.corpus(12)), fake.run(fake.corpus(12, "Other"))
    tasks.work_run(run.pk)
    assert sent() == [(run.pk, "cpu", 3600)]
    tasks.work_run(run.pk)  # a message that comes too late
    settings.CELERY_BROKER_URL = ""
    tasks.wake(run.pk)
    assert sent() == []
    settings.CELERY_BROKER_URL = "memory://"
    away = Mock(side_effect=OperationalError("Connection refused"))
    monkeypatch.setattr(tasks.work_run, "apply_async", away)
    tasks.work_run(other.pk)
    assert set(GenerationRun.objects.values_list("state", flat=True)) == {"done"}


def test_a_worker_of_another_queue_sends_the_message_on_and_works_nothing(sent):
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")
    for queue, made in [("cpu", 0), ("gpu", 4)]:
        message = SimpleNamespace(request=SimpleNamespace(delivery_info={"routing_key": queue}))
        tasks.work_run.run.__func__(message, run.pk)
        assert (run.candidate_set.count(), sent()) == (made, [(run.pk, "gpu", 3600)])


def test_a_worker_stops_after_half_a_minute_and_leaves_the_rest_to_the_next(sent, monkeypatch):
    monkeypatch.setattr(tasks, "monotonic", Mock(side_effect=[0.0, 29.9, 30.0]))
    run = fake.run(fake.corpus(15))
    tasks.work_run(run.pk)
    assert run.batches.filter(state="done").count() == 2


def test_a_sweep_wakes_runs_with_free_batches_and_closes_those_without_open_ones(sent):
    corpus = fake.corpus(10)
    free, half_done, held, done = (fake.run(corpus) for _ in range(4))
    for batches in (half_done.batches.filter(number=1), done.batches):
        batches.update(state="done", finished_at=done.created_at)
    held.batches.update(lease_until=tasks.selectors.clock.now() + tasks.selectors.RATE_WINDOW / 5)
    tasks.sweep()
    # They expire soon, so that they do not pile up while all workers are busy.
    assert sent() == [(free.pk, "cpu", 60), (half_done.pk, "cpu", 60)]
    states = GenerationRun.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["running"] * 3 + ["done"]
