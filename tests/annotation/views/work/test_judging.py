"""Judging over HTTP: an answer goes in, the next pair comes back, nothing is lost on the way."""

import re
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Consensus, Judgment, Project
from annotation.services import judgments
from tests.annotation import cast
from tests.annotation.views.pages import HTMX
from tests.annotation.views.pages import VARYING as UNTOLD


@pytest.fixture
def undo(project):
    return reverse("undo_judgment", args=[project.public_id])


@pytest.fixture(autouse=True)
def work(project):
    return cast.pairs(project, 2)


def shown(client, page):
    return client.get(page).context["item"]


def test_the_sentences_stand_in_the_stored_order(client, project, judge_page):
    project.pairs.update(flipped=True)
    first, second = shown(client, judge_page).sentences
    assert first.startswith("Rewrite")
    assert second.startswith("Source")


@pytest.mark.parametrize(("button", "label"), [("Same meaning", 1), ("Different meaning", 0)])
def test_each_button_stores_its_label(client, judge_page, button, label):
    reply = client.get(judge_page)
    [value] = [answer.value for answer in reply.context["answers"] if str(answer.name) == button]
    item = reply.context["item"].id
    client.post(judge_page, {"item": item, "label": value, "seconds": "4.5"}, headers=HTMX)
    stored = Judgment.objects.exclude(label=None).get()
    assert (stored.pair.public_id, stored.label, stored.seconds) == (item, label, 4.5)


@pytest.mark.parametrize(
    ("sent", "stored"),
    [({"highlighted": "true"}, True), ({"highlighted": "false"}, False), ({}, None)],
    ids=["on", "off", "unknown"],
)
def test_whether_words_were_marked_goes_with_the_judgment(client, judge_page, sent, stored):
    answer = {"item": shown(client, judge_page).id, "label": 1} | sent
    client.post(judge_page, answer, headers=HTMX)
    assert Judgment.objects.exclude(label=None).get().highlighted is stored


def test_where_marks_are_forbidden_there_is_no_trace_of_them(client, project, judge_page):
    Project.objects.filter(pk=project.pk).update(highlighting=Project.Highlighting.FORBIDDEN)
    reply = client.get(judge_page)
    assert "words.js" not in reply.text
    assert "highlight" not in reply.text
    assert 'data-key="d"' not in reply.text
    answer = {"item": reply.context["item"].id, "label": 1, "highlighted": "true"}
    client.post(judge_page, answer, headers=HTMX)
    assert Judgment.objects.exclude(label=None).get().highlighted is False


def test_a_whole_page_is_compressed_and_a_part_is_not(client, project, judge_page):
    packs = {"Accept-Encoding": "gzip"}
    assert client.get(judge_page, headers=packs).headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in client.get(judge_page, headers=packs | HTMX).headers


def test_the_reply_to_an_answer_brings_the_next_pair_as_a_part(client, judge_page):
    item = shown(client, judge_page).id
    reply = client.post(judge_page, {"item": item, "label": 1}, headers=HTMX)
    assert reply.text.startswith('<section id="work"')
    assert reply.context["item"].id != item
    assert "Saved: Same meaning" in reply.text


def test_one_judgment_is_one_request_of_at_most_4_kb(client, judge_page):
    item = shown(client, judge_page).id
    reply = client.post(judge_page, {"item": item, "label": 1}, headers=HTMX)
    assert len(reply.content) <= 4096


@pytest.mark.postgres
@pytest.mark.parametrize(("others", "statements"), [(0, 3), (4, 4)], ids=["first", "fifth"])
def test_one_judgment_takes_at_most_four_statements(
    client, project, judge_page, others, statements, django_assert_num_queries
):
    answer = {"item": shown(client, judge_page).id, "label": 1}
    for _ in range(others):
        cast.judge_all(cast.person(project), 1)
    with django_assert_num_queries(statements):
        client.post(judge_page, answer, headers=HTMX)
    assert Judgment.objects.exclude(label=None).count() == 2 * others + 1


def test_without_scripts_an_answer_leads_back_to_the_page(client, judge_page):
    reply = client.post(judge_page, {"item": shown(client, judge_page).id, "label": 1})
    assert (reply.status_code, reply.url) == (302, judge_page)


def test_sending_an_answer_again_gives_the_same_reply_and_one_row(client, judge_page):
    answer = {"item": shown(client, judge_page).id, "label": 1}
    replies = [client.post(judge_page, answer, headers=HTMX) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert replies[0].context["item"] == replies[1].context["item"]
    assert Judgment.objects.exclude(label=None).count() == 1


def test_a_different_answer_to_the_same_pair_is_a_conflict(client, judge_page):
    item = shown(client, judge_page).id
    client.post(judge_page, {"item": item, "label": 1}, headers=HTMX)
    reply = client.post(judge_page, {"item": item, "label": 0}, headers=HTMX)
    assert reply.status_code == 409
    assert "already answered" in reply.text
    assert Judgment.objects.exclude(label=None).get().label == 1


def test_a_pair_that_went_to_somebody_else_is_a_conflict_with_another_pair(client, judge_page):
    item = shown(client, judge_page).id
    Judgment.objects.filter(pair__public_id=item).delete()
    reply = client.post(judge_page, {"item": item, "label": 1}, headers=HTMX)
    assert reply.status_code == 409
    assert "gone to somebody else" in reply.text
    assert reply.context["item"].id != item


@pytest.mark.parametrize(
    "broken",
    [
        {"label": "7"},
        {"label": "yes"},
        {"label": "9" * 400},
        {"label": ""},
        {"item": "not-a-uuid"},
        {"item": ""},
        {"seconds": "nan"},
        {"seconds": "-1"},
    ],
    ids=str,
)
def test_a_broken_answer_is_refused_and_the_pair_stays(client, judge_page, broken):
    item = shown(client, judge_page)
    answer = {"item": item.id, "label": 1} | broken
    reply = client.post(judge_page, answer, headers=HTMX)
    assert reply.status_code == 422
    assert reply.context["item"] == item
    assert not Judgment.objects.exclude(label=None).exists()


def test_a_clock_that_ran_wild_does_not_cost_the_answer(client, judge_page):
    answer = {"item": shown(client, judge_page).id, "label": 1, "seconds": "1e12"}
    client.post(judge_page, answer, headers=HTMX)
    assert Judgment.objects.exclude(label=None).get().seconds == 24 * 60 * 60


def test_undo_opens_the_last_answer_again(client, judge_page, undo):
    item = shown(client, judge_page).id
    following = client.post(judge_page, {"item": item, "label": 1}, headers=HTMX).context["item"]
    reply = client.post(undo, {"item": following.id}, headers=HTMX)
    assert reply.context["item"].id == item
    assert not Judgment.objects.exclude(label=None).exists()


def test_an_undo_that_is_sent_again_takes_back_no_second_answer(client, judge_page, undo):
    for _ in range(2):
        client.post(judge_page, {"item": shown(client, judge_page).id, "label": 1}, headers=HTMX)
    replies = [client.post(undo, {"item": ""}, headers=HTMX) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 409]
    assert replies[0].context["item"] == replies[1].context["item"]
    assert Judgment.objects.exclude(label=None).count() == 1


def test_there_is_nothing_to_undo_before_the_first_answer(client, judge_page, undo):
    reply = client.post(undo, {"item": shown(client, judge_page).id}, headers=HTMX)
    assert reply.status_code == 409
    assert "no answer that can still be undone" in reply.text


def test_the_answer_that_decided_a_pair_cannot_be_undone(client, project, judge_page, undo):
    for _ in range(4):
        cast.judge_all(cast.person(project), 1)
    following = client.post(
        judge_page, {"item": shown(client, judge_page).id, "label": 1}, headers=HTMX
    ).context["item"]
    assert Consensus.objects.count() == 1
    reply = client.post(undo, {"item": following.id}, headers=HTMX)
    assert reply.status_code == 409
    assert Consensus.objects.count() == 1


def test_progress_counts_today_and_in_all(client, alice, judge_page):
    cast.judge_all(alice, 1)
    Judgment.objects.filter(pk=Judgment.objects.exclude(label=None).first().pk).update(
        submitted_at=timezone.now() - timedelta(days=2)
    )
    tally = client.get(judge_page).context["tally"]
    assert (tally.today, tally.total) == (1, 2)


def test_at_the_end_of_the_queue_the_page_says_thank_you(client, alice, judge_page):
    cast.judge_all(alice, 1)
    assert "last one for now. Thank you." in client.get(judge_page).text


def test_an_empty_queue_says_so(client, project, judge_page):
    for _ in range(5):
        cast.judge_all(cast.person(project), 1)
    assert "Nothing is waiting for you here yet." in client.get(judge_page).text


def test_a_closed_project_gives_no_work_and_says_why(client, project, judge_page):
    project.is_open = False
    project.save()
    reply = client.get(judge_page)
    assert reply.context["item"] is None
    assert "This project is closed for now." in reply.text


def test_a_graded_scale_offers_its_grades(client, alice):
    graded = cast.study(protocol="parade")
    cast.pairs(graded, 1)
    cast.projects.add_member(graded, alice.user)
    page = reverse("judge", args=[graded.public_id])
    reply = client.get(page)
    keys = [(answer.key, answer.value) for answer in reply.context["answers"]]
    assert keys == [("0", 0), ("1", 1), ("2", 2), ("3", 3)]
    assert all(str(answer.criterion) in reply.text for answer in reply.context["answers"])
    client.post(page, {"item": reply.context["item"].id, "label": 3}, headers=HTMX)
    assert Judgment.objects.exclude(label=None).get().label == 3


def test_an_answer_names_its_pair_and_cannot_fall_on_another(client, alice, judge_page):
    shown(client, judge_page)
    reply = client.post(judge_page, {"item": uuid.uuid4(), "label": 1}, headers=HTMX)
    assert reply.status_code == 409
    assert judgments.claim(alice).label is None


def test_sentences_bear_their_language_and_their_own_direction(client, work, judge_page):
    corpus = work[0].sentence.corpus
    corpus.language = "ar"
    corpus.save()
    reply = client.get(judge_page)
    assert 'lang="ar"' in reply.text
    assert reply.text.count('<li class="sentence" dir="auto">') == 2


def test_a_sentence_is_text_and_never_markup(client, project, judge_page):
    project.pairs.first().sentence1.__class__.objects.update(text="<b onload=x>&amp;</b>")
    text = client.get(judge_page).text
    assert "<b onload" not in text
    assert "&lt;b onload=x&gt;&amp;amp;&lt;/b&gt;" in text


def told(reply):
    """All of a reply but what differs between any two: the token, and UNTOLD headers."""
    body = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", reply.text)
    return reply.status_code, body, dict(reply.headers) | UNTOLD


def test_that_the_answer_to_a_pair_is_known_changes_nothing(client, project, judge_page):
    before = told(client.get(judge_page, headers=HTMX))
    project.pairs.update(known_label=1)
    assert told(client.get(judge_page, headers=HTMX)) == before


def test_the_answers_of_others_change_nothing_in_a_reply(client, project, judge_page, undo):
    answer = {"item": shown(client, judge_page).id, "label": 1}
    alone = client.post(judge_page, answer, headers=HTMX)
    client.post(undo, {"item": alone.context["item"].id}, headers=HTMX)
    for _ in range(3):
        cast.judge_all(cast.person(project), 0)
    assert told(client.post(judge_page, answer, headers=HTMX)) == told(alone)
