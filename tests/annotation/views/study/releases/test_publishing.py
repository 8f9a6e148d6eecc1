"""From a draft to a frozen release, its files, and what can still be done with it."""

import io
import tarfile

import pytest

from annotation.models import Release
from annotation.selectors.releases import folder_of
from tests.annotation.views.study.releases.visiting import of_project, page, step

State = Release.State
HTMX = {"HX-Request": "true"}
WHY = "Two sentences were not free."


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
