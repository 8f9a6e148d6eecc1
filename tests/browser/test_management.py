"""Pages of those who run a study: figures, a new project, settings, runs and releases."""

import tarfile

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from annotation.models import Project
from annotation.projects.protocols import PRESETS
from generation import methods
from generation.models import GenerationRun, Method
from generation.services import worker
from releases.models import Release
from releases.services.builds import BUILDS, PREVIEWS
from support import fake
from support.workers import work_until_idle
from tests.annotation import judged, make
from tests.browser.work_page import keys, tab_to, use, write

REFRESH = "htmx.trigger('#figures', 'refresh')"
HIDE = "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
SHOW = "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def project(transactional_db):
    project = make.study(guidelines="Judge *fairly*.")
    people = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [0, 0, 0, 0, 1], [1, 1, 0, 0, 0], [1]], by=people)
    return project


@pytest.fixture
def managing(signed_in, project):
    return signed_in(make.person(project, role="manager").user)


def test_figures_renew_themselves_where_they_changed_and_the_reader_stays(managing, project):
    page = managing
    page.goto(reverse("overview", args=[project.public_id]))
    figures, judged_pairs = (
        page.locator("#figures"),
        page.locator("#figures .pipeline .left b").last,
    )
    before, link = judged_pairs.inner_text(), figures.locator(".pipeline a").nth(2)
    link.focus()
    figures.evaluate("node => node.dataset.mine = 'yes'")
    with page.expect_response(lambda reply: reply.status == 204):
        page.evaluate(REFRESH)
    expect(figures).to_have_attribute("data-mine", "yes")
    judged.pairs(project, [[1, 1]], by=judged.people(project, 2))
    page.evaluate(REFRESH)
    expect(judged_pairs).not_to_have_text(before)
    expect(link).to_be_focused()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(HIDE)
    page.evaluate(REFRESH)
    with page.expect_request("**/figures/**"):
        page.evaluate(SHOW)
    assert len(asked) == 1  # none while it could not be seen


def test_filters_of_pairs_apply_at_once_and_the_chosen_are_counted(managing, project):
    page, number = managing, managing.locator("#number")
    page.goto(reverse("pairs", args=[project.public_id]))
    page.locator("#pick-state").click()
    expect(page.locator(".pick[open] label", has_text="too few agree")).to_contain_text("1")
    page.get_by_label("too few agree").check()
    expect(number).to_contain_text("1 of 4 pairs")
    expect(page.locator("#pick-state")).to_have_text("State: too few agree")
    expect(page.get_by_label("too few agree")).to_be_focused()
    keys(page, "Escape")
    expect(page.locator(".pick[open]")).to_have_count(0)
    assert page.url.endswith("/pairs/?state=not_kept")
    page.get_by_label("Choose this item").check()
    expect(page.locator(".bulk")).to_contain_text("1 chosen of 1 on this page")
    page.go_back()
    expect(number).to_contain_text("4 of 4 pairs")


def test_the_name_of_a_project_is_beside_what_people_do_on_one_screen(signed_in, transactional_db):
    page = signed_in(User.objects.create_superuser("root"))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/projects/new/")
    name, card, bar = (
        page.get_by_label("Name", exact=True).bounding_box(),
        page.get_by_label("Same meaning? (PAWS)").locator("..").bounding_box(),
        page.locator(".save-bar").bounding_box(),
    )
    assert name["y"] + name["height"] <= card["y"]
    assert card["y"] + card["height"] <= bar["y"]


def test_a_project_is_made_and_its_protocol_explained_at_once(signed_in, transactional_db):
    page = signed_in(User.objects.create_superuser("root"))
    page.goto("/projects/new/")
    expect(page.get_by_text("This is PAWS as published.")).to_be_visible()
    page.get_by_text("Change…").click()
    page.get_by_label("Votes needed to keep a pair").fill("6")
    expect(
        page.get_by_text("Only 5 people judge each pair, so 6 votes are impossible.")
    ).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Harbours")
    page.get_by_text("Grades (PARADE)").click()
    expect(page.get_by_text("This is PARADE as published.")).to_be_visible()
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.get_by_text("Project created. You’re its manager.")).to_be_visible()
    assert Project.objects.get(name="Harbours").judgments_per_pair == 3


def test_every_card_says_how_it_is_decided(signed_in, transactional_db):
    page = signed_in(User.objects.create_superuser("root"))
    page.goto("/projects/new/")
    for name, preset in PRESETS.items():
        page.get_by_text(str(preset.title), exact=True).click()
        expect(page.locator("[name=began_with]")).to_have_value(name)
        expect(page.locator("#protocol-in-words > p").first).to_be_visible()
        expect(page.get_by_text("Read the guidelines")).to_be_visible()
        expect(page.get_by_role("link", name="Plan the numbers")).to_be_visible()
        votes = page.get_by_label("Votes needed to keep a pair")
        if preset.has_labels:
            page.get_by_text("Change…").click()
        expect(votes).to_be_visible(visible=preset.protocol.scheme.decides)


def test_the_border_is_asked_for_where_there_are_sides(signed_in, transactional_db):
    page = signed_in(User.objects.create_superuser("root"))
    page.goto("/projects/new/?preset=empty")
    border = page.get_by_label("Lowest value of the upper side")
    expect(border).to_be_hidden()
    page.get_by_label("The label of a pair is").select_option("side")
    expect(border).to_be_visible()
    for row, name in enumerate(["glad", "calm", "sad"], 1):
        page.get_by_label(f"Label {row}, name").fill(name)
    expect(border).to_be_hidden()
    expect(page.get_by_text("Choose “the most frequent label”")).to_be_visible()
    page.get_by_label("The labels are").select_option("ordinal")
    expect(border).to_be_visible()


def test_settings_are_previewed_corrected_and_saved(managing, project):
    page, mark = managing, managing.get_by_label("Pass mark, in percent")
    page.goto(reverse("work_settings", args=[project.public_id]))
    preview = page.locator(".preview-of").first
    expect(preview.locator("em")).to_have_text("fairly")
    page.get_by_role("textbox", name="Guidelines").fill("# Slowly\n\n<script>alert(1)</script>")
    expect(preview.get_by_role("heading", name="Slowly")).to_be_visible()
    expect(page.get_by_text("Not saved yet: Guidelines")).to_be_visible()
    page.get_by_role("link", name="Undo my changes").click()
    expect(preview.locator("em")).to_have_text("fairly")
    page.goto(reverse("joining_settings", args=[project.public_id]))
    mark.fill("101")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(mark).to_have_attribute("aria-invalid", "true")
    keys(page, "Tab", "Enter")
    expect(mark).to_be_in_viewport()
    mark.fill("90")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_focused()
    expect(mark).to_have_value("90")


def test_a_run_is_started_previewed_and_approved_by_keys_and_moves_by_itself(
    signed_in, transactional_db, monkeypatch
):
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
    project = make.study()
    page = signed_in(make.person(project, role="manager").user)
    progress, announcement = page.locator("#run-progress"), page.locator("#run-announcement")
    project.corpora.add(fake.corpus(50, "Rivers"))
    page.goto(reverse("new_run", args=[project.public_id]))
    use(page, "Start run")
    expect(page.get_by_text("Run started.")).to_be_visible()
    work_until_idle()
    expect(announcement).to_contain_text("The preview is done.")
    expect(page.locator("#run-preview .pairs > li")).to_have_count(20)
    use(page, "Rewrite all 50 sentences")
    expect(page.get_by_text("Approved. Workers continue with the whole corpus.")).to_be_visible()
    run = GenerationRun.objects.get()
    assert not run.preview
    page.locator("#run-pause").focus()
    worker.step(run)
    expect(progress).to_contain_text("40 of 50")
    expect(announcement).to_contain_text("80 percent done")
    expect(page.locator("#run-pause")).to_be_focused()
    work_until_idle(run)
    expect(page.locator(".run-status")).to_contain_text("Done.")
    expect(page.locator("#run-pause")).to_be_hidden()
    assert progress.get_attribute("hx-get") is None


def test_a_release_is_drafted_built_downloaded_and_withdrawn_by_keys_alone(
    managing, project, settings, tmp_path
):
    page, settings.RELEASES_DIR = managing, tmp_path / "releases"
    page.goto(reverse("releases", args=[project.public_id]))
    use(page, "Draft a release", "link")
    expect(page.get_by_label("Version")).to_have_value("1.0")
    use(page, "Save and preview")
    expect(page.get_by_text("This is a draft.")).to_be_visible()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert PREVIEWS.do_next()
    expect(page.get_by_text("Machine-labelled pairs")).to_be_visible()
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    page.get_by_label("Build without a licence").press("Space")
    use(page, "Build release")
    expect(page.get_by_role("heading", name="1.0 is waiting for a worker")).to_be_visible()
    assert BUILDS.do_next()
    expect(page.get_by_text("Frozen,")).to_be_visible()
    with page.expect_download() as download:
        tab_to(page, page.get_by_role("link", name="Download,"))
        page.keyboard.press("Enter")
    with tarfile.open(download.value.path()) as tar:
        assert any(name.endswith("1.0/manifest.json") for name in tar.getnames())
    page.get_by_text("Withdraw this release…").press("Enter")
    use(page, "Withdraw release", "link")
    write(page, "Reason", "Two sentences were not free.")
    use(page, "Withdraw release")
    expect(page.get_by_text("This release was withdrawn")).to_be_visible()
    expect(page.get_by_text("Two sentences were not free.")).to_be_visible()
    assert Release.objects.get(version="1.0").state == "withdrawn"


def test_leaving_unsaved_settings_is_asked_about_and_saving_them_is_not(managing, project):
    page, asked = managing, []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    settings = reverse("joining_settings", args=[project.public_id])
    for leave in (
        lambda: page.locator(".rail").get_by_text("Pairs").click(),
        lambda: page.get_by_role("button", name="Save", exact=True).click(),
    ):
        page.goto(settings)
        page.get_by_label("Attempts").click()
        page.get_by_label("Attempts").fill("5")
        leave()
        page.wait_for_load_state()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert asked == ["beforeunload"]


def test_what_was_typed_when_the_session_ended_is_back_after_signing_in(managing, project):
    page, manager = managing, project.memberships.get(role="manager").user
    page.goto(reverse("joining_settings", args=[project.public_id]))
    page.get_by_label("Attempts").fill("5")
    manager.set_password("Quince-Harbour-72")  # which ends the session
    manager.save()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Nothing was saved.")).to_be_visible()
    page.get_by_label("User name").fill(manager.username)
    page.get_by_label("Password").fill("Quince-Harbour-72")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("What you had typed is in the form again.")).to_be_visible()
    expect(page.get_by_label("Attempts")).to_have_value("5")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_text("What you had typed is in the form again.")).to_be_hidden()


def test_an_unfinished_form_outlives_another_language(signed_in, transactional_db):
    page = signed_in(User.objects.create_superuser("root"))
    page.goto("/projects/new/")
    page.get_by_label("Name", exact=True).fill("Harbours")
    page.get_by_text("Change…").click()
    page.get_by_label("Votes needed to keep a pair").fill("6")
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("button", name="your account").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Neues Projekt")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Harbours")


def test_several_people_are_paused_together_from_the_list(managing, project):
    page = managing
    page.goto(reverse("people", args=[project.public_id]))
    pause = page.get_by_role("button", name="Pause…")
    expect(pause).to_be_disabled()
    boxes = page.get_by_role("checkbox", name="Select ")
    boxes.nth(0).check()
    boxes.nth(1).check()
    expect(page.get_by_text("2 selected")).to_be_visible()
    pause.click()
    page.get_by_label("Message to the annotator").fill("Please wait for the new guidelines.")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_text("Pause: 2 people.")).to_be_visible()
    assert project.memberships.exclude(paused_at=None).count() == 2


def test_buttons_of_an_archived_project_are_off_but_for_the_one_that_restores_it(
    signed_in, transactional_db
):
    project = make.study(archived_at=timezone.now(), is_open=False)
    page = signed_in(make.person(project, role="manager").user)
    page.goto(reverse("invitations", args=[project.public_id]))
    expect(page.get_by_role("button", name="Create link")).to_be_disabled()
    page.goto(reverse("project_actions", args=[project.public_id]))
    expect(page.get_by_role("button", name="Restore the project")).to_be_enabled()
    page.get_by_role("button", name="your account").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_enabled()


def test_a_fit_of_the_annotator_model_says_that_it_is_going_on(managing, project):
    page = managing
    page.goto(reverse("agreement", args=[project.public_id]))
    # The form stays as it is while the server works.
    page.evaluate("document.addEventListener('submit', event => event.preventDefault())")
    fit = page.get_by_role("button", name="Fit")
    fit.click()
    expect(page.get_by_text("Fitting the model…")).to_be_visible()
    expect(fit).to_be_disabled()
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(fit).to_be_enabled()
