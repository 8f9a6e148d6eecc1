"""Starting, stopping and ending runs."""

import pytest

from generation import selectors
from generation.errors import BadSettings, MissingModel, NoSentences, UnknownMethod
from generation.models import Batch, Corpus, GenerationRun
from generation.readers import Row
from generation.services import batches, runs, worker
from generation.services.sentences import import_sentences
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]

State = GenerationRun.State


def test_a_run_is_cut_into_batches_of_the_corpus() -> None:
    run = fake.run(fake.corpus(12))

    assert list(run.batches.values_list("number", "size")) == [(1, 5), (2, 5), (3, 2)]


def test_the_size_of_batches_can_be_chosen() -> None:
    run = runs.start(fake.corpus(12), method="word_swap", batch_size=12)

    assert run.batches.get().size == 12


def test_a_run_keeps_all_that_is_needed_to_repeat_it() -> None:
    run = fake.run(fake.corpus(1), fails_on="x")

    run.refresh_from_db()
    assert run.settings == fake.DEFAULTS | {"fails_on": "x"}
    assert run.model_identities == fake.IDENTITIES
    assert run.seed == 7


def test_only_sources_are_rewritten() -> None:
    corpus = fake.corpus(5)
    worker.work_until_idle(fake.run(corpus))
    candidate = corpus.generationrun_set.get().candidate_set.select_related("sentence").first()
    assert candidate is not None
    fake.correct((candidate, "A corrected sentence."))

    assert sum(fake.run(corpus).batches.values_list("size", flat=True)) == 5


def test_both_sentences_of_each_pair_can_be_rewritten(of_pairs: None) -> None:
    corpus = fake.corpus(5)
    swapped = fake.run(corpus)
    worker.work_until_idle(swapped)
    first, second, *_ = swapped.candidate_set.order_by("sentence").select_related("sentence")
    fake.correct((first, "A corrected sentence."), (second, second.text))

    run = runs.start(corpus, method="back_translation", pairs_of=[swapped])
    fake.correct((first, "A correction that came too late."))

    rewritten = [s.text for b in run.batches.all() for s in selectors.sentences_of_batch(b)]
    sources = [first.sentence.text, second.sentence.text]
    assert rewritten == [*sources, "A corrected sentence.", second.text]
    assert sum(run.batches.values_list("size", flat=True)) == 4


def test_without_pairs_there_are_none_to_rewrite(of_pairs: None) -> None:
    corpus = fake.corpus(5)

    with pytest.raises(NoSentences, match="pairs"):
        runs.start(corpus, method="back_translation")
    with pytest.raises(NoSentences):
        runs.start(corpus, method="back_translation", pairs_of=[fake.run(corpus)])

    assert GenerationRun.objects.count() == 1


def test_a_preview_stops_after_some_sentences_until_it_is_approved() -> None:
    run = runs.start(fake.corpus(100), method="word_swap", preview=True, batch_size=30)

    assert list(run.batches.values_list("size", flat=True)) == [runs.PREVIEW_SENTENCES, 30, 30, 20]
    assert worker.work_until_idle(run) == 1
    assert run.pk not in {found.pk for found in selectors.with_free_batches()}
    assert runs.approve(run)
    assert worker.work_until_idle(run) == 3
    run.refresh_from_db()
    assert run.state == State.DONE


def test_a_preview_that_was_cancelled_cannot_be_approved() -> None:
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    runs.cancel(run)

    assert not runs.approve(run)
    assert run.preview


def test_sentences_that_come_later_are_not_part_of_a_run() -> None:
    corpus = fake.corpus(7)
    run = fake.run(corpus)
    import_sentences([Row(1, "A late sentence.")], corpus=corpus)

    worker.work_until_idle(run)

    assert not run.candidate_set.filter(sentence__text="A late sentence.").exists()


@pytest.mark.parametrize(
    ("settings", "error"), [({"beam": 3}, BadSettings), ({"model": "absent"}, MissingModel)]
)
def test_a_run_that_cannot_work_does_not_start(
    settings: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        runs.start(fake.corpus(1), method="word_swap", settings=settings)

    assert not GenerationRun.objects.exists()


def test_an_unknown_method_does_not_start() -> None:
    with pytest.raises(UnknownMethod, match="telepathy"):
        runs.start(fake.corpus(1), method="telepathy")


def test_an_empty_corpus_does_not_start() -> None:
    with pytest.raises(NoSentences):
        fake.run(Corpus.objects.create(name="Empty"))

    assert not GenerationRun.objects.exists()


def test_a_paused_run_is_not_worked_and_goes_on_with_the_same_rows() -> None:
    corpus = fake.corpus(20)
    undisturbed, paused = fake.run(corpus), fake.run(corpus)
    worker.work_until_idle(undisturbed)
    worker.step(paused)

    assert runs.pause(paused)
    assert not worker.step(paused)
    assert runs.resume(paused)
    worker.work_until_idle(paused)

    assert fake.rows(paused) == fake.rows(undisturbed)


def test_a_run_ends_when_no_batch_is_open() -> None:
    run = fake.run(fake.corpus(12))

    worker.work_until_idle(run)

    run.refresh_from_db()
    assert run.state == State.DONE
    assert run.finished_at is not None


def test_a_run_paused_during_its_last_batch_is_done() -> None:
    run = fake.run(fake.corpus(3))
    batch = batches.claim(run)
    assert batch is not None
    runs.pause(run)

    batches.work(batch)

    run.refresh_from_db()
    assert run.state == State.DONE


def test_a_run_whose_last_worker_died_before_closing_it_is_closed_by_the_next() -> None:
    run = fake.run(fake.corpus(3))
    batch = batches.claim(run)
    assert batch is not None
    batches.finish(batch, batches.rewrite(batch, list(run.corpus.sentence_set.all())))

    assert batches.claim() is None
    run.refresh_from_db()
    assert run.state == State.DONE


def test_a_cancelled_run_keeps_what_is_done_and_never_goes_on() -> None:
    run = fake.run(fake.corpus(12))
    worker.step(run)

    assert runs.cancel(run)
    assert not runs.resume(run)
    assert not worker.step(run)
    assert runs.retry_parked(run) == 0
    assert run.candidate_set.count() == 4


@pytest.mark.parametrize("act", [runs.pause, runs.resume, runs.cancel])
def test_a_run_that_is_done_stays_done(act: object) -> None:
    run = fake.run(fake.corpus(1))
    worker.work_until_idle(run)

    assert not act(run)  # type: ignore[operator]
    assert run.state == State.DONE


def test_parked_batches_can_be_tried_again() -> None:
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)
    run.settings = fake.DEFAULTS
    run.save()

    assert runs.retry_parked(run) == 1
    assert run.state == State.RUNNING
    worker.work_until_idle(run)

    assert set(run.batches.values_list("state", flat=True)) == {Batch.State.DONE}
    assert run.candidate_set.count() == 10
