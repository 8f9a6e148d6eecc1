"""A manager watches a run in the admin, and steers it with the keyboard alone."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.models import Project
from generation import methods
from generation.models import Batch, GenerationRun, Method
from generation.services import runs, worker
from tests.annotation import cast
from tests.browser.people import sign_in
from tests.generation import fake

expect.set_options(timeout=20_000)


@pytest.fixture(autouse=True)
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)


@pytest.fixture
def root(page: Page, live_server: LiveServer) -> Page:
    """The page of a signed-in administrator."""
    sign_in(page, User.objects.create_superuser("root"), live_server=live_server)
    return page


@pytest.fixture
def project(transactional_db: None) -> Project:
    return cast.study()


def address(run: GenerationRun) -> str:
    return reverse("admin:generation_generationrun_change", args=[run.pk])


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if target.evaluate("node => node === document.activeElement"):
            return
    raise AssertionError("the Tab key never got there")


def test_a_preview_is_started_read_and_approved_with_the_keyboard(
    root: Page, project: Project
) -> None:
    fake.corpus(30, "Rivers")
    root.goto(reverse("admin:annotation_project_change", args=[project.pk]))
    root.get_by_role("link", name="Start generation").press("Enter")
    root.get_by_label("Rivers").press("Space")
    root.get_by_role("button", name="Start").press("Enter")
    expect(root.get_by_text("Working on the preview.").last).to_be_visible()

    worker.work_until_idle()
    expect(root.locator(".run-status")).to_contain_text("The preview is done.")
    expect(root.locator("#run-announcement")).to_contain_text("The preview is done.")
    expect(root.locator(".run-candidate").first).to_contain_text("1 number sentence")
    expect(root.locator(".run-preview > li")).to_have_count(20)

    approve = root.get_by_role("button", name="Approve")
    tab_to(root, approve)
    root.keyboard.press("Enter")
    expect(root.get_by_text("The run was approved.")).to_be_visible()
    assert not GenerationRun.objects.get().preview


def test_progress_moves_by_itself_and_the_focus_stays(root: Page, project: Project) -> None:
    run = fake.run(fake.corpus(15))
    root.goto(address(run))
    expect(root.locator("#run-figures")).to_contain_text("0 of 15 (0%)")
    root.locator("#run-pause").focus()

    worker.step(run)

    expect(root.locator("#run-figures")).to_contain_text("5 of 15 (33%)")
    expect(root.locator("#run-announcement")).to_contain_text("30 percent done")
    expect(root.locator("#run-pause")).to_be_focused()


def test_a_run_that_ends_offers_nothing_more(root: Page, project: Project) -> None:
    run = fake.run(fake.corpus(12))
    root.goto(address(run))
    expect(root.locator("#run-pause")).to_be_visible()

    worker.work_until_idle(run)

    expect(root.locator(".run-status")).to_have_text("Done.")
    expect(root.locator("#run-actions")).to_be_hidden()
    assert root.locator("#run-figures").get_attribute("hx-get") is None


def test_cancelling_is_asked_for_twice(root: Page, project: Project) -> None:
    run = fake.run(fake.corpus(12))
    root.goto(address(run))

    root.get_by_role("link", name="Cancel").press("Enter")
    expect(root.get_by_role("heading", name="Cancel this run?")).to_be_visible()
    run.refresh_from_db()
    assert run.state == "running"
    root.get_by_role("button", name="Cancel the run").press("Enter")

    expect(root.get_by_text("The run was cancelled.")).to_be_visible()
    expect(root.locator(".run-status")).to_contain_text("Cancelled.")


def test_parked_batches_are_read_and_tried_again(root: Page, project: Project) -> None:
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)
    root.goto(address(run))

    expect(root.locator("#run-parked")).to_contain_text("Batch 2, 5 sentences")
    expect(root.locator("#run-parked")).to_contain_text("cannot rewrite 'sentence number 7'")
    root.get_by_role("button", name="Try parked batches again").press("Enter")

    expect(root.get_by_text("The run was given another try.")).to_be_visible()
    assert not run.batches.filter(state=Batch.State.PARKED).exists()


def test_whoever_is_signed_out_meanwhile_is_asked_who_they_are(
    root: Page, project: Project
) -> None:
    root.goto(address(fake.run(fake.corpus(15))))
    expect(root.locator("#run-figures")).to_be_visible()

    root.context.clear_cookies()

    expect(root).to_have_url(re.compile("/accounts/login/"))


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_pages_fit_and_their_parts_have_names(
    root: Page, project: Project, colours: str, width: int
) -> None:
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    worker.work_until_idle(run)
    root.set_viewport_size({"width": width, "height": 800})
    for page in (address(run), reverse("admin:annotation_project_generate", args=[project.pk])):
        root.goto(page)
        assert root.evaluate("document.documentElement.scrollWidth") <= width

    root.goto(address(run))
    for name in ("Progress", "Preview"):
        expect(root.get_by_role("region", name=name)).to_be_visible()
    expect(root.get_by_role("img", name="Sentences by outcome")).to_be_visible()
    expect(root.get_by_role("table", name="What came of the sentences")).to_be_visible()
    expect(root.get_by_role("progressbar", name="Sentences done")).to_be_visible()
