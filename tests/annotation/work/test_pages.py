"""The pages of work: an answer goes in, the next item comes back, nothing is lost on the way."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Correction, Judgment, Membership, Project, Skip
from annotation.quality.services import interventions
from tests.annotation import make
from tests.annotation.pages import HTMX, page, undone

SLOWLY = "Please read both sentences to their end."


@pytest.fixture(autouse=True)
def work(project):
    make.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    return make.pairs(project, 2)


def answer(client, address, **sent):
    """Send an answer to the item in view, or one with changes."""
    item = client.get(address).context["item"].id
    return client.post(address, {"item": item} | sent, headers=HTMX)


def stored():
    return Judgment.objects.exclude(submitted_at=None)


def test_each_button_stores_its_label_and_brings_the_next_pair_as_a_small_part(
    client, alice, judge_page, project
):
    project.pairs.update(flipped=True)
    for button, label in (("Same meaning", 1), ("Different meaning", 0)):
        with undone():
            context = client.get(judge_page).context
            assert [text.split()[0] for text in context["item"].sentences] == ["Rewrite", "Source"]
            [value] = [each.value for each in context["answers"] if str(each.name) == button]
            sent = {"item": context["item"].id, "label": value, "seconds": "4.5"}
            make.think(alice, sent["item"], 4.5)
            reply = client.post(judge_page, sent, headers=HTMX)
            [row] = stored()
            assert (row.item.public_id, row.label, row.seconds) == (sent["item"], label, 4.5)
            assert row.highlighted is None  # tests/browser sends the other values
            assert reply.text.startswith('<section id="work"')
            assert reply.context["item"].id != row.item.public_id
            assert f"Saved: {button}" in reply.text
            assert len(reply.content) <= 4096
            plain = client.post(judge_page, {"item": reply.context["item"].id, "label": 1})
            assert (plain.status_code, plain.url) == (302, judge_page)


@pytest.mark.parametrize("order", Project.Order.values)
def test_a_turn_asks_for_each_thing_once(client, project, judge_page, order):
    Project.objects.update(order=order)
    sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
    with CaptureQueriesContext(connection) as queries:
        client.post(judge_page, sent, headers=HTMX)
    assert stored().exists()
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    assert len(statements) <= 14, statements


def test_a_broken_answer_is_refused_and_the_pair_stays(client, judge_page):
    item = client.get(judge_page).context["item"]
    broken = [{"label": value} for value in ("7", "yes", "9" * 400, "")]
    broken += [{"item": "not-a-uuid"}, {"item": ""}, {"seconds": "nan"}, {"seconds": "-1"}]
    for changes in broken:
        reply = answer(client, judge_page, **{"label": 1} | changes)
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


def test_undo_opens_the_last_answer_again_unless_it_decided_the_pair(client, project, judge_page):
    undo, item = page("undo", project, "judge"), client.get(judge_page).context["item"].id
    assert client.post(undo, {"item": item}, headers=HTMX).status_code == 409
    following = {"item": answer(client, judge_page, label=1).context["item"].id}
    with undone():
        for _ in range(4):
            make.judge_all(make.person(project), 1)
        assert client.post(undo, following, headers=HTMX).status_code == 409
    reply = client.post(undo, following, headers=HTMX)
    assert (reply.status_code, reply.context["item"].id) == (200, item)
    assert not stored().exists()


def test_a_page_without_a_pair_says_why(client, alice, judge_page):
    make.judge_all(alice, 1)
    for change, said in (({"limits": {"judge": 1}}, "the limit"), ({"is_open": False}, "closed")):
        Project.objects.update(**change)
        reply = client.get(judge_page)
        assert (reply.context["item"], reply.context["tally"].total) == (None, 2)
        assert said in reply.text


def test_an_answer_that_conflicts_brings_another_pair(client, judge_page):
    item = client.get(judge_page).context["item"].id
    first = answer(client, judge_page, label=1)
    again, other = (answer(client, judge_page, item=item, label=label) for label in (1, 0))
    assert [each.status_code for each in (first, again, other)] == [200, 200, 409]
    assert first.context["item"] == again.context["item"] == other.context["item"]
    assert "already answered" in other.text
    assert stored().get().label == 1


def test_each_correction_is_stored_and_brings_the_next_sentence(
    client, alice, project, correct_page
):
    make.think(alice, make.claim(alice, "correct").item.public_id, 3.5)
    for action, text, kept in (
        ("accept", "Two sees one.", ("accept", "")),
        ("fix", "Two\r\nsee one.", ("fix", "Two see one.")),
        ("fix_anyway", "Two see none.", ("fix", "Two see none.")),
        ("fix", "Two sees one. ", ("accept", "")),
        ("reject", "Two sees one.", ("reject", "")),
    ):
        with undone():
            reply = answer(client, correct_page, action=action, text=text, seconds="3.5")
            row = Correction.objects.exclude(submitted_at=None).get()
            assert (row.action, row.text, row.seconds) == (*kept, 3.5)
            assert reply.context["item"].sentences == ("B sees a.",)
            assert len(reply.content) <= 4096
            unchanged = action == "fix" and kept[0] == "accept"
            assert ("accepted, as nothing was changed" in reply.text) == unchanged
            listed = client.get(page("recent", project, "correct"), headers=HTMX).text
            assert (kept[1] in listed) == (kept[0] == "fix" or not kept[1])
            assert ("Two sees one." in listed, "One sees two." in listed) == (True, False)


def test_a_refused_text_stays_in_the_open_editor(client, correct_page):
    item = client.get(correct_page).context["item"]
    for text in ("", "   ", "Two \x07 one."):
        reply = answer(client, correct_page, action="fix", text=text)
        assert (reply.status_code, reply.context["item"]) == (422, item), text
        assert reply.context["draft"] == text
        assert '<details class="fix" open>' in reply.text
    reply = answer(client, correct_page, action="fix", text="x y z")
    assert (reply.status_code, reply.context["item"], reply.context["draft"]) == (
        422,
        item,
        "x y z",
    )
    assert 'value="fix_anyway"' in reply.text
    assert "fewer than half of the words are kept" in reply.text
    reply = answer(client, correct_page, action="dance")
    assert "Accept, fix or reject the sentence." in reply.text


@pytest.mark.parametrize("kind", ["correct", "judge"])
def test_an_item_is_skipped_once_with_a_reason_unless_that_is_forbidden(
    client, alice, project, kind
):
    address, skip = page("work", project, kind), page("skip", project, kind)
    item = client.get(address).context["item"]
    assert f'value="{item.id}"' in client.get(skip).text
    sent = {"item": item.id, "reason": "other", "note": "It is a poem."}
    for broken in ({"reason": ""}, {"reason": "boredom"}, {"item": "x"}, {"note": "x" * 501}):
        reply = client.post(skip, sent | broken, headers=HTMX)
        assert (reply.status_code, reply.context["item"]) == (422, item), broken
    with undone():
        Project.objects.update(skipping=Project.Skipping.FORBIDDEN)
        assert "skip/" not in client.get(address).text
        assert client.get(skip).status_code == 404
        assert client.post(skip, sent, headers=HTMX).status_code == 422
    assert not Skip.objects.exists()
    replies = [client.post(skip, sent, headers=HTMX) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert replies[0].context["item"] == replies[1].context["item"] != item
    stored = Skip.objects.values_list("annotator", "reason", "note").get()
    assert stored == (alice.user_id, "other", "It is a poem.")
    assert client.post(skip, sent).url == f"{address}?left=1"


def test_a_warning_is_above_the_work_until_it_has_been_read(client, project, alice, judge_page):
    notices, asked = page("notices", project), {"kind": "judge"}
    assert SLOWLY not in client.get(notices, asked, headers=HTMX).text
    interventions.warn(make.person(project), by=None, reason=SLOWLY)
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    for until in ("yesterday", "2026-99-99T00:00:00Z", "2026-01-01T00:00:00"):
        client.post(notices, asked | {"until": until}, headers=HTMX)
        assert SLOWLY in client.get(judge_page).text, until
    assert SLOWLY in client.get(notices, asked, headers=HTMX).text
    read = {"until": warning.created_at.isoformat()}
    with undone():
        assert SLOWLY not in client.post(notices, asked | read, headers=HTMX).text
    for kind, then in (("judge", judge_page), ("//evil.example", "/"), ("admin", "/"), ("", "/")):
        assert client.post(notices, read | {"kind": kind}).url == then
    assert SLOWLY not in client.get(judge_page).text
    interventions.warn(alice, by=None, reason="Please use both answers.")
    assert "Please use both answers." in client.get(judge_page).text


def test_a_pause_is_told_with_its_reason_after_the_answer_that_was_under_way(
    client, alice, judge_page, correct_page
):
    sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
    interventions.pause(alice, by=None, reason=SLOWLY)
    answered = client.post(judge_page, sent, headers=HTMX)
    assert answered.status_code == 200
    assert stored().get().annotator == alice.user
    for reply in (answered, client.get(judge_page), client.get(correct_page)):
        assert reply.context["item"] is None
        assert "Your work here is paused." in reply.text
        assert SLOWLY in reply.text


def test_an_unfinished_step_leads_to_the_first_page_and_costs_no_answer(
    client, project, alice, judge_page
):
    sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
    Project.objects.update(asks_qualification=True)
    welcome = page("welcome", project)
    assert client.get(judge_page).url == welcome
    assert client.get(judge_page, headers=HTMX).headers["HX-Redirect"] == welcome
    with undone():
        reply = client.post(judge_page, sent, headers=HTMX)
        assert reply.headers["HX-Redirect"] == welcome
        assert stored().get().annotator == alice.user
    Membership.objects.filter(pk=alice.pk).update(qualified_at=timezone.now())
    assert client.get(judge_page).context["item"] is not None
