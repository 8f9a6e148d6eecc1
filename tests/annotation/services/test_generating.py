"""Starting runs for a project."""

import pytest

from annotation.services import generating, intake, projects
from generation.errors import MissingModel, NoSentences
from generation.models import Corpus, GenerationRun, Method
from generation.services import runs, worker
from tests.annotation import cast
from tests.generation import fake
from tests.generation.conftest import backwards, of_pairs

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]

__all__ = ["backwards", "of_pairs"]


def test_the_project_adopts_a_run_over_each_corpus() -> None:
    project = cast.study()
    corpora = [fake.corpus(3, "One"), fake.corpus(4, "Two")]

    started = generating.start(project, corpora, method="word_swap", seed=5, preview=True)

    assert [run.corpus for run in started] == corpora
    assert set(project.runs.all()) == set(started)
    assert {(run.seed, run.preview) for run in started} == {(5, True)}


def test_when_one_corpus_cannot_be_rewritten_none_is() -> None:
    project = cast.study()
    corpora = [fake.corpus(3, "One"), Corpus.objects.create(name="Empty")]

    with pytest.raises(NoSentences):
        generating.start(project, corpora, method="word_swap")

    assert not GenerationRun.objects.exists()


def test_a_missing_model_is_told_before_anything_is_stored() -> None:
    with pytest.raises(MissingModel):
        generating.start(
            cast.study(), [fake.corpus(3)], method="word_swap", settings={"model": "absent"}
        )

    assert not GenerationRun.objects.exists()


def test_pairs_are_those_of_the_word_swaps_that_the_project_has_adopted(of_pairs: None) -> None:
    project = cast.study(corrected_methods=[Method.BACK_TRANSLATION])
    corpus = fake.corpus(5)
    [swapped] = generating.start(project, [corpus], method="word_swap")
    fake.run(corpus)
    worker.work_until_idle()
    intake.take_in(project)

    [run] = generating.start(project, [corpus], method="back_translation")

    assert list(run.pairs_of.all()) == [swapped]


def test_without_adopted_word_swaps_there_are_no_pairs(of_pairs: None) -> None:
    corpus = fake.corpus(5)
    other = cast.study()
    projects.adopt(other, fake.run(corpus))

    with pytest.raises(NoSentences, match="no pairs"):
        generating.start(cast.study(), [corpus], method=Method.BACK_TRANSLATION)


def test_a_preview_of_a_whole_small_corpus_is_taken_in_once_it_is_approved() -> None:
    project = cast.study()
    [run] = generating.start(project, [fake.corpus(12)], method="word_swap", preview=True)
    worker.work_until_idle()
    run.refresh_from_db()
    assert run.state == GenerationRun.State.DONE
    assert intake.take_in(project) == 0

    assert runs.approve(run)

    assert intake.take_in(project) == 10
