"""The page of events: what it shows of targets and deliveries, and what its buttons do."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from operations.models import Delivery
from tests.annotation import make
from tests.annotation.pages import signed_in
from tests.operations.receiver import SECRET, Receiver, name_target

pytestmark = pytest.mark.django_db
PAGE = "installation_events"


@pytest.fixture
def client(db):
    return signed_in(User.objects.create_superuser("root"))


@pytest.fixture
def lab(settings, tmp_path):
    file = name_target(tmp_path, Receiver(8000, []), 'events = ["run.done"]')
    settings.WEBHOOKS_FILE = str(file)


def failed(**columns):
    now = timezone.now()
    data = {"project": {"name": "Rivers"}}
    return Delivery.objects.create(
        kind="run.done",
        target="lab",
        payload={"data": data},
        asked_at=now,
        next_try_at=now,
        **{"state": "failed", "status": 500, "tries": 17, "failure": "Answered 500."} | columns,
    )


def test_without_targets_the_page_says_how_to_name_one(client):
    text = client.get(reverse(PAGE)).text
    assert "Name one in a file, and the file in PAWSMITH_WEBHOOKS." in text
    assert "/help/operator/events/" in text


def test_the_page_shows_targets_without_secrets(client, lab):
    text = client.get(reverse(PAGE)).text
    assert "127.0.0.1:8000" in text
    assert "Run finished" in text
    assert "of=lab" not in text
    assert SECRET not in text


def test_the_page_names_projects_of_targets_that_do_not_exist(client, settings, tmp_path):
    line = f'projects = ["{make.study().name}", "{make.study().public_id}", "Lakes"]'
    settings.WEBHOOKS_FILE = str(name_target(tmp_path, Receiver(8000, []), line))
    text = client.get(reverse(PAGE)).text
    assert "No project has this name or id: <bdi>“Lakes”</bdi></p>" in text


def test_the_page_shows_what_is_wrong_in_the_file(client, settings):
    settings.WEBHOOKS_FILE = "/nowhere/webhooks.toml"
    assert "/nowhere/webhooks.toml cannot be read" in client.get(reverse(PAGE)).text


def test_the_page_shows_deliveries(client):
    failed()
    text = client.get(reverse(PAGE)).text
    for words in ("Rivers", "given up", "500", "17 tries", "Answered 500."):
        assert words in text


def test_the_status_warns_of_deliveries_that_were_given_up_in_the_last_week(client):
    failed()
    old = failed()
    Delivery.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    text = client.get(reverse("status")).text
    assert "1 event of the last week could not be delivered." in text


def test_a_test_is_sent_to_a_target(client, lab):
    client.post(reverse("test_target", args=["lab"]))
    row = Delivery.objects.get()
    assert (row.kind, row.target, row.state) == ("test", "lab", "waiting")
    assert client.post(reverse("test_target", args=["other"])).status_code == 404


def test_a_delivery_is_sent_again(client):
    row = failed()
    client.post(reverse("send_again", args=[row.public_id]))
    row.refresh_from_db()
    assert (row.state, row.tries) == ("waiting", 0)


def test_a_delivery_that_is_being_sent_is_left_alone(client):
    row = failed(state="sending")
    reply = client.post(reverse("send_again", args=[row.public_id]), follow=True)
    assert "A worker is sending it now." in reply.text


def test_staff_need_the_right_to_send(lab):
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename="view_delivery"))
    client = signed_in(helper)
    assert "Send a test" not in client.get(reverse(PAGE)).text
    assert client.post(reverse("test_target", args=["lab"])).status_code == 403
