"""Deliveries: who gets what, signed, at least once, until a day has passed."""

import json
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import events
from accounts.models import Event
from common import clock
from common.leases import LEASE
from operations import deliveries, posting
from operations.deliveries import DELIVERIES
from operations.models import Delivery
from tests.annotation import make
from tests.operations.receiver import SECRET, Answer, name_target, receiving

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
FLAGGED = Event.Kind.PERSON_FLAGGED


@pytest.fixture
def told(settings, tmp_path):
    """Name a receiver as the only target; further lines of its table may follow."""

    def name(receiver, *lines):
        settings.WEBHOOKS_FILE = str(name_target(tmp_path, receiver, *lines))

    return name


@pytest.fixture
def project():
    return make.study()


def happen(project, kind=Event.Kind.WORK_FINISHED):
    row = make.person(project) if kind == FLAGGED else project
    with transaction.atomic():
        events.record(kind, row, phase="" if kind == FLAGGED else "judge")
    deliveries.spread()


def work():
    """Send all that is due."""
    while row := DELIVERIES.claim():
        DELIVERIES.attempt(row)


def due_now(**columns):
    Delivery.objects.update(next_try_at=timezone.now(), **columns)


def delivery():
    row = Delivery.objects.get()
    return row.state, row.status, row.tries


def test_the_signature_is_that_of_the_standard():
    # As the package standardwebhooks 1.1.0 signs it.
    body = b'{"test": 2432232314}'
    signed = posting.signature(
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body
    )
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_an_event_is_delivered_with_address_and_counts(project, told, settings):
    make.pairs(project, 3)
    with receiving() as receiver:
        told(receiver)
        happen(project)
        work()
    [(_, body)] = receiver.got
    address = f"{settings.ADDRESS.origin}/projects/{project.public_id}/"
    about = {"id": str(project.public_id), "name": project.name}
    assert body["type"] == "work.finished"
    assert body["data"] == {
        "project": about,
        "object": {"id": about["id"], "address": address},
        "counts": {"items": 3},
        "phase": "judge",
    }
    assert delivery() == ("delivered", 200, 1)


def test_a_flagged_person_is_told_by_id_alone(project, told):
    with receiving() as receiver:
        told(receiver)
        happen(project, FLAGGED)
        work()
    user = project.memberships.get().user
    [(_, body)] = receiver.got
    assert body["data"]["object"]["id"] == str(user.public_id)
    assert user.username not in json.dumps(body)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (['events = ["work.finished"]'], 1),
        (['events = ["run.done"]'], 0),
        (['projects = ["Elsewhere"]'], 0),
    ],
)
def test_a_target_gets_the_events_and_projects_that_it_names(project, told, lines, number):
    with receiving() as receiver:
        told(receiver, *lines)
        happen(project)
    assert Delivery.objects.count() == number


def test_a_failure_is_tried_again_with_the_same_id(project, told):
    with receiving(Answer(500, b"Out of paper."), Answer(503)) as receiver:
        told(receiver)
        happen(project)
        work()
        row = Delivery.objects.get()
        assert (row.status, row.failure) == (500, "Answered 500. Out of paper.")
        assert timedelta(seconds=25) < row.next_try_at - timezone.now() < timedelta(seconds=31)
        due_now()
        work()
        row.refresh_from_db()
        assert timedelta(seconds=55) < row.next_try_at - timezone.now() < timedelta(seconds=61)
        due_now()
        work()
    assert receiver.ids == [str(row.public_id)] * 3
    assert receiver.got[0] == receiver.got[2]
    assert delivery() == ("delivered", 200, 3)


def test_a_delivery_keeps_why_an_earlier_try_failed(project, told):
    with receiving(Answer(500, b"Out of paper.")) as receiver:
        told(receiver)
        happen(project)
        work()
        due_now()
        work()
    assert delivery() == ("delivered", 200, 2)
    assert Delivery.objects.get().failure == "Answered 500. Out of paper."


def test_a_redirect_is_not_followed(project, told):
    with receiving() as elsewhere, receiving(Answer(302)) as receiver:
        receiver.script[:] = [Answer(302, headers={"Location": elsewhere.address})]
        told(receiver)
        happen(project)
        work()
    assert elsewhere.got == []
    assert delivery() == ("waiting", 302, 1)


def test_a_slow_receiver_is_left_after_its_time(project, told, monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.2)
    with receiving(Answer(body=b"x" * 100, seconds=0.05)) as receiver:
        told(receiver)
        happen(project)
        work()
    assert delivery() == ("waiting", None, 1)
    assert Delivery.objects.get().failure == "No answer within 0.2 seconds."


def test_where_nobody_answers_other_deliveries_wait_too(project, told):
    with receiving() as receiver:
        told(receiver)
    for _ in range(3):
        happen(project)
    work()
    assert sorted(Delivery.objects.values_list("tries", flat=True)) == [0, 0, 1]
    assert not DELIVERIES.pending(clock.now()).exists()


def test_after_a_day_a_delivery_is_given_up(project, told):
    with receiving(Answer(500), Answer(500)) as receiver:
        told(receiver)
        happen(project)
        due_now(asked_at=timezone.now() - timedelta(hours=23))
        work()
        assert delivery()[0] == "waiting"
        due_now(asked_at=timezone.now() - timedelta(hours=24))
        work()
        assert delivery()[0] == "failed"
        assert deliveries.send_again(Delivery.objects.get())
        work()
    assert len({*receiver.ids}) == 1
    assert delivery() == ("delivered", 200, 1)


def test_a_worker_that_dies_after_sending_makes_another_send_again(project, told, monkeypatch):
    with receiving() as receiver:
        told(receiver)
        happen(project)
        for _ in range(2):
            posting.post(DELIVERIES.claim())  # and the process is killed
            later = clock.now() + LEASE
            monkeypatch.setattr(clock, "now", lambda later=later: later)
        work()
    assert (len(receiver.ids), len({*receiver.ids})) == (3, 1)
    assert delivery() == ("delivered", 200, 1)


def test_while_the_file_has_errors_events_wait(project, told):
    with receiving() as receiver:
        told(receiver, "retries = 3")
        happen(project)
        assert Delivery.objects.count() == 0
        told(receiver)
        deliveries.spread()
        work()
    assert len(receiver.got) == 1


def test_the_secret_is_in_no_row_and_no_line_of_the_log(project, told, caplog):
    with receiving(Answer(400, SECRET.encode())) as receiver:
        told(receiver)
        happen(project)
        work()
    [row] = Delivery.objects.values()
    assert row["failure"] == "Answered 400. whsec_[key]"
    assert SECRET.removeprefix("whsec_") not in f"{row} {caplog.text}"


def test_old_deliveries_are_deleted(project, told):
    with receiving() as receiver:
        told(receiver)
        happen(project)
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=31))
    deliveries.delete_old()
    assert Delivery.objects.count() == 0
