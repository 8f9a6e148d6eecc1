"""Runs that a project starts, and their candidates, which enter a project once."""

import pytest

from annotation.models import Correction, Intake, SentencePair
from annotation.services import generating, intake, projects
from generation.errors import MissingModel, NoSentences
from generation.models import Corpus, GenerationRun, Method
from generation.services import runs, worker
from tests.annotation import cast
from tests.generation import fake
from tests.generation.conftest import backwards, of_pairs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]

__all__ = ["backwards", "of_pairs"]


def test_the_project_adopts_a_run_over_each_corpus_or_none():
    project = cast.study()
    corpora = [fake.corpus(3, "One"), fake.corpus(4, "Two")]
    empty = Corpus.objects.create(name="Empty")
    with pytest.raises(NoSentences):
        generating.start(project, [*corpora, empty], method="word_swap")
    with pytest.raises(MissingModel):
        generating.start(project, corpora, method="word_swap", settings={"model": "absent"})
    assert not GenerationRun.objects.exists()

    started = generating.start(project, corpora, method="word_swap", seed=5, preview=True)
    assert [run.corpus for run in started] == corpora
    assert set(project.runs.all()) == set(started)
    assert {(run.seed, run.preview) for run in started} == {(5, True)}


def test_pairs_are_those_of_the_word_swaps_that_the_project_has_adopted(of_pairs):
    project = cast.study(corrected_methods=[Method.BACK_TRANSLATION])
    corpus = fake.corpus(5)
    [swapped] = generating.start(project, [corpus], method="word_swap")
    fake.run(corpus)
    worker.work_until_idle()
    intake.take_in(project)
    [run] = generating.start(project, [corpus], method="back_translation")
    assert list(run.pairs_of.all()) == [swapped]
    with pytest.raises(NoSentences, match="no pairs"):
        generating.start(cast.study(), [corpus], method=Method.BACK_TRANSLATION)


def test_a_preview_of_a_whole_small_corpus_is_taken_in_once_it_is_approved():
    project = cast.study()
    [run] = generating.start(project, [fake.corpus(12)], method="word_swap", preview=True)
    worker.work_until_idle()
    run.refresh_from_db()
    assert run.state == GenerationRun.State.DONE
    assert intake.take_in(project) == 0
    assert runs.approve(run)
    assert intake.take_in(project) == 10


def test_word_swaps_wait_for_correction_and_back_translations_for_judgment():
    project = cast.study()
    cast.candidates(project, [("A b c.", "B a c.")])
    cast.pairs(project, 1)
    assert Correction.objects.count() == 1
    assert SentencePair.objects.get().correction is None


def test_every_project_that_adopts_a_run_takes_it_in_once():
    project, other = cast.study(), cast.study()
    run = cast.pairs(project, 2)[0].run
    assert intake.take_in_all() == 0
    assert (SentencePair.objects.count(), Intake.objects.count()) == (2, 1)
    projects.adopt(other, run)
    assert intake.take_in_all() == 2
    assert other.pairs.count() == 2


def test_both_sides_come_first_about_equally_often():
    project = cast.study(seed=7)
    cast.pairs(project, 200)
    assert 70 < project.pairs.filter(flipped=True).count() < 130
