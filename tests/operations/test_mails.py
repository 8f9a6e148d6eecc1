"""Mail about events: who gets it, in which language, and what happens if it cannot be sent."""

import smtplib

import pytest
from django.core import mail
from django.urls import reverse

from operations import deliveries
from operations.models import Delivery
from tests.annotation import make
from tests.annotation.pages import client_of, signed_in
from tests.operations.test_deliveries import due_now, happen, work

pytestmark = pytest.mark.django_db
CHOICE = {"mail_address": "ada@lab.example", "mails": ["work.finished"]}


@pytest.fixture
def project():
    return make.study()


@pytest.fixture
def manager(project):
    return make.person(project, role="manager")


def choose(member, language="en", **choice):
    client = signed_in(member.user)
    return client.post(reverse("mails"), CHOICE | choice, headers={"Accept-Language": language})


def test_a_manager_gets_the_events_that_they_chose(project, manager):
    choose(manager)
    make.person(project, role="manager")  # who has chosen nothing
    happen(project)
    work()
    [message] = mail.outbox
    assert message.to == ["ada@lab.example"]
    assert message.subject == f"{project.name}: No work left"
    assert f"/projects/{project.public_id}/" in message.body
    assert reverse("mails") in message.body


def test_other_events_are_not_mailed(project, manager):
    choose(manager, mails=["run.done"])
    happen(project)
    assert not Delivery.objects.exists()


def test_mail_is_in_the_language_of_the_choice(project, manager):
    choose(manager, "de")
    happen(project)
    work()
    assert mail.outbox[0].subject == f"{project.name}: Keine Arbeit mehr"


@pytest.mark.parametrize("role", ["researcher", "removed"])
def test_only_managers_get_mail(project, manager, role):
    choose(manager)
    project.memberships.update(role=role)
    happen(project)
    assert not Delivery.objects.exists()


def test_a_mail_that_cannot_be_sent_is_tried_again(project, manager, monkeypatch):
    def refuse(_message):
        raise smtplib.SMTPServerDisconnected("ada@lab.example")

    choose(manager)
    happen(project)
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", refuse)
        work()
    row = Delivery.objects.get()
    assert (row.state, row.failure) == ("waiting", "No mail server: SMTPServerDisconnected.")
    due_now()
    work()
    assert len(mail.outbox) == 1


def test_a_refused_address_delays_no_other_mail(project, manager, monkeypatch):
    def refuse(message):
        raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"ada@lab.example: unknown")})

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    choose(manager)
    choose(make.person(project, role="manager"))
    happen(project)
    work()
    assert set(Delivery.objects.values_list("status", "tries", "failure")) == {
        (550, 1, "The mail server refused the address with 550.")
    }


def test_an_address_for_mail_is_none_that_signs_in(manager):
    choose(manager)
    manager.user.refresh_from_db()
    assert (manager.user.email, manager.user.mail_address) == ("", "ada@lab.example")


def test_events_need_an_address(manager):
    assert choose(manager, mail_address="").status_code == 422
    manager.user.refresh_from_db()
    assert manager.user.mails == []


def test_who_manages_no_project_chooses_nothing(project):
    member = make.person(project)
    choose(member)
    member.user.refresh_from_db()
    assert member.user.mails == []


def test_without_a_mail_server_there_is_no_choice(project, settings):
    settings.SENDS_MAIL = False
    client = client_of(project)
    assert client.get(reverse("mails")).status_code == 404
    assert reverse("mails") not in client.get("/").text


def test_a_mail_is_shown_among_the_deliveries(project, manager):
    choose(manager)
    happen(project)
    root = signed_in(type(manager.user).objects.create_superuser("root"))
    assert manager.user.username in root.get(reverse("installation_events")).text
    assert deliveries.send_again(Delivery.objects.get())
