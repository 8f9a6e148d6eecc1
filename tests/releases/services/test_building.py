"""Workers build what is queued and preview drafts; what a dead worker left, another continues."""

from datetime import timedelta
from unittest import mock
from unittest.mock import Mock

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.utils import timezone

from annotation.errors import Refused
from common import leases
from common.leases import Progress, Work
from releases.dataset.verification import verify
from releases.models import Release, ReleasePreview
from releases.selectors import releases as published
from releases.selectors.releases import folder_of
from releases.services import drafts, frozen, publication
from releases.services.builds import BUILDS, PREVIEWS
from releases.services.steps import Unchangeable

State = Release.State
SIZES = {"dev": 0, "test": 0, "unlabeled_dev": 0}


@pytest.fixture
def release(draft):
    drafts.queue_draft(draft)
    return draft


def again(release):
    return Release.objects.get(pk=release.pk)


def fail_with(monkeypatch, error):
    """Let every build end with an error when it writes its files."""
    monkeypatch.setattr(publication, "write_files", Mock(side_effect=error))


def end_lease():
    """The worker that holds the release, or its preview, has died."""
    for row in (Release, ReleasePreview):
        row.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def frozen_by_a_worker():
    """Claimed, and the rows are stored, but no files."""
    claimed = BUILDS.claim()
    frozen.freeze_draft(claimed, state=State.BUILDING)
    return claimed


def now():
    """The preview of the only draft."""
    return ReleasePreview.objects.get()


def test_a_queued_release_is_frozen_and_its_files_are_right(draft):
    assert not BUILDS.do_next()
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    built = again(draft)
    assert (built.state, built.lease_until, built.failure) == (State.FROZEN, None, "")
    assert verify(folder_of(built)) == []
    assert published.is_whole(built)
    packed = published.archive_entry(built)["bytes"]
    assert published.archive_of(built).stat().st_size == packed
    assert {path.name for path in folder_of(built).parent.iterdir()} == {"1.0", ".archives"}


@pytest.mark.both_engines
def test_queued_releases_go_to_one_worker_each_in_the_order_of_queueing(project, release):
    later, last = (drafts.create_draft(project, version=version) for version in ("2.0", "3.0"))
    drafts.queue_draft(later)
    drafts.queue_draft(last)
    read = list(Release.objects.order_by("pk"))
    assert BUILDS.claim() == release
    with mock.patch.object(Work, "pending", return_value=read):
        assert BUILDS.claim() == later  # another worker took the first since it was read
    assert [BUILDS.claim(), BUILDS.claim()] == [last, None]


def test_what_dead_workers_left_is_continued(release):
    BUILDS.claim()
    end_lease()
    half = publication.workshop_of(frozen_by_a_worker()) / "2" / ".1.0.partial"
    half.mkdir(parents=True)
    (half / "pairs.jsonl").write_text("{")
    frozen = again(release).frozen_at
    end_lease()
    assert BUILDS.do_next()
    built = again(release)
    assert (built.state, built.attempts, built.frozen_at) == (State.FROZEN, 3, frozen)
    assert built.examples.count() == 6
    assert verify(folder_of(release)) == []
    assert not publication.workshop_of(release).exists()


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_finished_folder_of_a_dead_worker_stays_if_it_is_right(release, spoiled):
    publication.publish(frozen_by_a_worker())
    file = folder_of(release) / "pairs.jsonl"
    written = file.stat().st_ino
    if spoiled:
        file.write_text(file.read_text().replace("1", "0"))
    end_lease()
    assert BUILDS.do_next()
    assert (file.stat().st_ino == written) is not spoiled
    assert published.is_whole(again(release))


def test_a_worker_that_lost_the_release_publishes_nothing(release):
    late = frozen_by_a_worker()
    with pytest.raises(frozen.LostRelease):
        publication.publish(late, is_ours=lambda: False)
    assert not folder_of(release).exists()
    assert not published.archive_of(release).exists()
    end_lease()
    assert BUILDS.do_next()
    assert not BUILDS.attempt(late)
    assert (again(release).state, again(release).attempts) == (State.FROZEN, 2)


def test_three_failed_attempts_fail_it_until_it_is_queued_again(release, monkeypatch):
    fail_with(monkeypatch, OSError("No space left on device"))
    for attempts in (1, 2, 3, 4, 5, 6):
        assert not BUILDS.do_next()
        tried, state = again(release), State.FAILED if attempts % 3 == 0 else State.QUEUED
        assert (tried.state, tried.attempts) == (state, attempts)
        assert tried.failure == "No space left on device"
        if state == State.FAILED:
            assert not BUILDS.do_next()
            assert again(release).attempts == attempts
            drafts.queue_draft(tried)


def test_without_a_database_it_is_left_until_its_lease_is_over(release, monkeypatch):
    # The connection itself is that of the test, and stays.
    monkeypatch.setattr(leases, "connection", connection := Mock())
    fail_with(monkeypatch, OperationalError("server closed the connection"))
    assert not BUILDS.do_next()
    assert (again(release).state, again(release).failure) == (State.BUILDING, "")
    connection.close.assert_called_once_with()


def test_what_no_attempt_can_repair_fails_at_once_in_words_for_people(project, monkeypatch):
    draft = drafts.create_draft(project, version="1.0", dev=4000)
    drafts.queue_draft(draft)  # before its preview is made
    assert not BUILDS.do_next()
    failed = again(draft)
    assert (failed.state, failed.attempts, draft.examples.count()) == (State.FAILED, 1, 0)
    assert "4,000" in failed.failure
    drafts.return_to_draft(failed)
    drafts.change_draft(failed, version="1.0", dev=0, test=0)
    drafts.queue_draft(failed)
    with monkeypatch.context() as patch:
        fail_with(patch, ValidationError(["One is wrong.", "So is another."]))
        assert not BUILDS.do_next()
    failed = again(draft)
    assert (failed.state, failed.attempts) == (State.FAILED, 4)
    assert failed.failure == "One is wrong.; So is another."
    drafts.queue_draft(failed)
    assert BUILDS.do_next()


def test_a_lease_is_renewed_until_it_is_lost_and_three_lost_ones_fail_the_release(release):
    claimed = BUILDS.claim()
    end_lease()
    assert BUILDS.renew(claimed, Progress("judgments", 5, 15))
    held = again(release)
    assert (held.step, held.done, held.total) == ("judgments", 5, 15)
    assert held.lease_until > timezone.now()
    for _ in range(2):
        end_lease()
        assert BUILDS.claim() == release
        assert not BUILDS.renew(claimed, Progress())
    end_lease()
    assert BUILDS.claim() is None
    assert (again(release).state, again(release).failure) == (State.FAILED, BUILDS.lost)


def test_a_worker_finds_out_once_what_a_draft_would_hold(draft):
    assert (now().state, now().attempts, now().content) == ("waiting", 0, None)
    assert PREVIEWS.do_next()
    assert (now().state, now().lease_until, now().failure) == ("made", None, "")
    train, *_ = now().content["parts"]
    assert (train["file"], train["pairs"]) == ("labeled_final/train.tsv", 3)
    assert len(now().content["sample"]) == 3
    assert (Release.objects.get().state, draft.examples.count()) == (State.DRAFT, 0)
    assert not PREVIEWS.do_next()


def test_previews_are_made_in_the_order_of_asking_and_settings_that_cannot_be_reported(
    project, draft
):
    later = drafts.create_draft(project, version="2.0", dev=4000)
    drafts.request_preview(draft)
    assert PREVIEWS.do_next()
    later.preview.refresh_from_db()
    assert (later.preview.state, later.preview.content) == ("impossible", None)
    assert "4,000" in later.preview.failure
    with pytest.raises(Refused, match="This draft can't be built: Dev and test cannot have 4,000"):
        drafts.queue_draft(later)
    assert [PREVIEWS.claim().release, PREVIEWS.claim()] == [draft, None]


def test_changed_settings_are_looked_at_again_even_if_a_worker_is_at_it(draft):
    PREVIEWS.do_next()
    drafts.request_preview(draft)
    late = PREVIEWS.claim()
    drafts.change_draft(draft, version="1.0", **(SIZES | {"dev": 1}))
    assert not PREVIEWS.attempt(late)
    assert (now().state, now().content) == ("waiting", None)
    assert PREVIEWS.do_next()
    assert now().content["parts"][1]["wanted"] == 1
    assert now().attempts > late.attempts


def test_only_a_draft_has_a_preview(draft):
    claimed = PREVIEWS.claim()
    for state in (State.QUEUED, State.FROZEN):
        Release.objects.update(state=state, frozen_at=timezone.now())
        assert not PREVIEWS.do_next(), state
        with pytest.raises(Unchangeable):
            drafts.request_preview(draft)
    Release.objects.update(state=State.QUEUED, frozen_at=None)
    drafts.return_to_draft(draft)
    assert now() == claimed
    frozen.freeze_draft(Release.objects.get())
    assert not ReleasePreview.objects.exists()
    assert not PREVIEWS.renew(claimed, Progress())
    drafts.discard(drafts.create_draft(draft.project, version="2.0"))
    assert not ReleasePreview.objects.exists()


def test_a_preview_that_failed_for_good_is_made_when_it_is_asked_for_again(draft, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(frozen, "plan", Mock(side_effect=MemoryError("no memory left")))
        assert [PREVIEWS.do_next() for _ in range(2)] == [False] * 2
        assert (now().state, now().failure) == ("waiting", "MemoryError: no memory left")
        assert PREVIEWS.claim().state == "under_way"
        end_lease()  # three attempts are over
    assert not PREVIEWS.do_next()
    assert (now().state, now().failure) == ("failed", PREVIEWS.lost)
    drafts.request_preview(draft)
    assert (now().state, now().failure) == ("waiting", "")
    PREVIEWS.claim()
    end_lease()
    assert PREVIEWS.do_next()
    drafts.request_preview(draft)  # three attempts, again
    for _ in range(3):
        assert PREVIEWS.claim()
        end_lease()
