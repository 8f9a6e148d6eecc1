"""Pages of those who run a study, with the keyboard: founding a project, settings, annotators."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.models import Intervention, Membership, Project, SentencePair
from tests.annotation import cast, judged
from tests.browser.people import sign_in

LONG = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel " * 4
PAGES = ["project_settings", "known_pairs", "annotator", "same_person", "create_project"]


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study(guidelines="Judge *fairly*.", description="Rivers and towns.")
    cast.pairs(project, 2)
    judged.all_that_is_open(project, [1] * 5)
    return project


@pytest.fixture
def manager(page: Page, project: Project, live_server: LiveServer) -> Membership:
    member = cast.person(project, role=Membership.Role.MANAGER)
    User.objects.filter(pk=member.user_id).update(is_staff=True, is_superuser=True)
    sign_in(page, member.user, live_server=live_server)
    return member


def address(name: str, project: Project) -> str:
    if name == "create_project":
        return reverse(name)
    if name in ("known_pairs", "project_settings"):
        return reverse(name, args=[project.public_id])
    annotators = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR)
    person = annotators.earliest("pk")
    return reverse(name, args=[project.public_id, person.user.public_id])


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_phone(page: Page, project: Project, name: str) -> None:
    Project.objects.filter(pk=project.pk).update(description=LONG, guidelines=LONG)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(address(name, project))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.usefixtures("manager")
def test_a_project_is_founded_with_the_keyboard(page: Page) -> None:
    page.goto("/projects/new/")
    page.get_by_label("Name").focus()
    page.keyboard.type("Harbours")
    page.get_by_role("button", name="Take the numbers of PARADE").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_label("People who judge each pair")).to_have_value("3")
    expect(page.get_by_label("Name")).to_have_value("Harbours")
    page.get_by_label("Name").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_text("The project is made, and you run it.")).to_be_visible()
    assert Project.objects.get(name="Harbours").judgments_per_pair == 3


@pytest.mark.usefixtures("manager")
def test_the_protocol_is_said_in_words_while_it_is_typed(page: Page) -> None:
    page.goto("/projects/new/")
    expect(page.get_by_text("This is PAWS as published.")).to_be_visible()
    page.get_by_label("Votes that keep a pair").fill("6")
    expect(page.get_by_text("Of 5 people, 6 cannot agree.")).to_be_visible()
    page.get_by_label("People who judge each pair").fill("6")
    expect(page.get_by_text("6 people judge each pair.")).to_be_visible()


@pytest.mark.usefixtures("manager")
def test_guidelines_are_seen_as_they_will_look(page: Page, project: Project) -> None:
    page.goto(address("project_settings", project))
    preview = page.locator(".preview-of").first
    expect(preview.locator("em")).to_have_text("fairly")
    page.get_by_label("Guidelines").fill("# Slowly\n\n<script>alert(1)</script>")
    expect(preview.get_by_role("heading", name="Slowly")).to_be_visible()
    assert preview.locator("script").count() == 0


@pytest.mark.usefixtures("manager")
def test_settings_are_saved_and_stand_on_record(page: Page, project: Project) -> None:
    page.goto(address("project_settings", project))
    expect(page.get_by_label("People who judge each pair")).to_be_disabled()
    page.get_by_label("Pass mark, in percent").fill("101")
    page.keyboard.press("Enter")
    mark = page.get_by_label("Pass mark, in percent")
    expect(mark).to_have_attribute("aria-invalid", "true")
    mark.fill("90")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    expect(page.get_by_text("Pass mark, in percent: 80 → 90")).to_be_visible()


@pytest.mark.usefixtures("manager")
def test_a_second_window_does_not_overwrite_the_first(page: Page, project: Project) -> None:
    page.goto(address("project_settings", project))
    other = page.context.new_page()
    other.goto(address("project_settings", project))
    other.get_by_label("Attempts").fill("5")
    other.keyboard.press("Enter")
    expect(other.get_by_text("Saved.", exact=True)).to_be_visible()

    page.get_by_label("Pass mark, in percent").fill("70")
    page.keyboard.press("Enter")
    expect(page.get_by_text("somebody else has changed these settings")).to_be_visible()
    expect(page.locator(".stored")).to_have_text("Attempts5")
    expect(page.get_by_label("Pass mark, in percent")).to_have_value("70")
    assert Project.objects.get(pk=project.pk).attempts == 5


@pytest.mark.usefixtures("manager")
def test_answers_are_held_out_after_a_page_that_says_what_happens(
    page: Page, project: Project
) -> None:
    page.goto(address("annotator", project))
    page.get_by_role("link", name="Hold the answers out").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 decided pairs open again.")).to_be_visible()
    page.get_by_label("Why").focus()
    page.keyboard.type("Clicked at random.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_text("The answers count nowhere now")).to_be_visible()
    expect(page.get_by_role("link", name="Put the answers back")).to_be_visible()
    assert Intervention.objects.get().reason == "Clicked at random."


@pytest.mark.usefixtures("manager")
def test_hidden_pairs_are_pasted(page: Page, project: Project) -> None:
    page.goto(address("known_pairs", project))
    expect(page.get_by_text("There is none yet.")).to_be_visible()
    lines = "sentence1\tsentence2\tlabel\nAda saw Bo.\tBo saw Ada.\t0\nOnly one\n"
    page.get_by_label("or lines pasted here").fill(lines)
    page.get_by_role("button", name="Add the pairs").click()

    expect(page.get_by_text("1 hidden pair was added.")).to_be_visible()
    expect(page.get_by_text("Line 3:")).to_be_visible()
    assert SentencePair.objects.filter(known_label=0).count() == 1
