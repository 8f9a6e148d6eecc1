"""Pages of releases: for whom each is, and what it does in each state."""

import io
import tarfile
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Membership, Project, Release, ReleasePreview
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import leasing
from tests.annotation import cast
from tests.annotation import judged as judging

Role, State = Membership.Role, Release.State
HTMX = {"HX-Request": "true"}
FIELDS = {
    "version": "1.0",
    "dev": "0",
    "test": "0 %",
    "unlabeled_dev": "0",
    "paraphrase_share": "",
    "depth": "1",
    "seed": "7",
}
WHY = "Two sentences were not free."


@pytest.fixture(autouse=True)
def _place(settings, tmp_path, monkeypatch):
    settings.RELEASES_DIR = tmp_path / "releases"
    monkeypatch.setattr(leasing, "BEAT_SECONDS", 600.0)


@pytest.fixture
def judged(project):
    cast.pairs(project, 3)
    judging.all_that_is_open(project, [1] * 5)
    return project


@pytest.fixture
def draft(judged):
    return releases.draft(judged, version="1.0", dev=0, test=0, unlabeled_dev=0)


@pytest.fixture
def frozen(draft):
    releases.queue(draft)
    assert releases.build_next()
    return Release.objects.get(pk=draft.pk)


@pytest.fixture
def manager(project):
    return signed_in(project, Role.MANAGER)


@pytest.fixture
def researcher(project):
    return signed_in(project, Role.RESEARCHER)


def signed_in(project, role):
    client = Client()
    client.force_login(cast.person(project, role=role).user)
    return client


def page(name, release, *more):
    return reverse(name, args=[release.project.public_id, release.public_id, *more])


def of_project(name, project):
    return reverse(name, args=[project.public_id])


def step(client, release, name):
    return client.post(page("release_step", release, name))


OPEN = ["release", "release_archive"]
MANAGED = ["withdraw_release", "forget_names"]


@pytest.mark.parametrize(
    ("role", "read", "managed"), [("researcher", 200, 404), ("manager", 200, 200)]
)
def test_researchers_read_and_managers_do_the_rest(frozen, role, read, managed):
    client = signed_in(frozen.project, role)
    for name in OPEN:
        assert client.get(page(name, frozen)).status_code == read
    for name in MANAGED:
        assert client.get(page(name, frozen)).status_code == managed
    assert client.get(of_project("releases", frozen.project)).status_code == read
    assert client.get(of_project("draft_release", frozen.project)).status_code == managed


@pytest.mark.parametrize("who", ["annotator", "stranger"])
def test_nobody_else_finds_anything(frozen, who):
    of = frozen.project if who == "annotator" else cast.study()
    client = signed_in(of, Role.ANNOTATOR if who == "annotator" else Role.MANAGER)
    for name in [*OPEN, *MANAGED, "edit_release", "preview_release", "release_progress"]:
        assert client.get(page(name, frozen)).status_code == 404
    assert client.get(page("release_file", frozen, "manifest.json")).status_code == 404
    assert step(client, frozen, "build").status_code == 404


def test_without_a_session_one_is_led_to_the_sign_in_page(frozen):
    reply = Client().get(page("release_file", frozen, "manifest.json"))
    assert reply.url.startswith("/accounts/login/")


def test_a_release_of_another_project_is_not_found(frozen):
    other = cast.study()
    client = signed_in(other, Role.MANAGER)
    address = reverse("release", args=[other.public_id, frozen.public_id])
    assert client.get(address).status_code == 404


def test_without_releases_the_page_says_what_one_is(manager, project):
    reply = manager.get(of_project("releases", project))
    assert "A release is one version of the dataset" in reply.text
    assert of_project("draft_release", project) in reply.text


def test_a_draft_is_made_from_the_form(manager, judged):
    reply = manager.post(of_project("draft_release", judged), FIELDS)
    draft = Release.objects.get()
    assert reply.url == page("release", draft)
    assert (draft.version, draft.seed, draft.settings["test"]) == ("1.0", 7, 0.0)
    assert draft.created_by is not None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", "../1"),
        ("dev", "many"),
        ("dev", "101 %"),
        ("test", "-1"),
        ("paraphrase_share", "100"),
        ("depth", "9"),
        ("seed", ""),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(manager, judged, field, value):
    reply = manager.post(of_project("draft_release", judged), FIELDS | {field: value})
    assert reply.status_code == 422
    assert reply.context["form"].errors.keys() == {field}
    assert not Release.objects.exists()


def test_a_version_that_is_there_is_refused(manager, draft):
    reply = manager.post(of_project("draft_release", draft.project), FIELDS)
    assert "version" in reply.context["form"].errors


@pytest.mark.parametrize(
    ("versions", "following"),
    [([], "1.0"), (["1.0"], "1.1"), (["1.1", "1.0"], "1.2"), (["beta"], "beta.1"), (["9"], "10")],
)
def test_the_next_version_is_proposed(manager, project, versions, following):
    for version in versions:
        releases.draft(project, version=version)
    form = manager.get(of_project("draft_release", project)).context["form"]
    assert form.initial["version"] == following


def test_the_form_shows_the_settings_that_a_draft_has(manager, judged):
    draft = releases.draft(judged, version="2", dev=0.125, test=40, recombine=False, seed=3)
    form = manager.get(page("edit_release", draft)).context["form"]
    shown = {name: form[name].value() for name in ("version", "test", "depth", "seed")}
    assert shown == {"version": "2", "test": 40, "depth": "0", "seed": 3}
    assert 'value="12.5 %"' in str(form["dev"])


def test_a_draft_is_changed(manager, draft):
    manager.post(page("edit_release", draft), FIELDS | {"version": "1.5", "depth": "all"})
    draft.refresh_from_db()
    assert (draft.version, draft.settings["recombination_reach"]) == ("1.5", None)


def test_what_is_no_draft_is_not_changed(manager, frozen):
    reply = manager.post(page("edit_release", frozen), FIELDS | {"version": "9"})
    assert reply.url == page("release", frozen)
    assert Release.objects.get().version == "1.0"


def asks_for_preview(text, draft):
    return f'hx-get="{page("preview_release", draft)}"' in text


def test_the_page_of_a_draft_asks_for_its_preview_until_it_is_there(manager, draft):
    text = manager.get(page("release", draft)).text
    assert asks_for_preview(text, draft)
    assert "It waits for a worker." in text
    assert "Load the page again" in text
    releases.preview_next()
    assert not asks_for_preview(manager.get(page("release", draft)).text, draft)


def test_who_waits_for_long_is_told_how_a_worker_is_started(manager, draft):
    command = "python manage.py worker"
    assert command not in manager.get(page("release", draft)).text
    ReleasePreview.objects.update(asked_at=timezone.now() - timedelta(seconds=20))
    assert command in manager.get(page("release", draft)).text


def test_the_preview_tells_how_far_its_worker_is(manager, draft):
    ReleasePreview.objects.update(state="under_way", step="reading", done=1200)
    text = manager.get(page("preview_release", draft), headers=HTMX).text
    assert "Step 1 of 2" in text
    assert "1,200 rows" in text
    assert asks_for_preview(text, draft)


@pytest.mark.parametrize("name", ["release", "preview_release"])
def test_the_preview_shows_counts_and_rows(researcher, draft, name):
    releases.preview_next()
    text = researcher.get(page(name, draft), headers=HTMX).text
    assert ("<html" in text) == (name == "release")
    assert "labeled_final/train.tsv" in text
    assert "Rewrite 0." in text
    assert "Nothing has changed since." in text


def test_the_part_with_the_preview_is_no_page(manager, draft):
    assert manager.get(page("preview_release", draft)).url == page("release", draft)


def test_whoever_waits_for_the_preview_of_what_is_no_draft_gets_its_page(manager, frozen):
    reply = manager.get(page("preview_release", frozen), headers=HTMX)
    assert reply.headers["HX-Refresh"] == "true"


def test_the_preview_says_what_cannot_be_built(manager, judged):
    draft = releases.draft(judged, version="1.0", dev=4000)
    releases.preview_next()
    text = manager.get(page("release", draft)).text
    assert "With these settings it cannot be built" in text
    assert "4000" in text


def test_the_preview_says_what_has_happened_since(manager, draft):
    releases.preview_next()
    cast.pairs(draft.project, 1)
    for _ in range(5):  # one after the other, and now
        cast.judge_all(cast.person(draft.project), 1)
    text = manager.get(page("release", draft)).text
    assert "1 pair was decided. 1 candidate came in." in text
    assert "Look at it anew" in text


def test_a_preview_of_other_settings_is_not_shown(manager, draft):
    releases.preview_next()
    Project.objects.update(consensus_min_votes=5)
    text = manager.get(page("release", draft)).text
    assert "The settings of the project have changed" in text
    assert "Rewrite 0." not in text


def test_a_preview_that_failed_says_why_and_is_tried_again(manager, draft):
    ReleasePreview.objects.update(state="failed", attempts=3, failure="MemoryError: too little")
    assert "MemoryError: too little" in manager.get(page("release", draft)).text
    assert step(manager, draft, "look").url == page("release", draft)
    assert releases.preview_next()


def test_researchers_ask_for_no_preview(researcher, draft):
    releases.preview_next()
    cast.pairs(draft.project, 1)
    assert "Look at it anew" not in researcher.get(page("release", draft)).text
    assert step(researcher, draft, "look").status_code == 404
    assert ReleasePreview.objects.get().state == "made"


@pytest.mark.parametrize("name", ["draft_release", "edit_release", "release_step"])
def test_a_worker_is_woken_for_a_preview(manager, draft, monkeypatch, name):
    woken = []
    monkeypatch.setattr("annotation.tasks.wake_previewers", lambda: woken.append(name))
    if name == "draft_release":
        manager.post(of_project(name, draft.project), FIELDS | {"version": "2.0"})
    elif name == "edit_release":
        manager.post(page(name, draft), FIELDS)
    else:
        step(manager, draft, "look")
    assert woken == [name]


def test_the_page_of_a_draft_asks_no_more_of_a_large_study(manager, project):
    people = judging.people(project, 5)
    asked = []
    for version, size in (("1", 10), ("2", 200)):
        judging.pairs(project, [[1, 1, 1, 1, 1]] * size, by=people)
        draft = releases.draft(project, version=version)
        releases.preview_next()
        with CaptureQueriesContext(connection) as statements:
            assert "labeled_final/train.tsv" in manager.get(page("release", draft)).text
        asked.append(len(statements))
    assert asked[0] == asked[1] <= 9


def test_a_draft_is_queued_taken_back_and_thrown_away(manager, draft):
    for name, state in (("build", State.QUEUED), ("take-back", State.DRAFT)):
        assert step(manager, draft, name).url == page("release", draft)
        assert Release.objects.get().state == state
    assert step(manager, draft, "discard").url == of_project("releases", draft.project)
    assert not Release.objects.exists()


def test_a_frozen_release_is_not_thrown_away(manager, frozen):
    step(manager, frozen, "discard")
    assert Release.objects.get().state == State.FROZEN


def test_there_are_no_other_steps(manager, draft):
    assert step(manager, draft, "freeze").status_code == 404


def test_progress_is_told_while_it_is_built(manager, draft):
    Release.objects.update(state=State.BUILDING, step="freezing", done=1200, total=4000)
    reply = manager.get(page("release_progress", draft), headers=HTMX)
    assert "Step 3 of 6" in reply.text
    assert "1,200 of 4,000 rows" in reply.text


def test_once_it_is_built_the_whole_page_comes_anew(manager, frozen):
    reply = manager.get(page("release_progress", frozen), headers=HTMX)
    assert reply.headers["HX-Refresh"] == "true"


def test_a_failed_release_says_why(manager, draft):
    Release.objects.update(state=State.FAILED, failure="OSError: No space left on device")
    assert "No space left on device" in manager.get(page("release", draft)).text


def test_a_frozen_release_shows_counts_files_and_digests(researcher, frozen):
    text = researcher.get(page("release", frozen)).text
    for path, entry in frozen.manifest["files"].items():
        assert page("release_file", frozen, path) in text
        assert entry["sha256"] in text


def test_a_file_comes_as_it_was_published(researcher, frozen):
    reply = researcher.get(page("release_file", frozen, "pairs.jsonl"))
    assert b"".join(reply) == (folder_of(frozen) / "pairs.jsonl").read_bytes()
    assert reply.headers["Content-Disposition"].startswith("attachment")
    assert reply.headers["ETag"] == f'"{frozen.manifest["files"]["pairs.jsonl"]["sha256"]}"'


def test_a_part_of_a_file_comes(researcher, frozen):
    reply = researcher.get(
        page("release_file", frozen, "pairs.jsonl"), headers={"Range": "bytes=0-4"}
    )
    assert (reply.status_code, len(b"".join(reply))) == (206, 5)


def test_the_archive_holds_the_folder(researcher, frozen):
    packed = b"".join(researcher.get(page("release_archive", frozen)))
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        assert "1.0/manifest.json" in tar.getnames()


@pytest.mark.parametrize("path", ["../1.0/manifest.json", "nothing.tsv"])
def test_nothing_else_is_fetched(researcher, frozen, path):
    assert researcher.get(page("release_file", frozen, path)).status_code == 404


def test_a_draft_has_no_files(researcher, draft):
    assert researcher.get(page("release_file", draft, "manifest.json")).status_code == 404
    assert researcher.get(page("release_archive", draft)).status_code == 404


def test_a_release_is_withdrawn_with_a_reason(manager, frozen):
    manager.post(page("withdraw_release", frozen), {"reason": WHY})
    assert Release.objects.get().state == State.WITHDRAWN
    for address in (
        page("release", frozen),
        page("release_file", frozen, "manifest.json"),
        page("release_archive", frozen),
    ):
        reply = manager.get(address)
        assert reply.status_code == 410
        assert WHY in reply.text


def test_without_a_reason_nothing_is_withdrawn(manager, frozen):
    assert manager.post(page("withdraw_release", frozen), {"reason": " "}).status_code == 422
    assert Release.objects.get().state == State.FROZEN


def test_names_are_forgotten_by_who_is_sure(manager, frozen):
    assert manager.post(page("forget_names", frozen)).status_code == 422
    assert frozen.pseudonyms.exists()
    manager.post(page("forget_names", frozen), {"sure": "on"})
    assert not frozen.pseudonyms.exists()
    assert "nobody can tell who is who" in manager.get(page("release", frozen)).text


def test_the_overview_links_to_each_release(researcher, frozen):
    assert page("release", frozen) in researcher.get(of_project("overview", frozen.project)).text
