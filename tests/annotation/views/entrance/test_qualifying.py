"""Answering the qualification set, page by page."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.known_lines import KnownPair
from annotation.models import Membership, Project, QualificationAnswer, QualificationPair
from annotation.services import qualification
from tests.annotation import cast

SECRETS = ["canarywhy", "canarylast"]


@pytest.fixture
def project(db: None) -> Project:
    project = cast.study(asks_qualification=True, attempts=2, pass_mark=100)
    qualification.add(
        project,
        [
            KnownPair("One sees two.", "Two sees one.", 0, "Because canarywhy."),
            KnownPair("Today it rains.", "It rains today.", 1, "Because canarylast."),
        ],
    )
    return project


@pytest.fixture
def ada(project: Project) -> Membership:
    return cast.person(project)


@pytest.fixture
def client(ada: Membership) -> Client:
    client = Client()
    client.force_login(ada.user)
    return client


@pytest.fixture
def page(project: Project) -> str:
    return reverse("qualify", args=[project.public_id])


def begin(client: Client, project: Project):
    return client.post(reverse("begin_attempt", args=[project.public_id]))


def answer(client: Client, page: str, *, right: bool) -> str:
    """Answer the pair in view; returns everything that the next page holds."""
    item = client.get(page).context["item"].id
    label = QualificationPair.objects.get(public_id=item).label
    sent = {"item": item, "label": label if right else 1 - label}
    return client.post(page, sent, follow=True).text


def test_it_is_begun_from_the_first_page(client, project, page):
    assert client.get(page).url == reverse("welcome", args=[project.public_id])
    assert begin(client, project).url == page


def test_one_pair_at_a_time_and_nothing_known_about_it(client, project, page):
    begin(client, project)
    first = client.get(page)
    shown = [each for each in ("One sees two.", "Today it rains.") if each in first.text]
    assert len(shown) == 1
    assert "<b>1</b> of 2" in first.text
    assert [secret for secret in SECRETS if secret in f"{first.text}{first.headers}"] == []


def test_no_page_of_an_attempt_tells_what_was_right(client, project, page):
    begin(client, project)
    right = answer(client, page, right=True)
    assert [word for word in (*SECRETS, "known") if word in right] == []


def test_right_and_wrong_answers_bring_the_same_page(project, page):
    pages = []
    for right in (True, False):
        client = Client()
        client.force_login(cast.person(project).user)
        begin(client, project)
        text = answer(client, page, right=right)
        pages.append("<b>2</b> of 2" in text and "Same meaning" in text)
    assert pages == [True, True]


def test_the_result_tells_right_from_wrong_and_why(client, project, page):
    begin(client, project)
    answer(client, page, right=True)
    text = answer(client, page, right=False)
    assert "Not passed this time" in text
    assert "50 %" in text
    assert [secret for secret in SECRETS if secret not in text] == []
    assert "Try again" in text


def test_who_passes_is_led_to_the_work(client, project, page, ada):
    begin(client, project)
    answer(client, page, right=True)
    text = answer(client, page, right=True)
    assert "Passed" in text
    assert "Begin the work" in text
    assert Membership.objects.select_related("project").get(pk=ada.pk).is_admitted


def test_after_the_last_attempt_there_is_somebody_to_ask(client, project, page):
    for _ in range(2):
        begin(client, project)
        for _ in range(2):
            text = answer(client, page, right=False)
    assert "Whoever invited you can grant you another one." in text
    assert "Try again" not in text
    begin(client, project)
    assert "Not passed this time" in client.get(page).text


def test_an_answer_sent_twice_is_one(client, project, page):
    begin(client, project)
    item = client.get(page).context["item"].id
    for _ in range(2):
        client.post(page, {"item": item, "label": 1})
    assert QualificationAnswer.objects.count() == 1


def test_an_answer_stands(client, project, page):
    begin(client, project)
    item = client.get(page).context["item"].id
    client.post(page, {"item": item, "label": 1})
    text = client.post(page, {"item": item, "label": 0}, follow=True).text
    assert "that answer stands" in text
    assert QualificationAnswer.objects.get().label == 1


@pytest.mark.parametrize("sent", [{}, {"item": "x", "label": 1}, {"label": 99999}])
def test_an_answer_that_cannot_be_read_changes_nothing(client, project, page, sent):
    begin(client, project)
    assert client.post(page, sent, follow=True).status_code == 200
    assert QualificationAnswer.objects.count() == 0


def test_a_set_that_became_empty_says_so(client, project, page):
    begin(client, project)
    QualificationPair.objects.all().delete()
    assert "The set has become empty meanwhile." in client.get(page).text


def test_the_graded_scale_shows_its_criteria(db):
    project = cast.study(protocol="parade", asks_qualification=True)
    qualification.add(project, [KnownPair("One.", "Two.", 3)])
    client = Client()
    client.force_login(cast.person(project).user)
    begin(client, project)
    text = client.get(reverse("qualify", args=[project.public_id])).text
    assert text.count('<button name="label"') == 4


def test_a_stranger_finds_no_set(client):
    other = cast.study(asks_qualification=True)
    assert client.get(reverse("qualify", args=[other.public_id])).status_code == 404
