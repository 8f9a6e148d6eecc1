"""A worker builds what is queued; what a dead worker left is continued by another."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.utils import timezone

from annotation.dataset.verification import verify
from annotation.models import Release
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import building, freezing, leasing, publishing
from annotation.services.releases.progress import Progress

State = Release.State


@pytest.fixture
def release(draft):
    releases.queue(draft)
    return draft


def again(release):
    return Release.objects.get(pk=release.pk)


def fail_with(monkeypatch, error):
    """Let every build end with an error when it writes its files."""

    def write(*_):
        raise error

    monkeypatch.setattr(publishing, "write", write)


def end_lease():
    """The worker that holds the release has died."""
    Release.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def frozen_by_a_worker(release):
    """Claimed, and the rows are stored, but no files."""
    claimed = building.claim()
    freezing.decide(claimed, Progress(), state=State.BUILDING)
    return claimed


def test_a_queued_release_is_frozen_and_its_files_are_right(release):
    assert releases.build_next()
    built = again(release)
    assert (built.state, built.lease_until, built.failure) == (State.FROZEN, None, "")
    assert verify(folder_of(built)) == []
    assert published.is_whole(built)
    entry = published.archive_entry(built)
    assert published.archive_of(release).stat().st_size == entry["bytes"]
    assert {path.name for path in folder_of(built).parent.iterdir()} == {"1.0", ".archives"}


def test_queued_releases_go_to_one_worker_each_in_the_order_of_queueing(project, draft):
    assert not releases.build_next()
    releases.queue(draft)
    later = releases.draft(project, version="2.0")
    releases.queue(later)
    assert [building.claim(), building.claim(), building.claim()] == [draft, later, None]


def test_a_release_that_another_worker_took_after_it_was_read_is_skipped(project, release):
    later = releases.draft(project, version="2.0")
    releases.queue(later)
    read = list(Release.objects.order_by("pk"))
    assert building.claim() == release
    assert building.WORK.claim(read) == later


def test_a_worker_that_died_before_the_freeze_is_followed_by_another(release):
    building.claim()
    end_lease()
    assert releases.build_next()
    assert (again(release).state, again(release).attempts) == (State.FROZEN, 2)


def test_rows_that_a_dead_worker_froze_stay(release):
    frozen_by_a_worker(release)
    frozen = again(release).frozen_at
    end_lease()
    assert releases.build_next()
    assert (again(release).frozen_at, again(release).examples.count()) == (frozen, 6)


def test_half_written_files_of_a_dead_worker_are_not_published(release):
    half = publishing.workshop_of(building.claim()) / "1" / ".1.0.partial"
    half.mkdir(parents=True)
    (half / "pairs.jsonl").write_text("{")
    end_lease()
    assert releases.build_next()
    assert verify(folder_of(release)) == []
    assert not publishing.workshop_of(release).exists()


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_finished_folder_of_a_dead_worker_stays_if_it_is_right(release, spoiled):
    releases.publish(frozen_by_a_worker(release))
    file = folder_of(release) / "pairs.jsonl"
    written = file.stat().st_ino
    if spoiled:
        file.write_text(file.read_text().replace("1", "0"))
    end_lease()
    assert releases.build_next()
    assert (file.stat().st_ino == written) is not spoiled
    assert published.is_whole(again(release))


def test_a_worker_that_lost_the_release_writes_nothing(release):
    late = building.claim()
    end_lease()
    assert releases.build_next()
    assert not releases.build(late)
    assert (again(release).state, again(release).attempts) == (State.FROZEN, 2)


def test_files_of_a_release_that_another_worker_took_are_not_published(release):
    claimed = frozen_by_a_worker(release)
    with pytest.raises(freezing.LostRelease):
        releases.publish(claimed, is_ours=lambda: False)
    assert not folder_of(release).exists()
    assert not published.archive_of(release).exists()


def test_three_failed_attempts_fail_it_until_it_is_queued_again(release, monkeypatch):
    fail_with(monkeypatch, OSError("No space left on device"))
    for attempts in (1, 2, 3, 4, 5, 6):
        assert not releases.build_next()
        tried, is_last = again(release), attempts % 3 == 0
        assert (tried.state, tried.attempts) == (
            State.FAILED if is_last else State.QUEUED,
            attempts,
        )
        assert tried.failure == "OSError: No space left on device"
        if is_last:
            assert not releases.build_next()
            assert again(release).attempts == attempts
            releases.queue(tried)


def test_a_release_over_which_three_workers_died_fails(release):
    for _ in range(3):
        assert building.claim()
        end_lease()
    assert building.claim() is None
    assert (again(release).state, again(release).failure) == (State.FAILED, building.LOST)


def test_without_a_database_it_is_left_until_its_lease_is_over(release, monkeypatch):
    closed = []
    # The connection itself is that of the test, and stays.
    monkeypatch.setattr(leasing, "connection", SimpleNamespace(close=lambda: closed.append(True)))
    fail_with(monkeypatch, OperationalError("server closed the connection"))
    assert not releases.build_next()
    assert (again(release).state, again(release).failure) == (State.BUILDING, "")
    assert closed == [True]


def test_what_no_attempt_can_repair_fails_at_once_in_words_for_people(release, monkeypatch):
    fail_with(monkeypatch, ValidationError(["One is wrong.", "So is another."]))
    releases.build_next()
    assert (again(release).state, again(release).attempts) == (State.FAILED, 1)
    assert again(release).failure == "One is wrong.; So is another."


def test_settings_that_the_pairs_cannot_fulfil_fail_at_once_and_may_be_changed(project, db):
    draft = releases.draft(project, version="1.0", dev=4000)
    releases.queue(draft)
    assert not releases.build_next()
    assert (again(draft).state, again(draft).attempts) == (State.FAILED, 1)
    assert "4000" in again(draft).failure
    assert draft.examples.count() == 0
    releases.take_back(again(draft))
    releases.change(again(draft), version="1.0", dev=0, test=0)
    releases.queue(again(draft))
    assert releases.build_next()


def test_a_lease_is_renewed_with_the_progress_until_it_is_lost(release):
    claimed = building.claim()
    end_lease()
    assert building.WORK.renew(claimed, Progress("judgments", 5, 15))
    now = again(release)
    assert (now.step, now.done, now.total) == ("judgments", 5, 15)
    assert now.lease_until > timezone.now()
    end_lease()
    building.claim()
    assert not building.WORK.renew(claimed, Progress())
