"""Starting, steering and ending runs, and what is shown of them."""

import itertools
import logging
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from generation import methods, selectors
from generation.errors import (
    BadSettings,
    MissingModel,
    NoSentences,
    NotNow,
    UnknownMethod,
    WrongLanguage,
)
from generation.methods import back_translation, word_swap
from generation.models import Corpus, GenerationRun
from generation.nlp.text import pair_key
from generation.readers import Row
from generation.services import batches, runs, worker
from generation.services.runs import Action
from generation.services.sentences import import_sentences
from support import fake
from support.workers import work_until_idle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]
State = GenerationRun.State
FROM_GERMAN = {
    "forward": "Helsinki-NLP/opus-mt-de-en",
    "backward": "Helsinki-NLP/opus-mt-en-de",
}


def sizes(run):
    return list(run.batches.order_by("number").values_list("size", flat=True))


def test_a_run_over_sources_keeps_all_that_repeats_it_whatever_comes_later(monkeypatch):
    monkeypatch.setattr(runs, "BATCHES_PER_INSERT", 1)
    corpus = fake.corpus(12)
    first = fake.run(corpus, fails_on="x")
    first.refresh_from_db()
    assert first.settings == fake.DEFAULTS | {"fails_on": "x"}
    assert (first.model_identities, first.seed, sizes(first)) == (fake.IDENTITIES, 7, [5, 5, 2])
    work_until_idle(first)
    fake.correct((first.candidate_set.select_related("sentence").first(), "A corrected sentence."))
    run = runs.start(corpus, method="word_swap", batch_size=12, seed=7)
    import_sentences([Row(1, "A late sentence.")], corpus=corpus)
    work_until_idle(run)
    assert sizes(run) == [12]
    texts = [list(each.candidate_set.order_by("pk").values_list("text")) for each in (first, run)]
    assert texts[0] == texts[1]


def test_both_sentences_of_each_pair_can_be_rewritten(takes_pairs):
    swapped = fake.run(fake.corpus(5))
    work_until_idle(swapped)
    first, second, *_ = swapped.candidate_set.order_by("sentence").select_related("sentence")
    fake.correct((first, "A corrected sentence."), (second, second.text))
    run = runs.start(swapped.corpus, method="back_translation", pairs_of=[swapped])
    fake.correct((first, "A correction that came too late."))
    [batch] = run.batches.all()
    texts = (first.sentence.text, second.sentence.text, "A corrected sentence.", second.text)
    assert [each.text for each in selectors.sentences_of_batch(batch)] == [*texts]


def test_a_method_that_samples_gets_the_pairs_of_earlier_runs(takes_pairs, monkeypatch):
    keys_of_calls = []

    def outcomes_after(self, texts, earlier):
        keys_of_calls.append(earlier)
        return self.outcomes(texts)

    monkeypatch.setattr(fake.Backwards, "outcomes_after", outcomes_after, raising=False)
    swapped = fake.run(fake.corpus(5))
    work_until_idle(swapped)
    candidate = swapped.candidate_set.select_related("sentence").first()
    fake.correct((candidate, "A corrected sentence."))
    run = runs.start(swapped.corpus, method="back_translation", pairs_of=[swapped])
    work_until_idle(run)
    source = candidate.sentence.text
    pairs = {pair_key(source, text) for text in (candidate.text, "A corrected sentence.")}
    assert keys_of_calls == [set()] * swapped.batches.count() + [pairs]


def test_a_run_that_cannot_work_does_not_start(takes_pairs):
    corpus, empty = fake.corpus(5), Corpus.objects.create(name="Empty")
    without_pairs = fake.run(corpus)
    for of, method, options, error, said in [
        (corpus, "word_swap", {"settings": {"beam": 3}}, BadSettings, "beam"),
        (corpus, "word_swap", {"settings": {"model": "absent"}}, MissingModel, "missing"),
        (corpus, "telepathy", {}, UnknownMethod, "telepathy"),
        (empty, "word_swap", {}, NoSentences, "Empty"),
        (corpus, "back_translation", {"pairs_of": [without_pairs]}, NoSentences, "no corrected"),
    ]:
        with pytest.raises(error, match=said):
            runs.start(of, method=method, **options)
    assert GenerationRun.objects.get() == without_pairs


@pytest.mark.parametrize(
    ("method", "settings", "language", "refusal"),
    [
        ("word_swap", {}, "de", "is in German, but word swap works on English only. Let a chat"),
        ("word_swap", {"tagger": "de_core_news_sm"}, "th", "Thai, but .* or import finished pairs"),
        ("word_swap", {}, "en-GB", ""),
        ("back_translation", {}, "zh", "Chinese, but back translation with these models works on"),
        ("back_translation", {}, "ar", "only. Choose a translator from the language of the corpus"),
        ("back_translation", FROM_GERMAN, "DE-AT", ""),
        ("back_translation", {"forward": "our/translator"}, "de", ""),
    ],
)
def test_a_corpus_of_another_language_than_that_of_the_method_is_refused(
    monkeypatch, method, settings, language, refusal
):
    chosen = {"word_swap": word_swap.METHOD, "back_translation": back_translation.METHOD}[method]
    never = {"identify": lambda _: {}, "takes_pairs": False}
    monkeypatch.setitem(methods.METHODS, method, replace(chosen, **never))
    corpus = fake.corpus(5)
    corpus.language = language
    with pytest.raises(WrongLanguage, match=refusal) if refusal else nullcontext():
        assert runs.start(corpus, method=method, settings=settings).method == method


def test_a_method_that_takes_pairs_rewrites_the_sources_without_any(takes_pairs):
    corpus = fake.corpus(5)
    run = runs.start(corpus, method="back_translation")
    work_until_idle(run)
    assert {each.sentence.text for each in run.candidate_set.all()} == {*fake.texts(corpus)[1:]}


def test_where_word_swap_cannot_work_there_are_no_pairs_to_rewrite(monkeypatch):
    german = replace(fake.METHOD, languages=("en",), for_others="Import finished pairs.")
    monkeypatch.setitem(methods.METHODS, "word_swap", german)
    corpus = fake.corpus(5)
    assert "Start a word-swap run" in str(runs.no_pairs_error(corpus))
    corpus.language = "de"
    error = runs.no_pairs_error(corpus)
    assert isinstance(error, WrongLanguage)
    assert str(error).endswith("Import finished pairs.")


def test_a_paused_run_is_not_worked_until_it_is_resumed_and_ends_with_its_last_batch():
    corpus = fake.corpus(12)
    undisturbed, paused = fake.run(corpus), fake.run(corpus)
    work_until_idle(undisturbed)
    worker.step(paused)
    runs.steer(paused, Action.PAUSE)
    assert not worker.step(paused)
    runs.steer(paused, Action.RESUME)
    worker.step(paused)
    batch = batches.claim(paused)
    runs.steer(paused, Action.PAUSE)
    batches.work(batch)
    paused.refresh_from_db()
    assert (paused.state, paused.finished_at is None) == (State.DONE, False)
    assert fake.rows(paused) == fake.rows(undisturbed)
    assert runs.possible_actions(paused) == []
    left = fake.run(corpus)  # whose last worker died before it closed it
    left.batches.update(state="done", finished_at=left.created_at)
    assert batches.claim() is None
    left.refresh_from_db()
    assert left.state == State.DONE


def test_parked_batches_can_be_tried_again_unless_the_run_is_cancelled():
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    work_until_idle(run)
    GenerationRun.objects.update(settings=fake.DEFAULTS)
    runs.steer(run, Action.RETRY)
    assert (run.state, run.finished_at) == (State.RUNNING, None)
    assert list(run.batches.filter(number=2).values_list("attempts", "error")) == [(0, "")]
    assert work_until_idle(run) == 1
    cancelled = fake.run(run.corpus)
    worker.step(cancelled)
    cancelled.batches.filter(number=2).update(state="parked")
    runs.steer(cancelled, Action.CANCEL)
    assert (runs.possible_actions(cancelled), worker.step(cancelled)) == ([], False)
    assert (cancelled.finished_at is None, cancelled.candidate_set.count()) == (False, 4)


def test_what_is_offered_is_what_can_be_done_and_logged_and_a_refusal_says_why(caplog):
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    for state, preview, first in itertools.product(State, [False, True], ["open", "parked"]):
        run.batches.filter(number=1).update(state=first)
        GenerationRun.objects.update(state=state, preview=preview)
        done = []
        for action in Action:
            run.refresh_from_db()
            with transaction.atomic(), suppress(NotNow):
                runs.steer(run, action)
                done.append(action)
                transaction.set_rollback(True)
        run.refresh_from_db()
        assert runs.possible_actions(run) == done, (state, preview, first)
    run, ada = fake.run(run.corpus), User.objects.create_user("ada")
    for action, why in [
        (Action.RESUME, "The run is running: it cannot be resumed"),
        (Action.APPROVE, "not a preview"),
        (Action.RETRY, "no parked batches"),
    ]:
        with pytest.raises(NotNow, match=why):
            runs.steer(run, action)
    with caplog.at_level(logging.INFO):
        runs.steer(run, Action.PAUSE, by=ada)
    assert caplog.messages[-1] == f"Run {run.public_id} was paused by user {ada.public_id}"


def test_progress_counts_the_sentences_of_finished_batches_and_outcomes_come_by_their_number():
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    begun = selectors.progress(run)
    assert (begun.total, begun.done, begun.open, begun.open_batches) == (12, 0, 12, 3)
    assert (begun.rate, begun.seconds_left) == (None, None)
    work_until_idle(run)
    run.refresh_from_db()
    run.created_at = run.finished_at - timedelta(seconds=6)
    ended = selectors.progress(run)
    assert (ended.done, ended.open, ended.open_batches, ended.parked_batches) == (7, 0, 0, 1)
    assert (ended.share, ended.rate) == (7 / 12, pytest.approx(7 / 6))  # of the whole run
    assert list(selectors.funnel(run).items()) == [("accepted", 5), ("too_short", 2)]
    found = [candidate.sentence.text for candidate in selectors.candidates(run)]
    assert found == [f"sentence number {number}" for number in (1, 2, 3, 4, 11)]
    run, now = fake.run(fake.corpus(15, "Other")), timezone.now()
    assert [worker.step(run), worker.step(run)] == [True, True]
    GenerationRun.objects.update(created_at=now - timedelta(hours=1))
    run.batches.filter(number=1).update(finished_at=now - timedelta(minutes=30))
    run.refresh_from_db()
    progress = selectors.progress(run)  # the time left follows from the last five minutes
    assert (progress.rate, progress.seconds_left) == (pytest.approx(5 / 300), pytest.approx(300))
    runs.steer(run, Action.PAUSE)
    assert (selectors.progress(run).rate, selectors.progress(run).seconds_left) == (None, None)


def test_a_run_whose_batches_all_failed_is_paused_until_somebody_retries_it():
    run = fake.run(fake.corpus(4), fails_on="sentence number 1")
    work_until_idle(run)
    run.refresh_from_db()
    assert (run.state, run.finished_at) == (State.PAUSED, None)
    GenerationRun.objects.update(settings=fake.DEFAULTS)
    for action in (Action.RETRY, Action.RESUME):
        runs.steer(run, action)
    work_until_idle(run)
    run.refresh_from_db()
    assert run.state == State.DONE
