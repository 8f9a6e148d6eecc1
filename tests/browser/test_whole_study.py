"""The whole job in real browsers, and the same work with scripts switched off."""

import json

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Consensus, Correction, Judgment, Skip
from releases import services as releases
from releases.dataset.verification import verify
from tests.annotation import make
from tests.browser.work_page import await_ready, press, reload, sentences

SOURCE, REWRITE = "The old mill stands by the church.", "The old church stands by the mill."


@pytest.fixture
def project(transactional_db):
    project = make.study()
    make.candidates(project, [(SOURCE, REWRITE)])
    return project


@pytest.fixture
def open_for(project, new_page, signed_in):
    """Call it with a task for its page, opened by a new person in a browser of their own."""

    def open_page(task, **options):
        page = signed_in(make.person(project).user, new_page(**options))
        page.goto("/")
        page.get_by_role("link", name=task).click()
        return page

    return open_page


def test_a_pair_is_corrected_judged_by_five_and_released(project, open_for, tmp_path):
    corrector, received = open_for("Correct"), []
    corrector.on("response", lambda reply: reply.ok and received.append(reply.text()))
    reload(corrector)
    assert sentences(corrector) == [REWRITE]
    press(corrector, "a")
    assert REWRITE in "".join(received)
    assert SOURCE not in "".join(received)  # nobody may be led by it
    corrector.goto(reverse("work", args=[project.public_id, "judge"]))
    expect(corrector.get_by_text("There is no work for you here yet.")).to_be_visible()
    for key in "22212":
        page = open_for("Judge")
        await_ready(page)
        assert sorted(sentences(page)) == sorted([SOURCE, REWRITE])
        press(page, key)
        expect(page.get_by_text("That was the last one for now.")).to_be_visible()
    assert Consensus.objects.values_list("tally", "label", "kept").get() == ([4, 1], 0, True)
    releases.write(releases.freeze(project, version="1.0"), tmp_path / "release")
    pair = json.loads((tmp_path / "release" / "pairs.jsonl").read_text())
    assert (pair["votes"], pair["kept"]) == ([4, 1], True)
    assert verify(tmp_path / "release") == []


def test_without_scripts_items_are_judged_listed_taken_back_skipped_and_fixed(project, open_for):
    make.pairs(project, 2)
    page = open_for("Judge", java_script_enabled=False)
    page.get_by_role("button", name="Different meaning").click()
    expect(page.get_by_text("1 today")).to_be_visible()
    assert Judgment.objects.exclude(submitted_at=None).get().seconds is None
    page.get_by_role("link", name="Last ten").click()
    expect(page.get_by_role("listitem").filter(has_text="Different meaning")).to_have_count(1)
    page.get_by_role("link", name="Back to the work").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("0 today")).to_be_visible()
    assert not Judgment.objects.exclude(submitted_at=None).exists()
    page.get_by_role("link", name="Skip S").click()
    page.get_by_label("I can’t tell").check()
    page.get_by_role("button", name="Skip it").click()
    expect(page.get_by_role("button", name="Same meaning")).to_be_visible()
    assert Skip.objects.get().reason == "unclear"
    page.goto(reverse("work", args=[project.public_id, "correct"]))
    page.locator("summary").click()
    for text, reply in ((" ", "can’t be saved"), ("One is seen.", "mostly rewritten")):
        page.get_by_role("textbox").fill(text)
        page.get_by_role("button", name="Save the fix").click()
        expect(page.get_by_text(reply)).to_be_visible()
    page.get_by_role("button", name="Save it anyway").click()
    expect(page.get_by_text("1 today")).to_be_visible()
    assert Correction.objects.exclude(submitted_at=None).get().text == "One is seen."
