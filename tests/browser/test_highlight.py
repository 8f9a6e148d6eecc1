"""Marks on the words that differ: as the project has it, or as the person chooses."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, Membership, Project
from generation.models import Corpus, Method
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

TEXTS = [
    ("The old mill by the church.", "The old church by the mill."),
    ("Bremen lies north of Ulm.", "Ulm lies north of Bremen."),
    ("Rivers run into lakes.", "Lakes run into rivers."),
]


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study()
    cast.candidates(project, TEXTS, method=Method.BACK_TRANSLATION)
    return project


@pytest.fixture
def alice(page: Page, project: Project, live_server: LiveServer) -> Membership:
    member = cast.person(project)
    sign_in(page, member.user, live_server=live_server)
    return member


@pytest.fixture
def judge_page(alice: Membership) -> str:
    return reverse("judge", args=[alice.project.public_id])


def have(project: Project, highlighting: str) -> None:
    Project.objects.filter(pk=project.pk).update(highlighting=highlighting)


def highlighted() -> list[bool | None]:
    answered = Judgment.objects.exclude(label=None).order_by("submitted_at")
    return [judgment.highlighted for judgment in answered]


def test_words_are_marked_from_the_first_pair_on_where_they_always_are(
    page: Page, project: Project, judge_page: str
) -> None:
    have(project, Project.Highlighting.ALWAYS)
    desks.sit_down(page, judge_page)
    expect(page.locator("#work mark")).to_have_count(4)
    assert set(page.locator("#work mark").all_inner_texts()) == {"mill", "church"}
    desks.press(page, "1")
    expect(page.locator("#work mark")).to_have_count(4)
    expect(page.get_by_role("button", name="Mark what differs")).to_have_count(0)
    assert highlighted() == [True]


def test_d_marks_words_and_unmarks_them(page: Page, judge_page: str) -> None:
    desks.sit_down(page, judge_page)
    before = desks.sentences(page)
    choice = page.get_by_role("button", name="Mark what differs")
    expect(choice).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#work mark")).to_have_count(0)
    page.keyboard.press("d")
    expect(choice).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#work mark")).to_have_count(4)
    expect(page.locator("#announcer")).to_have_text("Words that differ are marked.")
    assert desks.sentences(page) == before
    page.keyboard.press("d")
    expect(page.locator("#work mark")).to_have_count(0)
    assert desks.sentences(page) == before


def test_the_choice_holds_for_the_next_pair_and_the_next_visit(page: Page, judge_page: str) -> None:
    desks.sit_down(page, judge_page)
    page.keyboard.press("d")
    desks.press(page, "1")
    expect(page.locator("#work mark")).not_to_have_count(0)
    desks.sit_down(page, judge_page)
    expect(page.locator("#work mark")).not_to_have_count(0)


def test_the_choice_is_one_for_each_project(page: Page, alice: Membership, judge_page: str) -> None:
    other = cast.study()
    cast.pairs(other, 1)
    cast.projects.add_member(other, alice.user)
    desks.sit_down(page, judge_page)
    page.keyboard.press("d")
    desks.sit_down(page, reverse("judge", args=[other.public_id]))
    expect(page.locator("#work mark")).to_have_count(0)


def test_whether_they_were_seen_is_stored_with_each_judgment(page: Page, judge_page: str) -> None:
    desks.sit_down(page, judge_page)
    desks.press(page, "1")
    page.keyboard.press("d")
    desks.press(page, "1")
    page.keyboard.press("d")
    desks.press(page, "1")
    assert highlighted() == [False, True, True]  # the third was marked when it came


def test_where_they_are_forbidden_no_key_brings_them(
    page: Page, project: Project, judge_page: str
) -> None:
    have(project, Project.Highlighting.FORBIDDEN)
    desks.sit_down(page, judge_page)
    page.evaluate("path => localStorage.setItem(`marks ${path}`, 'on')", judge_page)
    desks.sit_down(page, judge_page)
    page.keyboard.press("d")
    expect(page.locator("#work mark")).to_have_count(0)
    desks.press(page, "1")
    assert highlighted() == [False]


def test_nothing_moves_when_marks_come(page: Page, judge_page: str) -> None:
    desks.sit_down(page, judge_page)
    before = _places(page)
    page.keyboard.press("d")
    expect(page.locator("#work mark")).not_to_have_count(0)
    assert _places(page) == before


def test_a_mark_is_a_line_and_not_a_colour_alone(page: Page, judge_page: str) -> None:
    desks.sit_down(page, judge_page)
    page.keyboard.press("d")
    for forced in ("none", "active"):
        page.emulate_media(forced_colors=forced)  # type: ignore[arg-type]
        line = page.locator("#work mark").first.evaluate(
            "node => getComputedStyle(node).textDecorationLine"
        )
        assert line == "underline"


def test_arabic_is_read_and_marked_from_right_to_left(
    page: Page, project: Project, judge_page: str
) -> None:
    Corpus.objects.update(language="ar")
    arabic = [("وصل القطار من بغداد إلى دمشق.", "وصل القطار من دمشق إلى بغداد.")]
    cast.candidates(project, arabic, method=Method.BACK_TRANSLATION)
    desks.sit_down(page, judge_page)
    while "القطار" not in "".join(desks.sentences(page)):
        desks.press(page, "1")
    page.keyboard.press("d")
    assert set(page.locator("#work mark").all_inner_texts()) == {"بغداد", "دمشق"}
    sentence = page.locator("#work .sentence").first
    assert sentence.evaluate("node => getComputedStyle(node).direction") == "rtl"
    expect(page.locator("#work .sheet")).to_have_attribute("lang", "ar")


def _places(page: Page) -> list[dict[str, float]]:
    """Where the sentences and the buttons are."""
    everything = page.locator("#work .sentence, #work button, h1")
    return [box for each in everything.all() if (box := each.bounding_box())]  # type: ignore[misc]
