"""The work of annotators in a browser whose scripts are switched off."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Correction, Judgment, Skip
from tests.annotation import make


@pytest.fixture
def project(transactional_db):
    project = make.study()
    make.candidates(project, [("The mill stands by the church.", "One church stands by the mill.")])
    make.pairs(project, 2)
    return project


def test_without_scripts_items_are_judged_listed_taken_back_skipped_and_fixed(
    project, new_page, signed_in
):
    page = signed_in(make.person(project).user, new_page(java_script_enabled=False))
    page.goto("/")
    page.get_by_role("link", name="Judge").click()
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
