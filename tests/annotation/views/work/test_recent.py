"""One's last answers over HTTP: one's own, newest first, and nothing of others."""

import pytest
from django.urls import reverse

from annotation.models import Consensus, Judgment
from tests.annotation import cast
from tests.annotation.views.pages import HTMX
from tests.annotation.views.pages import VARYING as UNTOLD


@pytest.fixture
def judged(project):
    return reverse("recent_judgments", args=[project.public_id])


@pytest.fixture
def corrected(project):
    return reverse("recent_corrections", args=[project.public_id])


def test_the_last_ten_judgments_are_listed_newest_first(client, project, alice, judged):
    cast.pairs(project, 12)
    cast.judge_all(alice, 1)
    listed = [given.sentences for given in client.get(judged, headers=HTMX).context["given"]]
    rows = Judgment.objects.exclude(label=None).order_by("-submitted_at")[:10]
    assert [set(each) for each in listed] == [
        {row.pair.sentence1.text, row.pair.sentence2.text} for row in rows
    ]


def test_a_judgment_is_listed_with_its_sentences_as_they_stood(client, project, alice, judged):
    cast.pairs(project, 1)
    project.pairs.update(flipped=True)
    cast.judge_all(alice, 0)
    [given] = client.get(judged).context["given"]
    assert given.sentences[0].startswith("Rewrite")
    assert given.answer == "Different meaning"


def test_a_fix_is_listed_beside_the_sentence_that_it_mended(client, project, alice, corrected):
    cast.candidates(project, [("One sees two.", "Two sees one.")])
    cast.correct_next(alice, "fix", "Two see one.")
    text = client.get(corrected, headers=HTMX).text
    assert "fixed" in text
    assert "Two sees one." in text
    assert "Two see one." in text
    assert "One sees two." not in text


def test_the_answers_of_others_are_not_listed(client, project, judged):
    cast.pairs(project, 1)
    cast.judge_all(cast.person(project), 1)
    reply = client.get(judged, headers=HTMX)
    assert reply.context["given"] == []
    assert "You have not answered anything here yet." in reply.text


def test_that_a_pair_is_decided_changes_no_byte_of_the_list(client, project, alice, judged):
    cast.pairs(project, 1)
    cast.judge_all(alice, 0)
    before = client.get(judged, headers=HTMX)
    for _ in range(4):
        cast.judge_all(cast.person(project), 1)
    assert Consensus.objects.get().label == 1
    after = client.get(judged, headers=HTMX)
    assert after.content == before.content
    assert dict(after.headers) | UNTOLD == dict(before.headers) | UNTOLD


def test_without_scripts_the_list_is_a_page_of_its_own(client, project, alice, judged, judge_page):
    cast.pairs(project, 1)
    cast.judge_all(alice, 1)
    text = client.get(judged).text
    assert "<!DOCTYPE html>" in text
    assert "Same meaning" in text
    assert f'href="{judge_page}"' in text


@pytest.mark.parametrize(
    ("page", "right"), [("recent_judgments", "may_judge"), ("recent_corrections", "may_correct")]
)
def test_who_is_not_asked_to_do_a_task_finds_no_list_of_it(client, project, alice, page, right):
    setattr(alice, right, False)
    alice.save()
    assert client.get(reverse(page, args=[project.public_id])).status_code == 404
