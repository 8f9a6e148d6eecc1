"""What waits: for a person what they would be given, and for workers what they should be at."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Correction, Judgment, Project, Release, ReleasePreview, Skip
from annotation.selectors import queue
from annotation.selectors.queue import WhyNone
from annotation.selectors.waiting import Kind, waiting
from annotation.services import corrections, judgments
from generation.models import Batch, GenerationRun
from generation.services import batches
from tests.annotation import cast
from tests.generation import fake

pytestmark = pytest.mark.django_db
ONE, TWO = ("One sees two.", "Two sees one."), ("A sees B.", "B sees A.")


def counted(*members):
    return [(queue.pairs_for(member), queue.corrections_for(member)) for member in members]


@pytest.mark.both_engines
def test_a_pair_waits_once_for_who_has_neither_judged_nor_corrected_it(
    project, monkeypatch, django_assert_num_queries
):
    alice, bob = cast.person(project), cast.person(project)
    cast.pairs(cast.study(), 2)  # of another project
    cast.candidates(project, [ONE])
    assert counted(alice, bob) == [(0, 1), (0, 1)]
    corrections.claim(alice)  # what she has in hand waits for her alone
    assert counted(alice, bob) == [(0, 1), (0, 0)]
    cast.correct_next(alice)
    assert counted(alice, bob) == [(0, 0), (1, 0)]
    cast.pairs(project, 2)
    assert counted(alice, bob) == [(2, 0), (3, 0)]
    cast.judge_all(alice, 1)
    assert counted(alice) == [(0, 0)]
    monkeypatch.setattr(queue, "LIMIT", 3)
    cast.pairs(project, 9)
    with django_assert_num_queries(6):  # however many pairs there are
        assert queue.pairs_for(bob) == 4  # counting stops beyond the limit
    Project.objects.update(is_open=False)
    bob.project.refresh_from_db()
    assert counted(bob) == [(0, 0)]


def test_a_pair_whose_lease_ended_waits_also_for_those_beyond_it_and_no_more_than_may_be_given():
    project = cast.study(most_judgments=3, most_corrections=1)
    cast.pairs(project, 1)
    for _ in range(5):
        judgments.claim(cast.person(project))
    cast.pairs(project, 1)
    alice = cast.person(project)
    cast.judge_next(alice)
    assert counted(alice) == [(0, 0)]
    held = Judgment.objects.filter(label=None)
    held.update(lease_until=timezone.now() - timedelta(minutes=1))
    assert counted(alice) == [(1, 0)]
    cast.pairs(project, 4)
    cast.candidates(project, [ONE, TWO])
    assert counted(alice) == [(2, 1)]
    for correction in Correction.objects.all():
        skipped = {"correction": correction, "annotator": alice.user, "reason": "other"}
        Skip.objects.create(project=project, **skipped)
    assert counted(alice) == [(2, 0)]
    alice.project.skipping = project.Skipping.LATER
    assert counted(alice) == [(2, 1)]


def test_who_is_given_nothing_learns_why(project):
    for of, change, why in [
        ("project", {"is_open": False}, WhyNone.CLOSED),
        ("member", {"paused_at": timezone.now()}, WhyNone.PAUSED),
        ("project", {"asks_qualification": True}, WhyNone.NOT_ADMITTED),
        ("project", {"most_judgments": 0, "most_corrections": 0}, WhyNone.LIMIT),
        ("member", {}, WhyNone.NOTHING),
    ]:
        alice = cast.person(Project.objects.get(pk=project.pk))
        for name, value in change.items():
            setattr(alice.project if of == "project" else alice, name, value)
        for correcting in (False, True):
            assert queue.why_none(alice, correcting=correcting) == why


def test_a_running_run_waits_since_it_was_started_or_since_something_came_of_it(backwards):
    run, now = fake.run(fake.corpus(10)), timezone.now()

    def waits():
        return [(each.kind, each.public_id, each.since, each.is_held) for each in waiting(now)]

    assert waits() == [(Kind.RUN, run.public_id, run.created_at, False)]
    batch = batches.claim()
    assert waits() == [(Kind.RUN, run.public_id, run.created_at, True)]
    batches.work(batch)
    done = Batch.objects.get(state="done").finished_at
    assert waits() == [(Kind.RUN, run.public_id, done, False)]
    for state, preview in (("running", True), ("paused", False)):
        GenerationRun.objects.update(state=state, preview=preview)
        assert waits() == []


def test_a_draft_waits_since_it_was_asked_for_and_a_release_from_when_it_is_queued(project):
    now = timezone.now()
    asked, soon = now - timedelta(minutes=3), now + timedelta(seconds=10)
    settings = {"project": project, "seed": 0, "settings": {}}
    draft = Release.objects.create(version="1", **settings)
    ReleasePreview.objects.create(release=draft, asked_at=asked)
    release = Release.objects.create(version="2", state="queued", **settings)
    found = [(each.kind, each.since, each.queue, each.is_held) for each in waiting(now)]
    assert found == [(Kind.DRAFT, asked, "cpu", False), (Kind.RELEASE, None, "cpu", False)]
    Release.objects.filter(pk=release.pk).update(state="building", lease_until=soon)
    found = [waiting(moment)[1] for moment in (now, soon + timedelta(seconds=1))]
    assert ([each.is_held for each in found], found[0].name) == ([True, False], str(release))
