"""The first page of a project, for those who arrive and for those who come back."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.known_lines import KnownPair
from annotation.models import Membership, Project
from annotation.services import admission, qualification
from tests.annotation import cast


@pytest.fixture
def asking(db: None) -> Project:
    return cast.study(
        guidelines="Judge *fairly*.",
        consent="We **store** your answers.<script>alert(1)</script>",
        consent_changed_at=timezone.now(),
        asks_qualification=True,
    )


@pytest.fixture
def ada(asking: Project) -> Membership:
    return cast.person(asking)


@pytest.fixture
def client(ada: Membership) -> Client:
    client = Client()
    client.force_login(ada.user)
    return client


def page(project: Project) -> str:
    return reverse("welcome", args=[project.public_id])


def agreement(project: Project) -> dict[str, str]:
    return {"version": admission.version_of(project.consent), "agreed": "on"}


def reloaded(member: Membership) -> Membership:
    return Membership.objects.select_related("project").get(pk=member.pk)


def stages(reply) -> list[str]:
    return [stage.state for stage in reply.context["stages"]]


def test_the_page_shows_guidelines_and_consent_without_their_scripts(client, asking):
    text = client.get(page(asking)).text
    assert "<em>fairly</em>" in text
    assert "<strong>store</strong>" in text
    assert "<script>alert" not in text


def test_each_step_opens_the_next(client, asking, ada):
    qualification.add(asking, [KnownPair("A sees b.", "B sees a.", 0)])
    assert stages(client.get(page(asking))) == ["done", "now", "later", "later"]
    client.post(page(asking), agreement(asking))
    assert stages(client.get(page(asking))) == ["done", "done", "now", "later"]
    qualification.let_pass(ada)
    assert stages(client.get(page(asking))) == ["done", "done", "done", "now"]


def test_agreeing_is_stored_with_its_moment(client, asking, ada):
    reply = client.post(page(asking), agreement(asking))
    assert reply.url == page(asking)
    member = reloaded(ada)
    assert member.has_consented
    assert member.welcomed_at is not None


@pytest.mark.parametrize("missing", ["agreed", "version"])
def test_without_the_tick_nobody_has_agreed(client, asking, ada, missing):
    sent = agreement(asking)
    del sent[missing]
    reply = client.post(page(asking), sent)
    assert reply.status_code == 422
    assert "Tick the box first" in reply.text
    assert reloaded(ada).consented_at is None


def test_a_text_that_changed_meanwhile_is_shown_again(client, asking, ada):
    old = agreement(asking)
    Project.objects.update(consent="We sell them.", consent_changed_at=timezone.now())
    reply = client.post(page(asking), old)
    assert reply.status_code == 422
    assert "We sell them." in reply.text
    assert reloaded(ada).consented_at is None


def test_a_text_that_was_changed_since_says_so(client, asking):
    client.post(page(asking), agreement(asking))
    Project.objects.update(consent="We sell them.", consent_changed_at=timezone.now())
    assert "This text was changed since you agreed" in client.get(page(asking)).text


def test_a_set_that_is_empty_is_not_ready(client, asking):
    client.post(page(asking), agreement(asking))
    assert "The qualification set is not ready yet." in client.get(page(asking)).text


def test_who_is_not_admitted_does_not_begin(client, asking, ada):
    reply = client.post(reverse("begin", args=[asking.public_id]))
    assert reply.url == page(asking)
    assert reloaded(ada).welcomed_at is None


def test_beginning_leads_to_where_work_waits(db):
    project = cast.study()
    cast.pairs(project, 1)
    member = cast.person(project)
    client = Client()
    client.force_login(member.user)
    reply = client.post(reverse("begin", args=[project.public_id]))
    assert reply.url == reverse("judge", args=[project.public_id])
    assert reloaded(member).welcomed_at is not None


def test_without_anything_waiting_it_leads_to_work_that_is_theirs(db):
    project = cast.study()
    client = Client()
    client.force_login(cast.person(project, may_correct=False).user)
    reply = client.post(reverse("begin", args=[project.public_id]))
    assert reply.url == reverse("judge", args=[project.public_id])


def test_who_only_reads_is_led_to_the_overview(db):
    project = cast.study()
    researcher = cast.person(
        project, role=Membership.Role.RESEARCHER, may_correct=False, may_judge=False
    )
    client = Client()
    client.force_login(researcher.user)
    reply = client.post(reverse("begin", args=[project.public_id]))
    assert reply.url == reverse("overview", args=[project.public_id])


def test_a_stranger_finds_no_first_page(client):
    assert client.get(page(cast.study())).status_code == 404


def test_an_admitted_person_may_read_it_again(client, asking, ada):
    client.post(page(asking), agreement(asking))
    qualification.let_pass(ada)
    text = client.get(page(asking)).text
    assert "You agreed to this on" in text
    assert "Passed on" in text
