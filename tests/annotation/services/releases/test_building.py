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


def frozen_by_a_worker():
    """Claimed, and the rows are stored, but no files."""
    claimed = building.claim()
    freezing.decide(claimed, Progress(), state=State.BUILDING)
    return claimed


def test_a_queued_release_is_frozen_and_its_files_are_right(draft):
    assert not releases.build_next()
    releases.queue(draft)
    assert releases.build_next()
    built = again(draft)
    assert (built.state, built.lease_until, built.failure) == (State.FROZEN, None, "")
    assert verify(folder_of(built)) == []
    assert published.is_whole(built)
    packed = published.archive_entry(built)["bytes"]
    assert published.archive_of(built).stat().st_size == packed
    assert {path.name for path in folder_of(built).parent.iterdir()} == {"1.0", ".archives"}


def test_queued_releases_go_to_one_worker_each_in_the_order_of_queueing(project, release):
    later, last = (releases.draft(project, version=version) for version in ("2.0", "3.0"))
    for queued in (later, last):
        releases.queue(queued)
    read = list(Release.objects.order_by("pk"))
    assert building.claim() == release
    assert building.WORK.claim(read) == later  # another worker took the first since it was read
    assert [building.claim(), building.claim()] == [last, None]


def test_what_dead_workers_left_is_continued(release):
    building.claim()
    end_lease()
    half = publishing.workshop_of(frozen_by_a_worker()) / "2" / ".1.0.partial"
    half.mkdir(parents=True)
    (half / "pairs.jsonl").write_text("{")
    frozen = again(release).frozen_at
    end_lease()
    assert releases.build_next()
    built = again(release)
    assert (built.state, built.attempts, built.frozen_at) == (State.FROZEN, 3, frozen)
    assert built.examples.count() == 6
    assert verify(folder_of(release)) == []
    assert not publishing.workshop_of(release).exists()


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_finished_folder_of_a_dead_worker_stays_if_it_is_right(release, spoiled):
    releases.publish(frozen_by_a_worker())
    file = folder_of(release) / "pairs.jsonl"
    written = file.stat().st_ino
    if spoiled:
        file.write_text(file.read_text().replace("1", "0"))
    end_lease()
    assert releases.build_next()
    assert (file.stat().st_ino == written) is not spoiled
    assert published.is_whole(again(release))


def test_a_worker_that_lost_the_release_publishes_nothing(release):
    late = frozen_by_a_worker()
    with pytest.raises(freezing.LostRelease):
        releases.publish(late, is_ours=lambda: False)
    assert not folder_of(release).exists()
    assert not published.archive_of(release).exists()
    end_lease()
    assert releases.build_next()
    assert not releases.build(late)
    assert (again(release).state, again(release).attempts) == (State.FROZEN, 2)


def test_three_failed_attempts_fail_it_until_it_is_queued_again(release, monkeypatch):
    fail_with(monkeypatch, OSError("No space left on device"))
    for attempts in (1, 2, 3, 4, 5, 6):
        assert not releases.build_next()
        tried, state = again(release), State.FAILED if attempts % 3 == 0 else State.QUEUED
        assert (tried.state, tried.attempts) == (state, attempts)
        assert tried.failure == "OSError: No space left on device"
        if state == State.FAILED:
            assert not releases.build_next()
            assert again(release).attempts == attempts
            releases.queue(tried)


def test_without_a_database_it_is_left_until_its_lease_is_over(release, monkeypatch):
    closed = []
    # The connection itself is that of the test, and stays.
    monkeypatch.setattr(leasing, "connection", SimpleNamespace(close=lambda: closed.append(True)))
    fail_with(monkeypatch, OperationalError("server closed the connection"))
    assert not releases.build_next()
    assert (again(release).state, again(release).failure) == (State.BUILDING, "")
    assert closed == [True]


def test_what_no_attempt_can_repair_fails_at_once_in_words_for_people(project, monkeypatch, db):
    draft = releases.draft(project, version="1.0", dev=4000)
    releases.queue(draft)
    assert not releases.build_next()
    assert (again(draft).state, again(draft).attempts) == (State.FAILED, 1)
    assert "4000" in again(draft).failure
    assert draft.examples.count() == 0
    releases.take_back(again(draft))
    releases.change(again(draft), version="1.0", dev=0, test=0)
    releases.queue(again(draft))
    with monkeypatch.context() as patch:
        fail_with(patch, ValidationError(["One is wrong.", "So is another."]))
        assert not releases.build_next()
    assert (again(draft).state, again(draft).attempts) == (State.FAILED, 4)
    assert again(draft).failure == "One is wrong.; So is another."
    releases.queue(again(draft))
    assert releases.build_next()


def test_a_lease_is_renewed_until_it_is_lost_and_three_lost_ones_fail_the_release(release):
    claimed = building.claim()
    end_lease()
    assert building.WORK.renew(claimed, Progress("judgments", 5, 15))
    now = again(release)
    assert (now.step, now.done, now.total) == ("judgments", 5, 15)
    assert now.lease_until > timezone.now()
    for _ in range(2):
        end_lease()
        assert building.claim() == release
        assert not building.WORK.renew(claimed, Progress())
    end_lease()
    assert building.claim() is None
    assert (again(release).state, again(release).failure) == (State.FAILED, building.LOST)
