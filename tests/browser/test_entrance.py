"""Getting people in, with the keyboard: a link, an account, the first page, the set, the work."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from accounts.services import password_link
from annotation.models import Invitation, Judgment, Membership, QualificationPair
from annotation.pairs.labelled_lines import GoldPair
from annotation.quality.services import qualification
from tests.annotation import make
from tests.browser.work_page import hold_clock, keys, press, tab_to, use, write

PASSWORD = "quiet-orchard-lantern"
SET = [
    GoldPair("The mill sees the church.", "The church sees the mill.", 0, "Who sees has changed."),
    GoldPair("It rained in May.", "In May it rained.", 1, "Only the order has changed."),
    GoldPair("Ada taught Ben.", "Ben taught Ada.", 0, "Who taught has changed."),
]


@pytest.fixture
def manager(transactional_db):
    rules = {"asks_qualification": True, "pass_mark": 60, "attempts": 2}
    consent = {"consent": "We **store** your answers.", "consent_changed_at": timezone.now()}
    project = make.study(guidelines="Judge *fairly*.", **rules, **consent)
    qualification.add(project, SET)
    make.pairs(project, 1)
    return make.person(project, role="manager")


def set_is_ready(page, number):
    expect(page.get_by_text(f"{number} of 3")).to_be_visible()
    expect(page.locator("#qualifying")).to_have_attribute("data-state", "ready")


def answer_set(page, *, right):
    """Answer the set with its keys, the first pairs correctly and the rest not."""
    for number in (1, 2, 3):
        set_is_ready(page, number)
        sentence = page.locator(".sheet .sentence").first.inner_text()
        known = QualificationPair.objects.get(sentence1=sentence).label
        page.keyboard.press("1" if (known == 1) == (number <= right) else "2")
    expect(page.get_by_text("Your answers")).to_be_visible()


def test_from_a_managers_link_over_two_attempts_to_the_first_judgment(
    page, manager, signed_in, new_page, base_url
):
    people_page = signed_in(manager.user, new_page())
    people_page.goto(reverse("invitations", args=[manager.project.public_id]))
    people_page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base_url)
    use(people_page, "Create link")
    link = people_page.get_by_label("Link").input_value()
    assert link.startswith(f"{base_url}/join/")
    use(people_page, "Copy")
    expect(people_page.get_by_text("Copied.")).to_be_visible()
    assert people_page.evaluate("navigator.clipboard.readText()") == link
    page.goto(link)
    use(page, "Create an account", "link")
    write(page, "User name", "ada")
    write(page, "Password", PASSWORD)
    write(page, "Confirm password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("fairly")).to_be_visible()
    assert "/join/" not in page.url
    tab_to(page, page.get_by_label("I have read this and agree."))
    page.keyboard.press("Space")
    use(page, "Agree")
    use(page, "Start the test")
    answer_set(page, right=1)
    expect(page.get_by_text("Not passed this time")).to_be_visible()
    expect(page.get_by_text("Who taught has changed.")).to_be_visible()
    use(page, "Try again")
    answer_set(page, right=3)
    expect(page.get_by_role("heading", name="Passed")).to_be_visible()
    use(page, "Start working")
    press(page, "1")
    judged = Judgment.objects.exclude(submitted_at=None).get()
    assert (judged.annotator.username, judged.label) == ("ada", 1)
    member = Membership.objects.get(user__username="ada")
    assert (member.is_admitted, member.invitation) == (True, Invitation.objects.get())


def test_quick_presses_answer_one_pair_and_keys_can_be_switched_off(signed_in, manager, clock_page):
    page = signed_in(manager.user, clock_page)
    page.goto(reverse("preview_qualification", args=[manager.project.public_id, 1]))
    set_is_ready(page, 1)
    keys(page, "Control+1", "Alt+1")
    page.reload()
    set_is_ready(page, 1)
    hold_clock(page)
    keys(page, "1", "1")
    expect(page.get_by_text("2 of 3")).to_be_visible()
    page.keyboard.press("1")  # meant for the pair before
    page.clock.run_for(1000)
    set_is_ready(page, 2)
    page.clock.resume()
    tab_to(page, page.get_by_label("Use single-key shortcuts"))
    keys(page, "Space", "1")
    page.reload()
    set_is_ready(page, 2)
    page.keyboard.press("1")
    use(page, "2 Different meaning")
    set_is_ready(page, 3)


def test_a_password_is_set_by_a_link_that_works_once_and_opens_the_first_page(page, base_url):
    link = password_link(user=User.objects.create_user("ada"))
    page.goto(link)
    page.get_by_label("Password for ada").fill(PASSWORD)
    page.get_by_role("button", name="Save and sign in").click()
    expect(page.get_by_text("Your password is set.")).to_be_visible()
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()
    page.goto(link)
    expect(page.get_by_text("This link no longer works")).to_be_visible()
