"""Releases that are built at once, as a command does, and not by a worker."""

from unittest.mock import Mock

import pytest

from common.leases import Progress
from releases.models import Release
from releases.selectors import releases as published
from releases.selectors.releases import folder_of
from releases.services import builds, drafts, frozen, publication
from releases.services.builds import BUILDS, PREVIEWS
from tests.annotation import make
from tests.releases.services.test_building import SIZES, State, again, end_lease, now


def test_a_release_that_cannot_be_built_here_leaves_its_version_free(project, monkeypatch):
    def proposed(**choices):
        return frozen.propose_release(project, version="1.0", **(SIZES | choices))

    with pytest.raises(ValueError, match="4,000 pairs"):
        builds.build(proposed(dev=4000))
    with monkeypatch.context() as patch:
        patch.setattr(frozen.shutil, "disk_usage", lambda _: Mock(free=1000))
        with pytest.raises(frozen.NoRoom, match=r"1000\xa0bytes are free"):
            builds.build(proposed())
    with monkeypatch.context() as patch:  # the disk fills up later
        patch.setattr(publication, "pack", Mock(side_effect=OSError(28, "No space left")))
        with pytest.raises(OSError, match="No space left"):
            builds.build(proposed())
    assert not Release.objects.exists()
    assert not folder_of(proposed()).exists()
    builds.build(built := proposed())
    assert again(built).state == State.FROZEN
    assert published.is_whole(built)
    assert published.archive_entry(built)


def test_a_draft_that_cannot_be_built_here_has_failed_and_a_worker_keeps_its_release(draft):
    drafts.change_draft(draft, version="1.0", dev=4000)
    with pytest.raises(ValueError, match="4,000 pairs"):
        builds.build(Release.objects.get())
    assert (again(draft).state, "4,000" in again(draft).failure) == (State.FAILED, True)
    drafts.return_to_draft(again(draft))
    drafts.change_draft(draft, version="1.0", **SIZES)
    drafts.queue_draft(again(draft))
    claimed = BUILDS.claim()
    with pytest.raises(frozen.LostRelease, match="A worker is building"):
        builds.build(again(draft))
    end_lease()
    builds.build(again(draft))
    assert (again(draft).state, again(draft).failure) == (State.FROZEN, "")
    assert not BUILDS.renew(claimed, Progress())


def test_nothing_is_released_before_a_pair_is_kept():
    project = make.study()
    make.pairs(project, 1)
    drafts.create_draft(project, version="1.0", **SIZES)
    assert PREVIEWS.do_next()
    assert "is kept yet" in now().failure
    with pytest.raises(ValueError, match=r"No pair of .* is kept yet"):
        builds.build(frozen.propose_release(project, version="2.0", **SIZES))
