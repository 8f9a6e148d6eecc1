"""Sets that were published elsewhere, as frozen releases of a project of their own."""

import json
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from annotation.projects import additions
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.published import WHY_COMPLETE, sources_of
from releases.selectors.releases import folder_of
from releases.services import hub, publication
from releases.services.hub import Refused
from tests.annotation import make, pages
from tests.releases.dataset.published.sets import SICK
from tests.releases.published import STATED, import_trial


@pytest.fixture(autouse=True)
def _folder(db, tmp_path):
    with pages.release_folder(tmp_path / "releases"):
        yield


@pytest.fixture
def imported(tmp_path):
    """Call it with arguments: imports a set with votes, and returns its newest release, if any."""

    return partial(import_trial, tmp_path)


def contents(folder: Path):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def manifest_of(folder: Path):
    """What is in it, but the time and what names the time."""
    manifest = json.loads((folder / "manifest.json").read_text())
    return {
        name: manifest[name] for name in ("counts", "settings", "source", "licence", "language")
    }


def test_a_release_equals_the_folder_that_is_written_without_a_database(imported, tmp_path):
    imported("--out", str(tmp_path / "out"))
    folder = folder_of(imported())
    alone, held = contents(tmp_path / "out"), contents(folder)
    assert alone.keys() == held.keys()
    of_time = {"README.md", "croissant.json", "manifest.json"}
    assert {path for path in alone if alone[path] != held[path]} <= of_time
    assert manifest_of(tmp_path / "out") == manifest_of(folder)
    assert verify(folder, tmp_path / "published") == []


def test_a_column_of_splits_is_not_read_beside_stated_files(tmp_path):
    """The release is read twice: for errors, and from the files that were kept."""
    (tmp_path / "rows.txt").write_bytes(SICK)
    stated = ("--paraphrase-from=4", "--split=test=rows.txt")
    call_command("import_release", str(tmp_path / "rows.txt"), *STATED, *stated, stdout=StringIO())
    [release] = Release.objects.all()
    assert {*release.examples.values_list("split", flat=True)} == {"test"}


def test_a_release_is_written_again_with_the_same_bytes(imported):
    release = imported()
    first = contents(folder_of(release))
    publication.publish(Release.objects.get(pk=release.pk))
    assert contents(folder_of(release)) == first


def test_published_files_are_kept_until_the_release_is_built_alone(imported):
    assert not sources_of(imported()).exists()


def test_versions_of_a_set_are_releases_of_one_project(imported):
    releases = [imported(), imported("--version=2.0")]
    assert {release.project.name for release in releases} == {"Trial"}
    with pytest.raises(CommandError, match=r"Trial has a version 2\.0 already"):
        imported("--version=2.0")


def test_the_project_of_a_study_takes_no_set(imported):
    Project.objects.filter(pk=make.study().pk).update(name="Trial")
    with pytest.raises(CommandError, match="is no published set"):
        imported()
    assert not Release.objects.exists()


def test_nothing_is_added_to_a_set(imported):
    project = imported().project
    assert additions.refusal(project) == additions.refusal_of_runs(project) == str(WHY_COMPLETE)
    with pytest.raises(Refused):
        additions.check_judged(project)


def test_a_set_is_not_uploaded(imported):
    release = imported()
    person = make.person(release.project, role="manager").user
    with pytest.raises(Refused, match="Its publishers upload it"):
        hub.request(release, by=person, repository="a/b", is_private=True, token="t")


def test_pages_show_a_set_and_offer_no_work(imported):
    release = imported()
    manager = pages.client_of(release.project)
    page = manager.get(pages.page("release", release.project, release.public_id)).text
    assert "Published elsewhere" in page
    assert "Doe (2020)." in page
    assert "Judged by people" not in page
    offered = ("Hugging Face Hub", "Remove identity mapping")
    assert [words for words in offered if words in page] == []
    assert "Draft a release" not in manager.get(pages.page("releases", release.project)).text
    overview = manager.get(pages.page("overview", release.project)).text
    assert "Published elsewhere" in overview
    assert "Invite people" not in overview
    assert "Getting started" not in overview
    assert "Its pairs are labelled" in manager.get("/").text


def test_a_draft_begins_with_the_files_of_a_next_version(imported):
    project = imported().project
    reply = pages.client_of(project).get(pages.page("draft_release", project))
    assert reply.headers["Location"] == pages.page("create_version", project)


def test_lineage_of_a_published_pair_is_null(imported):
    release = imported()
    manager = pages.client_of(release.project)
    pair = release.examples.first()
    row = manager.get(f"/api/releases/{release.public_id}/examples/{pair.public_id}/").json()
    assert row["lineage"] is None
    assert row["published_label"] == pair.published_label != ""
