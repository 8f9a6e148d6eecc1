"""A worker builds what is queued; what a dead one left is continued by another."""

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
def release(project):
    release = releases.draft(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    releases.queue(release)
    return release


@pytest.fixture
def broken(monkeypatch):
    """Files cannot be written."""
    break_off(monkeypatch, OSError("No space left on device"))


def break_off(monkeypatch, error):
    """Let every build end with an error when it comes to its files."""

    def write(*_):
        raise error

    monkeypatch.setattr(publishing, "write", write)


def again(release):
    return Release.objects.get(pk=release.pk)


def give_up(release):
    """The worker that holds the release is dead for a while."""
    Release.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_queued_release_is_frozen_and_its_files_are_right(release):
    assert releases.build_next()
    built = again(release)
    assert (built.state, built.lease_until, built.failure) == (State.FROZEN, None, "")
    assert verify(folder_of(built)) == []
    assert published.is_whole(built)


def test_its_archive_is_there_as_the_slip_says(release):
    releases.build_next()
    entry = published.archive_entry(again(release))
    assert published.archive_of(release).stat().st_size == entry["bytes"]


def test_nothing_is_left_beside_the_files(release):
    releases.build_next()
    place = folder_of(release).parent
    assert {path.name for path in place.iterdir()} == {"1.0", ".archives"}


def test_without_a_queued_release_there_is_nothing_to_do(project):
    releases.draft(project, version="1.0")
    assert not releases.build_next()


def test_what_one_worker_holds_is_not_given_to_another(release):
    assert building.claim() == release
    assert building.claim() is None


def test_the_release_that_was_queued_first_is_built_first(project, release):
    later = releases.draft(project, version="2.0")
    releases.queue(later)
    assert [building.claim(), building.claim()] == [release, later]


def test_a_worker_that_died_before_the_freeze_is_followed_by_another(release):
    building.claim()
    give_up(release)
    assert releases.build_next()
    assert (again(release).state, again(release).attempts) == (State.FROZEN, 2)


def test_rows_that_a_dead_worker_froze_are_not_frozen_again(release):
    claimed = building.claim()
    freezing.decide(claimed, Progress(), state=State.BUILDING)
    frozen = again(release).frozen_at
    give_up(release)
    assert releases.build_next()
    assert again(release).frozen_at == frozen
    assert again(release).examples.count() == 6


def test_files_that_a_dead_worker_left_half_written_are_no_part_of_it(release):
    claimed = building.claim()
    half = publishing.workshop_of(claimed) / "1" / ".1.0.partial"
    half.mkdir(parents=True)
    (half / "pairs.jsonl").write_text("{")
    give_up(release)
    assert releases.build_next()
    assert verify(folder_of(release)) == []
    assert not publishing.workshop_of(release).exists()


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_folder_that_a_dead_worker_finished_stays_if_it_is_right(release, spoiled):
    claimed = building.claim()
    freezing.decide(claimed, Progress(), state=State.BUILDING)
    releases.publish(claimed)
    file = folder_of(release) / "pairs.jsonl"
    written = file.stat().st_ino
    if spoiled:
        file.write_text(file.read_text().replace("1", "0"))
    give_up(release)
    assert releases.build_next()
    assert (file.stat().st_ino == written) is not spoiled
    assert published.is_whole(again(release))


def test_whoever_lost_the_release_writes_nothing(release):
    late = building.claim()
    give_up(release)
    assert releases.build_next()
    before = again(release)
    assert not releases.build(late)
    assert again(release).attempts == before.attempts == 2
    assert again(release).state == State.FROZEN


def test_three_failed_attempts_fail_it_with_the_reason(release, broken):
    assert [releases.build_next() for _ in range(4)] == [False] * 4
    failed = again(release)
    assert (failed.state, failed.attempts) == (State.FAILED, 3)
    assert failed.failure == "OSError: No space left on device"


def test_without_a_database_it_is_left_to_whoever_finds_its_lease_over(release, monkeypatch):
    closed = []
    # The connection itself is that of the test, and stays.
    monkeypatch.setattr(leasing, "connection", SimpleNamespace(close=lambda: closed.append(True)))
    break_off(monkeypatch, OperationalError("server closed the connection"))
    assert not releases.build_next()
    assert (again(release).state, again(release).failure) == (State.BUILDING, "")
    assert closed == [True]


def test_what_no_attempt_can_mend_fails_at_once_in_words_for_people(release, monkeypatch):
    break_off(monkeypatch, ValidationError(["One is wrong.", "So is another."]))
    releases.build_next()
    assert (again(release).state, again(release).attempts) == (State.FAILED, 1)
    assert again(release).failure == "One is wrong.; So is another."


def test_of_two_that_wait_the_one_that_another_has_just_taken_is_passed_over(project, release):
    later = releases.draft(project, version="2.0")
    releases.queue(later)
    read = list(Release.objects.order_by("pk"))
    assert building.claim() == release
    assert building.WORK.claim(read) == later


def test_files_of_a_release_that_somebody_else_took_do_not_appear(release):
    claimed = building.claim()
    freezing.decide(claimed, Progress(), state=State.BUILDING)
    with pytest.raises(freezing.LostRelease):
        releases.publish(claimed, is_ours=lambda: False)
    assert not folder_of(release).exists()
    assert not published.archive_of(release).exists()


def test_after_one_failed_attempt_it_waits_for_the_next(release, broken):
    releases.build_next()
    assert (again(release).state, again(release).attempts) == (State.QUEUED, 1)
    assert "No space" in again(release).failure


def test_what_failed_can_be_queued_again_for_three_attempts_more(release, broken):
    for _ in range(3):
        releases.build_next()
    releases.queue(again(release))
    for _ in range(2):
        releases.build_next()
        assert again(release).state == State.QUEUED
    releases.build_next()
    assert (again(release).state, again(release).attempts) == (State.FAILED, 6)


def test_what_kills_three_workers_fails(release):
    for _ in range(3):
        assert building.claim()
        give_up(release)
    assert building.claim() is None
    assert (again(release).state, again(release).failure) == (State.FAILED, building.LOST)


def test_settings_that_the_pairs_cannot_fulfil_fail_at_once(project):
    draft = releases.draft(project, version="1.0", dev=4000)
    releases.queue(draft)
    assert not releases.build_next()
    assert (again(draft).state, again(draft).attempts) == (State.FAILED, 1)
    assert "4000" in again(draft).failure
    assert draft.examples.count() == 0


def test_after_other_settings_it_is_built(project):
    draft = releases.draft(project, version="1.0", dev=4000)
    releases.queue(draft)
    releases.build_next()
    releases.take_back(again(draft))
    releases.change(again(draft), version="1.0", dev=0, test=0)
    releases.queue(again(draft))
    assert releases.build_next()


def test_a_lease_is_renewed_with_what_is_done(release):
    claimed = building.claim()
    give_up(release)
    assert building.WORK.renew(claimed, Progress("judgments", 5, 15))
    told = again(release)
    assert (told.step, told.done, told.total) == ("judgments", 5, 15)
    assert told.lease_until > timezone.now()


def test_a_lost_lease_is_not_renewed(release):
    claimed = building.claim()
    give_up(release)
    building.claim()
    assert not building.WORK.renew(claimed, Progress())
