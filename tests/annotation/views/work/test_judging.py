"""Judging over HTTP: an answer goes in, the next pair comes back, nothing is lost on the way."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Consensus, Judgment, Project
from annotation.services import judgments
from tests.annotation import cast
from tests.annotation.views.pages import HTMX, page, undone


@pytest.fixture
def undo(project):
    return page("undo_judgment", project)


@pytest.fixture(autouse=True)
def work(project):
    return cast.pairs(project, 2)


@pytest.fixture
def answer(client, judge_page):
    """Send an answer to the pair in view, or one with changes."""

    def answer(*, headers=HTMX, **changes):
        item = client.get(judge_page).context["item"].id
        return client.post(judge_page, {"item": item, "label": 1} | changes, headers=headers)

    return answer


def stored():
    return Judgment.objects.exclude(label=None)


def test_each_button_stores_its_label_and_brings_the_next_pair_as_a_small_part(
    client, judge_page, project
):
    project.pairs.update(flipped=True)
    for button, label in (("Same meaning", 1), ("Different meaning", 0)):
        with undone():
            context = client.get(judge_page).context
            assert [text.split()[0] for text in context["item"].sentences] == ["Rewrite", "Source"]
            [value] = [each.value for each in context["answers"] if str(each.name) == button]
            sent = {"item": context["item"].id, "label": value, "seconds": "4.5"}
            reply = client.post(judge_page, sent, headers=HTMX)
            [row] = stored()
            assert (row.pair.public_id, row.label, row.seconds) == (sent["item"], label, 4.5)
            assert reply.text.startswith('<section id="work"')
            assert reply.context["item"].id != row.pair.public_id
            assert f"Saved: {button}" in reply.text
            assert len(reply.content) <= 4096


def test_whether_words_were_marked_goes_with_the_answer(client, project, judge_page, answer):
    for sent, kept in (({"highlighted": "true"}, True), ({"highlighted": "false"}, False)):
        with undone():
            answer(**sent)
            assert stored().get().highlighted is kept
    with undone():
        answer()
        assert stored().get().highlighted is None
    Project.objects.update(highlighting=Project.Highlighting.FORBIDDEN)
    assert "highlight" not in client.get(judge_page).text
    answer(highlighted="true")
    assert stored().get().highlighted is False


def test_a_whole_page_is_compressed_and_a_part_is_not(client, judge_page):
    packed = {"Accept-Encoding": "gzip"}
    assert client.get(judge_page, headers=packed).headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in client.get(judge_page, headers=packed | HTMX).headers


@pytest.mark.postgres
def test_one_judgment_takes_at_most_four_statements(
    client, project, judge_page, django_assert_num_queries
):
    for others, number in ((0, 3), (4, 4)):
        with undone():
            sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
            for _ in range(others):
                cast.judge_all(cast.person(project), 1)
            with django_assert_num_queries(number):
                client.post(judge_page, sent, headers=HTMX)
            assert stored().count() == 2 * others + 1


def test_without_scripts_an_answer_leads_back_to_the_page(judge_page, answer):
    reply = answer(headers={})
    assert (reply.status_code, reply.url) == (302, judge_page)


def test_an_answer_that_is_sent_again_is_one_answer_and_another_is_a_conflict(answer):
    first = answer()
    item = stored().get().pair.public_id
    again, other = answer(item=item), answer(item=item, label=0)
    assert [each.status_code for each in (first, again, other)] == [200, 200, 409]
    assert first.context["item"] == again.context["item"]
    assert "already answered" in other.text
    assert stored().get().label == 1


def test_a_pair_that_is_gone_or_was_never_given_is_a_conflict_with_another_pair(
    client, alice, judge_page, answer
):
    assert answer(item=uuid.uuid4()).status_code == 409
    item = client.get(judge_page).context["item"].id
    Judgment.objects.filter(pair__public_id=item).delete()
    reply = answer(item=item)
    assert reply.status_code == 409
    assert "gone to somebody else" in reply.text
    assert reply.context["item"].id != item
    assert not stored().exists()


def test_a_broken_answer_is_refused_and_the_pair_stays(client, judge_page, answer):
    item = client.get(judge_page).context["item"]
    broken = [{"label": value} for value in ("7", "yes", "9" * 400, "")]
    broken += [{"item": "not-a-uuid"}, {"item": ""}, {"seconds": "nan"}, {"seconds": "-1"}]
    for changes in broken:
        reply = answer(**changes)
        assert (reply.status_code, reply.context["item"]) == (422, item), changes
    assert not stored().exists()


def test_a_clock_that_ran_wild_does_not_cost_the_answer(answer):
    answer(seconds="1e12")
    assert stored().get().seconds == 24 * 60 * 60


def test_undo_opens_the_last_answer_again_and_no_second_one(client, judge_page, undo, answer):
    item = client.get(judge_page).context["item"].id
    reply = client.post(undo, {"item": item}, headers=HTMX)
    assert reply.status_code == 409
    assert "no answer that can still be undone" in reply.text
    answer()
    first = stored().get().pair.public_id
    answer()
    replies = [client.post(undo, {"item": ""}, headers=HTMX) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 409]
    assert replies[0].context["item"] == replies[1].context["item"]
    assert stored().get().pair.public_id == first
    item = replies[0].context["item"].id
    reply = client.post(undo, {"item": item}, headers=HTMX)
    assert (reply.status_code, reply.context["item"].id) == (200, first)


def test_the_answer_that_decided_a_pair_cannot_be_undone(client, project, undo, answer):
    for _ in range(4):
        cast.judge_all(cast.person(project), 1)
    following = answer().context["item"]
    reply = client.post(undo, {"item": following.id}, headers=HTMX)
    assert (reply.status_code, Consensus.objects.count()) == (409, 1)


def test_progress_counts_today_and_in_all(client, alice, judge_page):
    cast.judge_all(alice, 1)
    two_days_ago = timezone.now() - timedelta(days=2)
    Judgment.objects.filter(pk=stored().first().pk).update(submitted_at=two_days_ago)
    tally = client.get(judge_page).context["tally"]
    assert (tally.today, tally.total) == (1, 2)


def test_a_page_without_a_pair_says_why(client, project, alice, judge_page, answer):
    def said():
        reply = client.get(judge_page)
        assert reply.context["item"] is None
        return reply.text

    with undone():
        cast.judge_all(alice, 1)
        assert "last one for now. Thank you." in said()
    with undone():
        for _ in range(5):
            cast.judge_all(cast.person(project), 1)
        assert "Nothing is waiting for you here yet." in said()
    with undone():
        Project.objects.update(is_open=False)
        assert "This project is closed for now." in said()
    Project.objects.update(most_judgments=1)
    assert "You have done your share here." in answer().text
    assert judgments.claim(type(alice).objects.select_related("project").get(pk=alice.pk)) is None


def test_a_graded_scale_offers_its_grades(client, alice):
    graded = cast.study(protocol="parade")
    cast.pairs(graded, 1)
    cast.projects.add_member(graded, alice.user)
    reply = client.get(page("judge", graded))
    offered = [(answer.key, answer.value) for answer in reply.context["answers"]]
    assert offered == [("0", 0), ("1", 1), ("2", 2), ("3", 3)]
    assert all(str(answer.criterion) in reply.text for answer in reply.context["answers"])
    sent = {"item": reply.context["item"].id, "label": 3}
    client.post(page("judge", graded), sent, headers=HTMX)
    assert stored().get().label == 3


def test_a_sentence_is_text_in_its_language_and_direction_and_never_markup(
    client, project, work, judge_page
):
    type(work[0].sentence.corpus).objects.update(language="ar")
    type(project.pairs.first().sentence1).objects.update(text="<b onload=x>&amp;</b>")
    text = client.get(judge_page).text
    assert 'lang="ar"' in text
    assert text.count('<li class="sentence" dir="auto">') == 2
    assert "<b onload" not in text
    assert "&lt;b onload=x&gt;&amp;amp;&lt;/b&gt;" in text


def test_the_last_ten_answers_are_listed_as_they_were_shown_and_are_ones_own(
    client, project, alice, judge_page
):
    recent = page("recent_judgments", project)
    cast.judge_all(cast.person(project), 1)
    reply = client.get(recent, headers=HTMX)
    assert reply.context["given"] == []
    assert "You have not answered anything here yet." in reply.text
    cast.pairs(project, 10)
    project.pairs.update(flipped=True)
    cast.judge_all(alice, 0)
    given = client.get(recent, headers=HTMX).context["given"]
    rows = stored().filter(annotator=alice.user).order_by("-submitted_at")[:10]
    expected = [(row.pair.sentence2.text, row.pair.sentence1.text) for row in rows]
    assert [each.sentences for each in given] == expected
    assert {str(each.answer) for each in given} == {"Different meaning"}
    whole = client.get(recent).text
    assert "<!DOCTYPE html>" in whole
    assert f'href="{judge_page}"' in whole
