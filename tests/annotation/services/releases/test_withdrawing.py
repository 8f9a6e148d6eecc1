"""A withdrawn release leaves a tombstone and no files."""

import pytest

from annotation.errors import AnnotationError
from annotation.models import Release
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import Unchangeable, Unwritable
from tests.annotation import cast

WHY = "Two sentences were not free."


@pytest.fixture
def release(project):
    release = releases.draft(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    releases.queue(release)
    releases.build_next()
    release.refresh_from_db()
    return release


def test_its_files_go_and_its_row_and_manifest_stay(release):
    manager = cast.person(release.project).user
    releases.withdraw(release, by=manager, reason=WHY)
    gone = Release.objects.get()
    assert (gone.state, gone.withdrawal_reason, gone.withdrawn_by) == ("withdrawn", WHY, manager)
    assert gone.manifest["files"]
    assert not folder_of(release).exists()
    assert published.archive_entry(release) is None
    assert not published.archive_of(release).exists()


def test_its_version_is_never_used_again(release):
    releases.withdraw(release, by=None, reason=WHY)
    with pytest.raises(Exception, match="already exists"):
        releases.draft(release.project, version="1.0")


def test_it_is_not_written_again(release, tmp_path):
    releases.withdraw(release, by=None, reason=WHY)
    with pytest.raises(Unwritable, match="not free"):
        releases.write(release, tmp_path / "again")


def test_done_twice_the_first_reason_stays(release):
    releases.withdraw(release, by=None, reason=WHY)
    folder_of(release).mkdir()
    releases.withdraw(release, by=None, reason="Another.")
    assert Release.objects.get().withdrawal_reason == WHY
    assert not folder_of(release).exists()


def test_a_draft_is_not_withdrawn(project):
    with pytest.raises(Unchangeable):
        releases.withdraw(releases.draft(project, version="1.0"), by=None, reason=WHY)


def test_a_reason_is_needed(release):
    with pytest.raises(AnnotationError):
        releases.withdraw(release, by=None, reason=" ")
    assert published.is_whole(release)
