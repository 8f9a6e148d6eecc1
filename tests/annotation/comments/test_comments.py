"""Notes of annotators and replies of managers: who may write them, and who sees what."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from accounts.services import erase
from annotation.comments import selectors, services
from annotation.errors import Refused
from annotation.models import Comment, CommentThread, SentencePair
from annotation.people.selectors import names
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.pages import HTMX, page, signed_in

pytestmark = pytest.mark.django_db
ASKED, ANSWERED, AMONG = "Is May the month?", "It is the month.", "The tagger errs here."


@pytest.fixture
def project(db):
    project = make.study()
    make.pairs(project, 3)
    return project


@pytest.fixture
def annotator(project):
    return make.person(project)


@pytest.fixture
def manager(project):
    return make.person(project, role="manager")


@pytest.fixture
def item(annotator):
    return make.claim(annotator).item


@pytest.fixture
def noted(annotator, item):
    return services.note(annotator, item, text=ASKED).thread


def test_a_note_is_left_at_work_or_from_the_last_answers_and_answered_as_a_notice(
    project, annotator, manager, item
):
    client, of_manager = signed_in(annotator.user), signed_in(manager.user)
    address = page("note", project, "judge")
    assert address in client.get(page("work", project, "judge")).text
    shown = client.get(address)
    assert all(sentence in shown.text for sentence in item.texts)
    client.post(address, {"item": item.public_id, "text": ASKED})
    make.submit(annotator, item=item.public_id, label=1, seconds=2.0)
    assert f"{address}?item={item.public_id}" in client.get(page("recent", project, "judge")).text
    thread = CommentThread.objects.get()
    assert ASKED in of_manager.get(page("comments", project)).text
    needs = of_manager.get(page("overview", project)).context["needs"]
    assert [need.button for need in needs if ASKED[:20] in need.text] == ["Reply"]
    answer = page("answer_comment", project, thread.public_id)
    of_manager.post(answer, {"step": "reply-and-close", "text": ANSWERED})
    assert ASKED not in of_manager.get(page("comments", project)).text
    assert ANSWERED in of_manager.get(page("comments", project), {"state": "closed"}).text
    for name, *more in (("work", "judge"), ("notes",)):
        text = client.get(page(name, project, *more)).text
        assert ANSWERED in text
        assert manager.user.username not in text
    sent = {"kind": "judge"}
    assert client.post(page("confirm_replies", project), sent, headers=HTMX).content == b""
    assert ANSWERED not in client.get(page("work", project, "judge")).text
    assert ANSWERED in client.get(page("notes", project)).text


def test_a_note_is_sent_from_a_dialog_of_the_work_page(project, annotator, item):
    client, address = signed_in(annotator.user), page("note", project, "judge")
    shown = client.get(address, {"item": item.public_id}, headers=HTMX)
    assert "<h1" not in shown.text
    assert all(sentence in shown.text for sentence in item.texts)
    empty = client.post(address, {"item": item.public_id, "text": " "}, headers=HTMX)
    assert (empty.status_code, "<h1" in empty.text) == (422, False)
    sent = client.post(address, {"item": item.public_id, "text": ASKED}, headers=HTMX)
    assert "Sent to the managers." in sent.text
    assert Comment.objects.get().text == ASKED


def test_an_annotator_sees_neither_others_comments_nor_those_among_managers(
    project, annotator, manager, item, noted
):
    other = make.person(project)
    for membership in (annotator, other):
        if membership is other:
            assert make.claim(other).item == item
        make.submit(membership, item=item.public_id, label=1, seconds=2.0)
    services.reply(noted, by=manager.user, text=ANSWERED)
    services.comment(item, by=manager.user, text=AMONG)
    secret = [ASKED, ANSWERED, AMONG]
    client, asked = signed_in(other.user), {"item": item.public_id}
    for name, *more in (("note", "judge"), ("notes",), ("work", "judge"), ("me",)):
        text = client.get(page(name, project, *more), asked).text
        assert not [each for each in secret if each in text], name
    own = signed_in(annotator.user).get(page("notes", project)).text
    assert [each in own for each in secret] == [True, True, False]
    pair = signed_in(manager.user).get(page("pair", project, item.public_id)).text
    assert all(each in pair for each in secret)
    assert CommentThread.objects.count() == 2


def test_a_note_is_about_an_item_that_its_author_was_given(project, annotator, item):
    unseen = SentencePair.objects.exclude(pk=item.pk).first()
    client, address = signed_in(annotator.user), page("note", project, "judge")
    sent = {"item": unseen.public_id, "text": ASKED}
    assert client.get(address, sent).status_code == 404
    assert client.post(address, sent).status_code == 404
    with pytest.raises(Refused, match="that were assigned to you"):
        services.note(annotator, unseen, text=ASKED)


@pytest.mark.parametrize(("text", "why"), [(" \n ", "is empty"), ("x" * 2001, "2000")])
def test_a_note_that_cannot_be_stored_says_why_and_is_kept_in_the_form(
    project, annotator, item, text, why
):
    sent = {"item": item.public_id, "text": text}
    reply = signed_in(annotator.user).post(page("note", project, "judge"), sent)
    assert reply.status_code == 422
    assert why in reply.text
    assert text.strip() in reply.text
    assert not Comment.objects.exists()


def test_a_comment_sent_twice_is_one_and_a_new_one_opens_closed_comments(
    annotator, manager, item, noted
):
    services.note(annotator, item, text=f" {ASKED} ")
    assert noted.comments.count() == 1
    services.close(noted, by=manager.user)
    services.note(annotator, item, text="And here?")
    noted.refresh_from_db()
    assert (noted.closed_at, selectors.open_threads(item.project).count()) == (None, 1)


def test_comments_are_listed_over_rest_under_pseudonyms(project, annotator, manager, noted):
    services.reply(noted, by=manager.user, text=ANSWERED, closes=True)
    address = reverse("api_comments", args=[project.public_id])
    client = signed_in(manager.user)
    [thread] = client.get(address, {"closed": "true"}).json()["results"]
    assert [comment["text"] for comment in thread["comments"]] == [ASKED, ANSWERED]
    assert (
        thread["annotator"]
        == thread["comments"][0]["author"]
        == names.pseudonym(project, annotator.user_id)
    )
    assert client.get(address, {"closed": "false"}).json()["results"] == []


def test_an_empty_reply_is_named_and_stores_nothing(project, manager, noted):
    address = page("answer_comment", project, noted.public_id)
    reply = signed_in(manager.user).post(address, {"step": "reply", "text": ""})
    assert "empty" in str(next(iter(get_messages(reply.wsgi_request))))
    assert noted.comments.count() == 1


def test_no_release_has_comments_and_erased_accounts_leave_no_texts(
    project, annotator, manager, item, noted, settings, tmp_path
):
    settings.RELEASES_DIR = tmp_path
    services.reply(noted, by=manager.user, text=ANSWERED)
    make.submit(annotator, item=item.public_id, label=1, seconds=2.0)
    judged.all_that_is_open(project, [1] * 5)
    release = freeze_version(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    publication.publish(release)
    files = [path.read_bytes() for path in folder_of(release).rglob("*") if path.is_file()]
    assert not any(ASKED.encode() in file or ANSWERED.encode() in file for file in files)
    erase(annotator.user, by=manager.user)
    assert set(Comment.objects.values_list("text", flat=True)) == {""}
    text = signed_in(manager.user).get(page("comments", project)).text
    assert "removed" in text
