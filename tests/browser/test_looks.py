"""Pages fit narrow screens, and can be read and touched."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Membership, Project
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

# Every pair of colours in which the pages set words, and the ratio that WCAG 2.2 AA asks of it.
WORDS = [
    ("ink", "sheet", 4.5),
    ("ink", "paper", 4.5),
    ("ink", "wash", 4.5),
    ("soft", "sheet", 4.5),
    ("soft", "paper", 4.5),
    ("red", "sheet", 4.5),
    ("red", "paper", 4.5),
    ("blue", "sheet", 4.5),
    ("blue", "paper", 4.5),
    ("ink", "mark", 4.5),
    ("red", "mark", 3.0),
    ("edge", "sheet", 3.0),
    ("edge", "paper", 3.0),
]
LONG = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel " * 4


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study(guidelines="Judge *fairly*.", description="Rivers and towns.")
    cast.candidates(project, [(f"{LONG}{n}.", f"{n} {LONG}.") for n in range(2)])
    cast.pairs(project, 2)
    return project


@pytest.fixture
def manager(page: Page, project: Project, live_server: LiveServer) -> Membership:
    member = cast.person(project, role=Membership.Role.MANAGER)
    sign_in(page, member.user, live_server=live_server)
    return member


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", ["overview", "guidelines", "correct", "judge"])
def test_no_page_is_wider_than_a_phone(page: Page, project: Project, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(reverse(name, args=[project.public_id]))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture
def phone(browser: Browser, project: Project, live_server: LiveServer) -> Iterator[Page]:
    """A small screen under somebody's finger."""
    size = {"width": 390, "height": 844}
    context = browser.new_context(
        base_url=live_server.url, viewport=size, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    sign_in(page, cast.person(project).user, live_server=live_server)
    yield page
    context.close()


@pytest.mark.parametrize("task", ["correct", "judge"])
def test_what_a_finger_touches_is_44_pixels_high(phone: Page, project: Project, task: str) -> None:
    desks.sit_down(phone, reverse(task, args=[project.public_id]))
    touched = phone.locator("#work :is(a, button, summary), .asking button, .top a")
    heights = {
        each.inner_text(): box["height"]
        for each in touched.all()
        if (box := each.bounding_box()) is not None
    }
    assert len(heights) >= 5
    assert {name: height for name, height in heights.items() if height < 43.5} == {}


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize("width", [390, 1280])
def test_buttons_stay_where_they_are_from_item_to_item(
    page: Page, project: Project, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    desks.sit_down(page, reverse("judge", args=[project.public_id]))
    before = [each.bounding_box() for each in page.locator("#work :is(a, button)").all()]
    desks.press(page, "1")
    assert [each.bounding_box() for each in page.locator("#work :is(a, button)").all()] == before


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize("task", ["correct", "judge"])
def test_a_page_of_work_fits_a_window_at_200_percent(
    page: Page, project: Project, task: str
) -> None:
    page.set_viewport_size({"width": 640, "height": 400})
    desks.sit_down(page, reverse(task, args=[project.public_id]))
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_words_stand_out_from_what_is_behind_them(page: Page, colours: str) -> None:
    page.goto("/accounts/login/")
    found = {name: _colour(page, name) for pair in WORDS for name in pair[:2]}
    too_faint = [
        (front, back, round(ratio, 2))
        for front, back, least in WORDS
        if (ratio := _contrast(found[front], found[back])) < least
    ]
    assert too_faint == []


@pytest.mark.usefixtures("manager")
def test_the_first_stop_of_the_tab_key_skips_to_the_content(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.usefixtures("manager")
def test_nothing_moves_for_people_who_asked_for_that(page: Page, project: Project) -> None:
    page.emulate_media(reduced_motion="reduce")
    desks.sit_down(page, reverse("judge", args=[project.public_id]))
    moving = page.locator("#work .sheet").evaluate("node => getComputedStyle(node).animationName")
    assert moving == "none"


def _colour(page: Page, name: str) -> list[float]:
    """Red, green and blue of a colour of the style sheet, 0 to 255, in the scheme of the page."""
    value: str = page.evaluate(
        "name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)", name
    )
    return [int(value.strip()[at : at + 2], 16) for at in (1, 3, 5)]


def _contrast(one: list[float], other: list[float]) -> float:
    """Contrast ratio, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: list[float]) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
