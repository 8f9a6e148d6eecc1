"""Getting people in, with the keyboard alone: a link, an account, the first page, the set, work."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import Invitation, Judgment, Membership, Project, QualificationPair, Role
from annotation.services import invitations, qualification
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

PASSWORD = "quiet-orchard-lantern"
SET = [
    KnownPair("The mill sees the church.", "The church sees the mill.", 0, "Who sees has changed."),
    KnownPair("It rained in May.", "In May it rained.", 1, "Only the order has changed."),
    KnownPair("Ada taught Ben.", "Ben taught Ada.", 0, "Who taught has changed."),
]


@pytest.fixture(autouse=True)
def no_tries_yet() -> None:
    """Tries are counted in the cache, by address: all tests come from one."""
    cache.clear()


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study(
        description="Which swaps change what a sentence says?",
        guidelines="Judge *fairly*.",
        consent="We **store** your answers.",
        consent_changed_at=timezone.now(),
        asks_qualification=True,
        pass_mark=60,
        attempts=2,
    )
    qualification.add(project, SET)
    cast.pairs(project, 1)
    return project


@pytest.fixture
def manager(project: Project) -> Membership:
    return cast.person(project, role=Role.MANAGER)


@pytest.fixture
def stranger(browser: Browser, live_server: LiveServer) -> Page:
    return browser.new_context(base_url=live_server.url).new_page()


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    expect(target).to_be_visible()
    for _ in range(60):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the Tab key never got there")


def press(page: Page, name: str, role: str = "button") -> None:
    """Go to a button or a link with the Tab key and press it."""
    tab_to(page, page.get_by_role(role, name=name, exact=True))  # type: ignore[arg-type]
    page.keyboard.press("Enter")


def write(page: Page, label: str, text: str) -> None:
    tab_to(page, page.get_by_label(label, exact=True))
    page.keyboard.type(text)


def link_for(manager: Membership, **options: object) -> str:
    """The path of an invitation that was made beforehand."""
    end = {"expires_at": timezone.now() + timedelta(days=1)}
    _made, secret = invitations.create(manager.project, by=manager.user, **(end | options))
    return reverse("join", args=[secret])


def make_account(page: Page, link: str, name: str) -> None:
    """From the link to the first page of the project."""
    page.goto(link)
    press(page, "Make an account", "link")
    write(page, "User name", name)
    write(page, "Password", PASSWORD)
    write(page, "Password, once more", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Welcome")).to_be_visible()


def agree(page: Page) -> None:
    tab_to(page, page.get_by_label("I have read this and agree."))
    page.keyboard.press("Space")
    press(page, "Agree")


def answer_set(page: Page, *, right: int) -> None:
    """Answer the set with its keys, so many pairs of it as known and the rest otherwise."""
    for number in range(len(SET)):
        expect(page.get_by_text(f"{number + 1} of {len(SET)}")).to_be_visible()
        expect(page.locator("#qualifying")).to_have_attribute("data-state", "ready")
        label = known(page.locator(".sheet .sentence").first.inner_text())
        page.keyboard.press("1" if (label == 1) == (number < right) else "2")
    expect(page.get_by_text("Pair by pair")).to_be_visible()


def known(sentence1: str) -> int:
    return QualificationPair.objects.get(sentence1=sentence1).label


def test_from_a_managers_link_to_the_first_judgment(
    page: Page, stranger: Page, project: Project, manager: Membership, live_server: LiveServer
) -> None:
    sign_in(page, manager.user, live_server=live_server)
    page.goto(reverse("people", args=[project.public_id]))
    write(page, "Note", "Ada")
    press(page, "Make a link")
    link = page.get_by_label("Link").input_value()
    assert link.startswith(f"{live_server.url}/join/")

    make_account(stranger, link, "ada")
    assert "/join/" not in stranger.url
    expect(stranger.get_by_text("fairly")).to_be_visible()
    agree(stranger)
    press(stranger, "Begin the set")
    answer_set(stranger, right=3)
    expect(stranger.get_by_role("heading", name="Passed")).to_be_visible()
    press(stranger, "Begin the work")
    desks.press(stranger, "1")

    judged = Judgment.objects.exclude(label=None).get()
    assert judged.annotator is not None
    assert (judged.annotator.username, judged.label) == ("ada", 1)
    member = Membership.objects.get(user__username="ada")
    assert member.is_admitted
    assert member.invitation == Invitation.objects.get()


def test_who_fails_reads_why_tries_again_and_then_has_somebody_to_ask(
    stranger: Page, project: Project, manager: Membership
) -> None:
    make_account(stranger, link_for(manager), "ben")
    agree(stranger)
    press(stranger, "Begin the set")
    answer_set(stranger, right=1)
    expect(stranger.get_by_text("Not passed this time")).to_be_visible()
    expect(stranger.get_by_text("Who taught has changed.")).to_be_visible()
    press(stranger, "Try again")
    answer_set(stranger, right=0)
    expect(stranger.get_by_text("You have no attempt left.")).to_be_visible()
    press(stranger, "Your projects", "link")
    expect(stranger.get_by_text("You have no attempt left")).to_be_visible()
    expect(stranger.get_by_role("link", name="Judge")).to_have_count(0)


def test_a_manager_grants_another_attempt(
    page: Page, project: Project, manager: Membership, live_server: LiveServer
) -> None:
    failed = cast.person(project)
    for number in (1, 2):
        failed.attempts.create(number=number, finished_at=timezone.now(), share=0.0, passed=False)
    sign_in(page, manager.user, live_server=live_server)
    page.goto(reverse("people", args=[project.public_id]))
    press(page, f"Change {failed.user.username}", "link")
    press(page, "Grant another attempt")
    expect(page.get_by_text("1 attempt left")).to_be_visible()


def test_a_full_link_lets_nobody_more_in(stranger: Page, manager: Membership) -> None:
    link = link_for(manager)
    invitations.accept(link.split("/")[2], User.objects.create_user("first"))
    stranger.goto(link)
    expect(stranger.get_by_text("has joined already")).to_be_visible()
    expect(stranger.get_by_role("link", name="Make an account")).to_have_count(0)


def test_a_link_that_fills_up_meanwhile_makes_no_account(
    stranger: Page, manager: Membership
) -> None:
    link = link_for(manager)
    stranger.goto(link)
    press(stranger, "Make an account", "link")
    invitations.accept(link.split("/")[2], User.objects.create_user("first"))
    write(stranger, "User name", "late")
    write(stranger, "Password", PASSWORD)
    write(stranger, "Password, once more", PASSWORD)
    stranger.keyboard.press("Enter")
    expect(stranger.get_by_text("Accounts are made by invitation")).to_be_visible()
    assert not User.objects.filter(username="late").exists()


def test_an_expired_link_says_so(stranger: Page, project: Project, manager: Membership) -> None:
    link = link_for(manager)
    Invitation.objects.update(expires_at=timezone.now())
    stranger.goto(link)
    expect(stranger.get_by_text("This invitation has expired.")).to_be_visible()
    expect(stranger.get_by_text(project.name)).to_have_count(0)


def test_a_link_that_was_taken_back_says_so(
    page: Page, stranger: Page, project: Project, manager: Membership, live_server: LiveServer
) -> None:
    link = link_for(manager, note="May")
    sign_in(page, manager.user, live_server=live_server)
    page.goto(reverse("people", args=[project.public_id]))
    press(page, "Take back May")
    expect(page.get_by_role("cell", name="taken back")).to_be_visible()
    stranger.goto(link)
    expect(stranger.get_by_text("This invitation has been taken back.")).to_be_visible()


def test_two_quick_presses_answer_one_pair(
    page: Page, project: Project, live_server: LiveServer
) -> None:
    member = cast.person(project, may_correct=False)
    Membership.objects.update(consented_at=timezone.now())
    attempt = qualification.begin(Membership.objects.select_related("project").get(pk=member.pk))
    sign_in(page, member.user, live_server=live_server)
    page.goto(reverse("qualify", args=[project.public_id]))
    expect(page.locator("#qualifying")).to_have_attribute("data-state", "ready")
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.get_by_text("2 of 3")).to_be_visible()
    expect(page.locator("#qualifying")).to_have_attribute("data-state", "ready")
    assert attempt.answers.count() == 1


@pytest.mark.parametrize("key", ["Control+1", "Alt+1"])
def test_a_key_with_a_modifier_answers_nothing(
    page: Page, project: Project, manager: Membership, live_server: LiveServer, key: str
) -> None:
    sign_in(page, manager.user, live_server=live_server)
    page.goto(reverse("preview_qualification", args=[project.public_id, 1]))
    expect(page.locator("#qualifying")).to_have_attribute("data-state", "ready")
    page.keyboard.press(key)
    page.keyboard.press("1")
    expect(page.get_by_text("2 of 3")).to_be_visible()


def test_single_keys_can_be_switched_off(
    page: Page, project: Project, manager: Membership, live_server: LiveServer
) -> None:
    sign_in(page, manager.user, live_server=live_server)
    page.goto(reverse("preview_qualification", args=[project.public_id, 1]))
    tab_to(page, page.get_by_label("Answer with single keys"))
    page.keyboard.press("Space")
    page.keyboard.press("1")
    page.reload()
    expect(page.get_by_text("1 of 3")).to_be_visible()
    expect(page.locator("#qualifying")).to_have_attribute("data-state", "ready")
    expect(page.get_by_label("Answer with single keys")).not_to_be_checked()
    press(page, "2 Different meaning")
    expect(page.get_by_text("2 of 3")).to_be_visible()


def test_the_set_is_answered_without_scripts(
    browser: Browser, project: Project, live_server: LiveServer
) -> None:
    member = cast.person(project)
    Membership.objects.update(consented_at=timezone.now())
    page = browser.new_context(base_url=live_server.url, java_script_enabled=False).new_page()
    sign_in(page, member.user, live_server=live_server)
    page.goto(reverse("welcome", args=[project.public_id]))
    page.get_by_role("button", name="Begin the set").click()
    for number in range(len(SET)):
        expect(page.get_by_text(f"{number + 1} of {len(SET)}")).to_be_visible()
        page.get_by_role("button", name="Different meaning").click()
    expect(page.get_by_text("Pair by pair")).to_be_visible()


def test_the_link_is_copied(
    page: Page, project: Project, manager: Membership, live_server: LiveServer
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_server.url)
    sign_in(page, manager.user, live_server=live_server)
    page.goto(reverse("people", args=[project.public_id]))
    press(page, "Make a link")
    press(page, "Copy")
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.get_by_label("Link").input_value()


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", ["people", "qualification_set", "me", "welcome"])
def test_no_page_of_these_is_wider_than_a_phone(
    page: Page, manager: Membership, live_server: LiveServer, name: str, width: int
) -> None:
    link_for(manager, note="A note that is about as long as notes for managers ever are")
    sign_in(page, manager.user, live_server=live_server)
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(reverse(name, args=[manager.project.public_id]))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
