"""The status page: for staff, in words, with what to do."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Release
from generation.models import GenerationRun, Worker
from generation.services import signs_of_life
from operations import condition, machine
from operations.findings import Level
from operations.machine import Room
from tests.annotation import cast
from tests.generation import fake

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("backwards")]


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create(username="ada", is_staff=True))
    return client


def works(*queues: str) -> None:
    """A worker of these queues shows life."""
    signs_of_life.show("one:1", "celery", queues or ["beat", "cpu"])


def texts() -> list[str]:
    return [finding.text for finding in condition.amiss()]


def test_strangers_are_sent_to_the_sign_in_page(client: Client) -> None:
    reply = client.get(reverse("status"))

    assert reply.status_code == 302
    assert reply.headers["Location"].endswith("?next=/status/")


def test_nobody_else_finds_such_a_page(client: Client) -> None:
    client.force_login(cast.person(cast.study(), role="manager").user)

    assert client.get(reverse("status")).status_code == 404


def test_where_the_admin_asks_for_a_second_factor_so_does_the_page(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.admin_site._is_proved", lambda _: False)

    assert staff.get(reverse("status")).status_code == 302


def test_a_new_installation_with_a_worker_has_nothing_amiss(staff: Client) -> None:
    works()

    page = staff.get(reverse("status")).text

    assert "Nothing: all is well." in page
    assert "Nothing: every run, preview and release is finished." in page
    assert "one:1" in page


def test_it_shows_what_workers_are_to_do(staff: Client) -> None:
    fake.run(fake.corpus(5, "Wikipedia"))

    page = staff.get(reverse("status")).text

    assert "Wikipedia" in page
    assert "no, it waits" in page


def test_work_without_a_worker_is_an_error() -> None:
    fake.run(fake.corpus(5))
    assert condition.amiss()[0].level == Level.ERROR

    works()

    assert condition.amiss() == []


def test_a_run_for_a_gpu_needs_a_worker_that_has_one() -> None:
    fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")
    works("cpu")

    assert texts() == ["Work waits for a worker with a GPU, and none shows signs of life."]


def test_a_worker_that_fell_silent_does_not_count() -> None:
    fake.run(fake.corpus(5))
    works()
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=2))

    assert texts() == ["Work waits, and no worker shows signs of life."]
    assert [worker.name for worker in condition.now().silent] == ["one:1"]


def test_a_run_of_which_nothing_comes_is_told_with_what_to_do() -> None:
    works()
    fake.run(fake.corpus(5, "Wikipedia"))
    GenerationRun.objects.update(created_at=timezone.now() - timedelta(minutes=11))

    [finding] = condition.amiss()

    assert finding.text == "Nothing has come of Wikipedia for 11\N{NO-BREAK SPACE}minutes."
    assert finding.advice.startswith("No worker is at it")


def test_batches_that_failed_three_times_are_told() -> None:
    works()
    run = fake.run(fake.corpus(5))
    run.batches.update(state="parked")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())

    assert texts() == ["1 batch has failed three times and is set aside."]


@pytest.mark.parametrize(("free", "level"), [(9, Level.WARNING), (1, Level.ERROR)])
def test_a_disk_that_fills_up_is_told(
    monkeypatch: pytest.MonkeyPatch, free: int, level: Level
) -> None:
    works()
    monkeypatch.setattr(machine, "disk", lambda: Room(total=100, free=free))

    [finding] = condition.amiss()

    assert (finding.subject, finding.level) == ("Disk", level)


def test_errors_come_before_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    project: Any = cast.study()
    Release.objects.create(project=project, version="1", seed=0, settings={}, state="queued")
    monkeypatch.setattr(machine, "disk", lambda: Room(total=100, free=9))

    assert [finding.level for finding in condition.amiss()] == [Level.ERROR, Level.WARNING]
