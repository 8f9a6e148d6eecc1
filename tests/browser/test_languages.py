"""Pages in other languages, and sentences in other scripts."""

import re
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Membership, Project
from generation.models import Corpus
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

STYLES = Path(django_settings.BASE_DIR) / "static" / "pawsmith"
# Sides of the page, where a style should say "start" and "end".
SIDES = re.compile(
    r"(?<![\w-])(?:(?:margin|padding|border)-)?(?:left|right)\s*:"
    r"|(?:text-align|float|clear)\s*:\s*(?:left|right)"
)
SENTENCES = {
    "ar": ("rtl", "رأت القطةُ الكلبَ في الحديقة.", "رأى الكلبُ القطةَ في الحديقة."),
    "he": ("rtl", "החתול ראה את הכלב בגינה.", "הכלב ראה את החתול בגינה."),
    "zh-Hans": ("ltr", "猫在花园里看见了狗。", "狗在花园里看见了猫。"),
    "ja": ("ltr", "猫は庭で犬を見た。", "犬は庭で猫を見た。"),
    "ko": ("ltr", "고양이가 정원에서 개를 보았다.", "개가 정원에서 고양이를 보았다."),
}


@pytest.fixture
def project(transactional_db: None) -> Project:
    return cast.study(guidelines="Judge *fairly*.")


@pytest.fixture
def manager(page: Page, project: Project, live_server: LiveServer) -> Membership:
    member = cast.person(project, role=Membership.Role.MANAGER)
    sign_in(page, member.user, live_server=live_server)
    return member


def choose(page: Page, name: str) -> None:
    page.get_by_role("form", name=re.compile("Language|Sprache")).get_by_text(name).click()


@pytest.mark.usefixtures("manager")
def test_a_language_is_chosen_at_the_foot_of_a_page_and_stays(page: Page, project: Project) -> None:
    guidelines = reverse("guidelines", args=[project.public_id])
    page.goto(guidelines)

    choose(page, "Deutsch")

    expect(page.get_by_role("heading", name="Richtlinien")).to_be_visible()
    expect(page).to_have_url(re.compile(guidelines))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto("/")
    expect(page.get_by_role("heading", name="Deine Projekte")).to_be_visible()
    choose(page, "English")
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()


def test_a_language_is_chosen_with_the_keyboard_alone(page: Page, live_server: LiveServer) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Deutsch").press("Enter")
    expect(page.get_by_role("heading", name="Anmelden")).to_be_visible()


@pytest.mark.browser_context_args(locale="de-DE")
@pytest.mark.usefixtures("manager")
def test_the_whole_work_is_german_for_a_german_browser(page: Page, project: Project) -> None:
    cast.pairs(project, 2)
    desks.sit_down(page, reverse("judge", args=[project.public_id]))

    asked = page.get_by_role("heading", name="Bedeuten diese beiden Sätze dasselbe?")
    expect(asked).to_be_visible()
    desks.press(page, "1")
    expect(page.get_by_text("Gespeichert: Gleiche Bedeutung")).to_be_visible()
    expect(page.locator(".sheet")).to_have_attribute("lang", "en")


@pytest.mark.parametrize("path", sorted(STYLES.glob("*.css")), ids=lambda path: path.name)
def test_styles_know_no_left_and_no_right(path: Path) -> None:
    assert SIDES.findall(path.read_text(encoding="utf-8")) == []


def test_a_style_that_does_is_found() -> None:
    assert SIDES.findall("a { left: 0; margin-right: 1px; text-align: left }") != []
    assert SIDES.findall("a { margin-inline: 0; text-align: start; background: to right }") == []


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("task", ["correct", "judge", "pairs"])
def test_sentences_keep_their_language_and_direction(
    page: Page, project: Project, task: str, language: str
) -> None:
    direction, one, other = SENTENCES[language]
    cast.candidates(project, [(one, other)], method="back_translation")
    cast.candidates(project, [(other, one)])
    Corpus.objects.update(language=language)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(reverse(task, args=[project.public_id]))

    shown = page.locator("main").get_by_text(one, exact=True).first
    expect(shown).to_be_visible()
    assert shown.evaluate("node => getComputedStyle(node).direction") == direction
    assert shown.evaluate("node => node.closest('[lang]').lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
