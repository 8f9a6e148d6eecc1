"""A worker looks at a draft, and keeps what it would hold until the draft is another."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.dataset.preview import Preview
from annotation.models import Project, Release, ReleasePreview
from annotation.selectors.previews import Since, since
from annotation.services import interventions, releases, rounds
from annotation.services.releases import previewing
from annotation.services.releases.progress import Progress
from tests.annotation import cast

State = ReleasePreview.State
SIZES = {"dev": 0, "test": 0, "unlabeled_dev": 0}


@pytest.fixture
def draft(project):
    return releases.draft(project, version="1.0", **SIZES)


@pytest.fixture
def broken(monkeypatch):
    """Nothing can be planned."""

    def plan(*_rows, **_settings):
        raise MemoryError("no memory left")

    monkeypatch.setattr(previewing, "plan", plan)


def now():
    return ReleasePreview.objects.get()


def give_up():
    """The worker that looks at the draft is dead for a while."""
    ReleasePreview.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def judge_all(project, *, people=5):
    for _ in range(people):
        cast.judge_all(cast.person(project), 1)


def test_a_draft_waits_for_a_worker_from_the_beginning(draft):
    assert (now().state, now().attempts, now().content) == (State.WAITING, 0, None)


def test_a_worker_finds_out_what_it_would_hold(draft):
    assert releases.preview_next()
    assert (now().state, now().lease_until, now().failure) == (State.MADE, None, "")
    train, *_ = Preview.from_dict(now().content).parts
    assert (train.table.tsv, train.pairs, len(train.rows)) == ("labeled_final/train.tsv", 3, 3)


def test_to_look_freezes_nothing(draft):
    releases.preview_next()
    assert draft.examples.count() == 0
    assert Release.objects.get().state == Release.State.DRAFT


def test_without_a_draft_there_is_nothing_to_look_at(project):
    assert not releases.preview_next()


def test_a_draft_is_looked_at_once(draft):
    assert releases.preview_next()
    assert not releases.preview_next()


def test_what_was_asked_for_first_comes_first(project, draft):
    later = releases.draft(project, version="2.0", **SIZES)
    releases.look(draft)
    assert [previewing.claim().release, previewing.claim().release] == [later, draft]


def test_settings_that_the_pairs_cannot_fulfil_are_told(project):
    releases.draft(project, version="1.0", dev=4000)
    assert releases.preview_next()
    assert (now().state, now().content) == (State.IMPOSSIBLE, None)
    assert "4000" in now().failure


def test_other_settings_are_looked_at_anew(draft):
    releases.preview_next()
    releases.change(draft, version="1.0", **(SIZES | {"dev": 1}))
    assert (now().state, now().content) == (State.WAITING, None)
    assert releases.preview_next()
    assert Preview.from_dict(now().content).parts[1].wanted.pairs == 1


def test_a_change_while_a_worker_looks_makes_it_look_in_vain(draft):
    late = previewing.claim()
    releases.change(draft, version="1.0", **(SIZES | {"dev": 1}))
    assert not previewing.make(late)
    assert now().state == State.WAITING
    assert previewing.claim().attempts > late.attempts


def test_a_preview_fits_the_settings_that_it_was_made_with(draft):
    releases.preview_next()
    assert releases.fits(now())


def test_a_preview_does_not_fit_what_its_project_decides_by_now(draft):
    releases.preview_next()
    Project.objects.update(consensus_min_votes=5)
    assert not releases.fits(now())


def test_a_preview_does_not_fit_other_software(draft, settings):
    releases.preview_next()
    settings.VERSION = "another"
    assert not releases.fits(now())


@pytest.mark.parametrize("state", [Release.State.QUEUED, Release.State.FROZEN])
def test_nobody_looks_at_what_is_no_draft(draft, state):
    Release.objects.update(state=state, frozen_at=timezone.now())
    assert not releases.preview_next()
    with pytest.raises(releases.Unchangeable):
        releases.look(draft)


def test_what_is_taken_back_keeps_its_preview(draft):
    releases.preview_next()
    releases.queue(draft)
    releases.take_back(draft)
    assert now().state == State.MADE


def test_frozen_rows_take_the_place_of_a_preview(draft):
    releases.preview_next()
    releases.freeze_draft(draft)
    assert not ReleasePreview.objects.exists()


def test_what_had_been_frozen_is_looked_at_when_it_is_a_draft_again(draft):
    releases.freeze_draft(draft)
    Release.objects.update(state=Release.State.FAILED)
    releases.take_back(draft)
    assert now().state == State.WAITING


def test_a_draft_is_thrown_away_with_its_preview(draft):
    claimed = previewing.claim()
    releases.discard(draft)
    assert not ReleasePreview.objects.exists()
    assert not previewing.WORK.renew(claimed, Progress())


def test_what_one_worker_looks_at_is_not_given_to_another(draft):
    assert previewing.claim()
    assert previewing.claim() is None


def test_a_worker_that_died_is_followed_by_another(draft):
    previewing.claim()
    give_up()
    assert releases.preview_next()
    assert (now().state, now().attempts) == (State.MADE, 2)


def test_whoever_lost_it_stores_nothing(draft):
    late = previewing.claim()
    give_up()
    releases.preview_next()
    assert not previewing.make(late)
    assert (now().state, now().attempts) == (State.MADE, 2)


def test_what_kills_three_workers_fails(draft):
    for _ in range(3):
        assert previewing.claim()
        give_up()
    assert previewing.claim() is None
    assert (now().state, now().failure) == (State.FAILED, previewing.LOST)


def test_three_failed_attempts_fail_it_with_the_reason(draft, broken):
    assert [releases.preview_next() for _ in range(4)] == [False] * 4
    assert (now().state, now().failure) == (State.FAILED, "MemoryError: no memory left")


def test_what_failed_is_tried_again_if_somebody_asks(draft):
    ReleasePreview.objects.update(state=State.FAILED, attempts=3, failure="MemoryError")
    assert not releases.preview_next()
    releases.look(draft)
    assert (now().state, now().failure) == (State.WAITING, "")
    assert releases.preview_next()
    assert now().attempts == 4


def test_a_lease_is_renewed_with_what_is_done(draft):
    claimed = previewing.claim()
    give_up()
    assert previewing.WORK.renew(claimed, Progress("reading", 5))
    assert (now().step, now().done) == ("reading", 5)
    assert now().lease_until > timezone.now()


def test_nothing_has_happened_since_it_was_looked_at(draft):
    releases.preview_next()
    assert since(now()) == Since(decided=0, reopened=0, candidates=0, held_out=0)


def test_pairs_that_come_in_and_are_decided_later_are_counted(project, draft):
    releases.preview_next()
    cast.pairs(project, 2)
    assert since(now()) == Since(decided=0, reopened=0, candidates=2, held_out=0)
    judge_all(project)
    assert since(now()) == Since(decided=2, reopened=0, candidates=2, held_out=0)


def test_what_happens_in_another_study_does_not_count(draft):
    releases.preview_next()
    other = cast.study()
    cast.pairs(other, 2)
    judge_all(other)
    assert since(now()) == Since(decided=0, reopened=0, candidates=0, held_out=0)


def test_a_pair_that_is_asked_anew_is_no_longer_decided(project):
    cast.pairs(project, 1)
    for label in (0, 0, 0, 1, 1):
        cast.judge_all(cast.person(project), label)
    releases.draft(project, version="1.0", **SIZES)
    releases.preview_next()
    pair = project.pairs.get(consensus__kept=False)
    for _ in range(5):
        cast.person(project)
    manager = cast.person(project, role="manager").user
    assert rounds.reopen(project, [pair.public_id], by=manager) == 1
    assert since(now()).reopened == 1


def test_answers_that_are_held_out_are_told(project, draft):
    releases.preview_next()
    annotator = project.memberships.earliest("pk")
    interventions.hold_out(annotator, by=cast.person(project, role="manager").user, reason="Why")
    assert since(now()).held_out == 1
