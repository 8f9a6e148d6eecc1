"""The pages of a running study in a browser: they renew themselves, and fit every screen."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Intervention, Membership, Project, SentencePair, Skip
from tests.annotation import cast, judged
from tests.browser.people import sign_in

REFRESH = "htmx.trigger('#figures', 'refresh')"
HIDE = "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
SHOW = "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))"
LISTS = ["overview", "pairs", "annotators", "corrections", "leases", "skips"]
LONG = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel " * 3


@pytest.fixture
def project(transactional_db: None) -> Project:
    """Something in every list."""
    project = cast.study(description="Rivers and towns.")
    people = judged.people(project, 6)
    judged.pairs(project, [[1] * 5, [0, 0, 0, 0, 1], [1, 1, 0, 0, 0], [1]], by=people)
    cast.candidates(project, [(f"{LONG}{n}.", f"{n} {LONG}.") for n in range(2)])
    cast.correct_next(people[5], "fix", f"Another {LONG}.")
    Intervention.objects.create(membership=people[0], kind="flag", reason="Too fast, too often.")
    undecided = project.pairs.filter(consensus=None).earliest("pk")
    Skip.objects.create(project=project, annotator=people[4].user, pair=undecided, reason="broken")
    SentencePair.objects.filter(pk=undecided.pk).update(set_aside_at=timezone.now())
    return project


@pytest.fixture
def manager(page: Page, project: Project, live_server: LiveServer) -> Membership:
    member = cast.person(project, role=Membership.Role.MANAGER)
    sign_in(page, member.user, live_server=live_server)
    return member


@pytest.fixture
def overview(page: Page, project: Project, manager: Membership) -> Page:
    page.goto(reverse("overview", args=[project.public_id]))
    return page


def judged_pairs(page: Page) -> str:
    return page.locator("#figures .pace b").first.inner_text()


def test_the_figures_come_anew_by_themselves(overview: Page, project: Project) -> None:
    before = judged_pairs(overview)
    judged.pairs(project, [[1, 1]], by=judged.people(project, 2))
    overview.evaluate(REFRESH)
    expect(overview.locator("#figures .pace b").first).not_to_have_text(before)


def test_whoever_reads_the_figures_stays_where_they_are(overview: Page, project: Project) -> None:
    overview.locator("#course-table summary").click()
    link = overview.locator("#figures .table3 a").nth(2)
    link.focus()
    address, before = link.get_attribute("href"), judged_pairs(overview)
    judged.pairs(project, [[1, 1]], by=judged.people(project, 2))
    overview.evaluate(REFRESH)
    expect(overview.locator("#figures .pace b").first).not_to_have_text(before)
    expect(overview.locator(f'#figures .table3 a[href="{address}"]')).to_be_focused()
    expect(overview.locator("#course-table")).to_have_attribute("open", "")


def test_nothing_is_asked_for_while_nobody_can_see_it(overview: Page, project: Project) -> None:
    asked: list[Request] = []
    overview.on("request", lambda request: asked.append(request))
    overview.evaluate(HIDE)
    overview.evaluate(REFRESH)
    assert asked == []
    with overview.expect_request("**/figures/**"):
        overview.evaluate(SHOW)
    assert len(asked) == 1


def test_figures_that_did_not_change_are_not_swapped(overview: Page) -> None:
    overview.evaluate("document.querySelector('#figures').dataset.mine = 'yes'")
    with overview.expect_response("**/figures/**") as reply:
        overview.evaluate(REFRESH)
    assert reply.value.status == 204
    expect(overview.locator("#figures")).to_have_attribute("data-mine", "yes")


def test_an_alert_leads_to_what_it_counts(overview: Page) -> None:
    overview.get_by_role("link", name="1 person is flagged.").click()
    expect(overview.get_by_text("Too fast, too often.")).to_be_visible()
    expect(overview.get_by_role("heading", name="1 person")).to_be_visible()


def test_pairs_are_filtered_with_the_keyboard_alone(overview: Page) -> None:
    overview.get_by_role("link", name="Pairs by disagreement").press("Enter")
    expect(overview.get_by_role("heading", name="5 pairs")).to_be_visible()
    overview.get_by_label("State").press("k")
    overview.get_by_label("Words or an id").press("Enter")
    expect(overview.get_by_role("heading", name="2 pairs")).to_be_visible()
    overview.locator(".pair-list a").first.press("Enter")
    expect(overview.get_by_role("heading", name="What happened")).to_be_visible()


def test_what_was_set_aside_is_put_back_with_one_button(page: Page, overview: Page) -> None:
    overview.get_by_role("link", name="1 item is set aside.").click()
    page.get_by_role("button", name="Put back into the queue").click()
    expect(page.get_by_text("It is in the queue again.")).to_be_visible()
    expect(page.get_by_role("button", name="Put back into the queue")).to_have_count(0)


def test_a_table_is_downloaded_under_its_name(overview: Page) -> None:
    with overview.expect_download() as download:
        overview.locator("#figures .file a").first.click()
    assert download.value.suggested_filename.endswith("-funnel.csv")


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", [*LISTS, "pair"])
def test_no_page_is_wider_than_a_phone(page: Page, project: Project, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    of_pair = [project.pairs.latest("pk").public_id] if name == "pair" else []
    page.goto(reverse(name, args=[project.public_id, *of_pair]))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
