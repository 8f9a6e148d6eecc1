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


def now():
    return ReleasePreview.objects.get()


def end_lease():
    """The worker that looks at the draft has died."""
    ReleasePreview.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def judge_all(project, labels=(1, 1, 1, 1, 1)):
    for label in labels:
        cast.judge_all(cast.person(project), label)


def test_a_worker_finds_out_once_what_a_draft_would_hold(draft):
    assert (now().state, now().attempts, now().content) == (State.WAITING, 0, None)
    assert releases.preview_next()
    assert (now().state, now().lease_until, now().failure) == (State.MADE, None, "")
    train, *_ = Preview.from_dict(now().content).parts
    assert (train.table.tsv, train.pairs, len(train.rows)) == ("labeled_final/train.tsv", 3, 3)
    assert (Release.objects.get().state, draft.examples.count()) == (Release.State.DRAFT, 0)
    assert not releases.preview_next()


def test_previews_go_to_one_worker_each_in_the_order_of_asking(project, draft):
    later = releases.draft(project, version="2.0", **SIZES)
    releases.look(draft)
    assert [previewing.claim().release, previewing.claim().release] == [later, draft]
    assert previewing.claim() is None


def test_settings_that_the_pairs_cannot_fulfil_are_reported(project, db):
    releases.draft(project, version="1.0", dev=4000)
    assert releases.preview_next()
    assert (now().state, now().content, "4000" in now().failure) == (State.IMPOSSIBLE, None, True)


def test_changed_settings_are_looked_at_again_even_if_a_worker_is_at_it(draft):
    releases.preview_next()
    releases.look(draft)
    late = previewing.claim()
    releases.change(draft, version="1.0", **(SIZES | {"dev": 1}))
    assert not previewing.make(late)
    assert (now().state, now().content) == (State.WAITING, None)
    assert releases.preview_next()
    assert Preview.from_dict(now().content).parts[1].wanted.pairs == 1
    assert now().attempts > late.attempts


def test_a_preview_fits_the_settings_and_the_software_that_it_was_made_with(draft, settings):
    releases.preview_next()
    assert releases.fits(now())
    version, settings.VERSION = settings.VERSION, "another"
    assert not releases.fits(now())
    settings.VERSION = version
    Project.objects.update(consensus_min_votes=5)
    assert not releases.fits(now())


def test_only_a_draft_has_a_preview(draft):
    claimed = previewing.claim()
    for state in (Release.State.QUEUED, Release.State.FROZEN):
        Release.objects.update(state=state, frozen_at=timezone.now())
        assert not releases.preview_next(), state
        with pytest.raises(releases.Unchangeable):
            releases.look(draft)
    Release.objects.update(state=Release.State.QUEUED, frozen_at=None)
    releases.take_back(draft)
    assert now() == claimed
    releases.freeze_draft(Release.objects.get())
    assert not ReleasePreview.objects.exists()
    assert not previewing.WORK.renew(claimed, Progress())
    releases.discard(releases.draft(draft.project, version="2.0"))
    assert not ReleasePreview.objects.exists()


def test_a_worker_that_died_is_followed_by_another_until_three_have_died(draft):
    late = previewing.claim()
    assert late.state == State.UNDER_WAY
    end_lease()
    assert releases.preview_next()
    assert not previewing.make(late)
    assert (now().state, now().attempts) == (State.MADE, 2)
    releases.look(draft)
    for _ in range(3):
        assert previewing.claim()
        end_lease()
    assert previewing.claim() is None
    assert (now().state, now().failure) == (State.FAILED, previewing.LOST)


def test_a_failed_attempt_is_tried_again(draft, monkeypatch):
    def plan(*_rows, **_settings):
        raise MemoryError("no memory left")

    with monkeypatch.context() as patch:
        patch.setattr(previewing, "plan", plan)
        assert not releases.preview_next()
        waiting = (State.WAITING, 1, "MemoryError: no memory left")
        assert (now().state, now().attempts, now().failure) == waiting
        assert [releases.preview_next() for _ in range(2)] == [False] * 2
    assert (now().state, now().attempts) == (State.FAILED, 3)
    assert not releases.preview_next()
    releases.look(draft)
    assert (now().state, now().failure) == (State.WAITING, "")
    assert releases.preview_next()


def test_what_happened_in_the_same_study_since_the_preview_is_counted(project, db):
    cast.pairs(project, 1)
    judge_all(project, (0, 0, 0, 1, 1))
    releases.draft(project, version="1.0", **SIZES)
    releases.preview_next()
    other = cast.study()
    cast.pairs(other, 2)
    judge_all(other)
    assert since(now()) == Since(decided=0, reopened=0, candidates=0, held_out=0)
    cast.pairs(project, 2)
    assert since(now()) == Since(decided=0, reopened=0, candidates=2, held_out=0)
    judge_all(project)
    assert since(now()) == Since(decided=2, reopened=0, candidates=2, held_out=0)
    manager = cast.person(project, role="manager").user
    disputed = project.pairs.get(consensus__kept=False)
    assert rounds.reopen(project, [disputed.public_id], by=manager) == 1
    assert since(now()) == Since(decided=2, reopened=1, candidates=2, held_out=0)
    annotator = project.memberships.earliest("pk")
    interventions.hold_out(annotator, by=manager, reason="Why")
    assert since(now()).held_out == 1
