"""Each change that others are told of writes its event, in the same transaction."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import events
from accounts.models import Event
from annotation.quality.services import review
from generation.models import GenerationRun
from generation.services import runs
from generation.services.runs import Action
from operations import phases
from operations.models import OpenPhase
from releases.services import builds, publication
from releases.services.frozen import propose_release
from support import fake
from support.workers import work_until_idle
from tests.annotation import judged, make
from tests.annotation.imports.test_imports import imported
from tests.generation.conftest import backwards as backwards

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def told():
    return list(Event.objects.values_list("kind", "row", "phase"))


def look(project, *, seconds=0):
    """Look for finished phases, as if some seconds more had passed since they were empty."""
    project.runs.update(state="done")
    for phase in OpenPhase.objects.exclude(empty_since=None):
        OpenPhase.objects.update(empty_since=phase.empty_since - timedelta(seconds=seconds))
    phases.watch()
    return told()


def test_a_run_is_done_once(backwards):
    run = runs.start(fake.corpus(3), method="word_swap")
    work_until_idle(run)
    runs.close_finished()
    assert told() == [("run.done", run.pk, "")]


def test_a_preview_needs_approval_once(backwards):
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    work_until_idle(run)
    runs.close_finished()
    assert told() == [("approval.needed", run.pk, "")]


def test_a_preview_of_the_whole_corpus_is_done_when_it_is_approved(backwards):
    run = runs.start(fake.corpus(3), method="word_swap", preview=True)
    work_until_idle(run)
    assert GenerationRun.objects.get().state == "done"
    runs.steer(run, Action.APPROVE)
    assert told() == [("approval.needed", run.pk, ""), ("run.done", run.pk, "")]


def test_somebody_is_flagged():
    member = make.person(make.study())
    review.flag(member, "same_browser")
    review.flag(member, "same_browser")
    assert told() == [("person.flagged", member.pk, "")]


def test_an_import_is_done():
    row = imported(make.study(), "sentences", ["text", "Ada met Bo."]).row
    assert told() == [("import.done", row.pk, "")]


def test_a_release_is_frozen(tmp_path, settings):
    settings.RELEASES_DIR = tmp_path
    project = make.study()
    judged.pairs(project, [[1, 1, 1, 1, 1]] * 3, by=judged.people(project, 5))
    release = propose_release(project, version="1.0", dev=0, test=0)
    builds.build(release)
    publication.publish(release)
    assert told() == [("release.frozen", release.pk, "")]


def test_an_event_of_a_change_that_fails_is_not_told():
    project = make.study()
    with transaction.atomic():
        events.record(Event.Kind.WORK_FINISHED, project)
        transaction.set_rollback(True)
    assert told() == []


def test_work_is_finished_when_a_phase_stays_without_any():
    project = make.study(judgments_per_pair=1, consensus_min_votes=1)
    make.pairs(project, 1)
    member = make.person(project)
    assert look(project) == []
    make.judge_all(member, 1)
    assert look(project) == look(project, seconds=59) == []
    assert look(project, seconds=2) == [("work.finished", project.pk, "judge")]
    assert len(look(project, seconds=60)) == 1


def test_an_answer_that_is_undone_in_time_finishes_nothing():
    project = make.study()
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    member = make.person(project, kinds=["correct"])
    look(project)
    make.correct_next(member, "reject")
    look(project)
    assert make.undo(member, "correct")
    assert look(project, seconds=120) == look(project, seconds=120) == []


def test_judging_is_not_finished_before_correcting():
    project = make.study(judgments_per_pair=1, consensus_min_votes=1)
    make.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("It rains.", "Rains it.")])
    corrector, judge = make.person(project, kinds=["correct"]), make.person(project)
    make.correct_next(corrector)
    look(project)
    make.judge_all(judge, 1)
    assert look(project) == look(project, seconds=120) == []
    make.correct_next(corrector, "reject")
    look(project)
    assert sorted(look(project, seconds=120)) == [
        ("work.finished", project.pk, "correct"),
        ("work.finished", project.pk, "judge"),
    ]


def test_a_look_has_as_many_statements_for_ten_projects_as_for_one(django_assert_num_queries):
    def study():
        make.pairs(make.study(), 2)

    study()
    phases.watch()
    with django_assert_num_queries(2):
        phases.watch()
    for _ in range(9):
        study()
    phases.watch()
    with django_assert_num_queries(2):
        phases.watch()


def test_closed_projects_finish_nothing():
    project = make.study(judgments_per_pair=1, consensus_min_votes=1)
    make.pairs(project, 1)
    look(project)
    make.judge_all(make.person(project), 1)
    look(project)
    type(project).objects.update(is_open=False, archived_at=timezone.now())
    assert look(project, seconds=120) == []
