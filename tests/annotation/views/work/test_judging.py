"""Judging over HTTP: an answer goes in, the next pair comes back, nothing is lost on the way."""

import pytest

from annotation.models import Judgment, Project
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
            plain = client.post(judge_page, {"item": reply.context["item"].id, "label": 1})
            assert (plain.status_code, plain.url) == (302, judge_page)


def test_a_broken_answer_is_refused_and_the_pair_stays(client, judge_page, answer):
    item = client.get(judge_page).context["item"]
    broken = [{"label": value} for value in ("7", "yes", "9" * 400, "")]
    broken += [{"item": "not-a-uuid"}, {"item": ""}, {"seconds": "nan"}, {"seconds": "-1"}]
    for changes in broken:
        reply = answer(**changes)
        assert (reply.status_code, reply.context["item"]) == (422, item), changes
    assert not stored().exists()


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


def test_whether_words_were_marked_goes_with_the_answer(client, judge_page, answer):
    for sent, kept in (
        ({"highlighted": "true"}, True),
        ({"highlighted": "false"}, False),
        ({}, None),
    ):
        with undone():
            answer(**sent)
            assert stored().get().highlighted is kept
    Project.objects.update(highlighting=Project.Highlighting.FORBIDDEN)
    assert "highlight" not in client.get(judge_page).text
    answer(highlighted="true")
    assert stored().get().highlighted is False


@pytest.mark.postgres
def test_one_judgment_takes_at_most_four_statements(
    client, project, judge_page, django_assert_num_queries
):
    sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
    for others, number in ((0, 3), (4, 4)):
        with undone():
            for _ in range(others):
                cast.judge_all(cast.person(project), 1)
            with django_assert_num_queries(number):
                client.post(judge_page, sent, headers=HTMX)
            assert stored().count() == 2 * others + 1


def test_undo_opens_the_last_answer_again_unless_it_decided_the_pair(
    client, project, judge_page, undo, answer
):
    item = client.get(judge_page).context["item"].id
    reply = client.post(undo, {"item": item}, headers=HTMX)
    assert reply.status_code == 409
    assert "no answer that can still be undone" in reply.text
    following = answer().context["item"]
    with undone():
        for _ in range(4):
            cast.judge_all(cast.person(project), 1)
        assert client.post(undo, {"item": following.id}, headers=HTMX).status_code == 409
    reply = client.post(undo, {"item": following.id}, headers=HTMX)
    assert (reply.status_code, reply.context["item"].id) == (200, item)
    assert not stored().exists()


def test_a_page_without_a_pair_says_why(client, project, alice, judge_page):
    Project.objects.update(is_open=False)
    assert "This project is closed for now." in client.get(judge_page).text
    Project.objects.update(is_open=True)
    cast.judge_all(alice, 1)
    reply = client.get(judge_page)
    assert (reply.context["item"], reply.context["tally"].total) == (None, 2)
    assert "last one for now. Thank you." in reply.text
    Project.objects.update(most_judgments=1)
    assert "You have done your share here." in client.get(judge_page).text


def test_an_answer_that_conflicts_brings_another_pair(client, judge_page, answer):
    item = client.get(judge_page).context["item"].id
    first, again, other = answer(), answer(item=item), answer(item=item, label=0)
    assert [each.status_code for each in (first, again, other)] == [200, 200, 409]
    assert first.context["item"] == again.context["item"] == other.context["item"]
    assert "already answered" in other.text
    assert stored().get().label == 1
