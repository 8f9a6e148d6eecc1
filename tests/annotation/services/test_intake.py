"""Candidates enter a project once."""

import pytest

from annotation.models import Correction, Intake, SentencePair
from annotation.services import intake, projects
from generation.models import GenerationRun
from generation.services import runs
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def test_word_swaps_wait_for_correction_and_back_translations_for_judgment():
    project = cast.study()
    cast.candidates(project, [("A b c.", "B a c.")])
    cast.pairs(project, 1)
    assert Correction.objects.count() == 1
    assert SentencePair.objects.get().correction is None


def test_taking_in_again_adds_nothing():
    project = cast.study()
    cast.pairs(project, 3)
    assert intake.take_in_all() == 0
    assert (SentencePair.objects.count(), Intake.objects.count()) == (3, 1)


def test_two_projects_may_adopt_one_run():
    project, other = cast.study(), cast.study()
    run = cast.pairs(project, 2)[0].run
    projects.adopt(other, run)
    assert intake.take_in_all() == 2
    assert other.pairs.count() == 2


def test_nothing_of_a_preview_enters_before_it_is_approved():
    run = cast.pairs(cast.study(), 2)[0].run
    GenerationRun.objects.update(preview=True)
    projects.adopt(cast.study(), run)
    assert intake.take_in_all() == 0
    runs.approve(run)
    assert intake.take_in_all() == 2


def test_both_sides_stand_first_about_equally_often():
    project = cast.study(seed=7)
    cast.pairs(project, 200)
    assert 70 < project.pairs.filter(flipped=True).count() < 130
