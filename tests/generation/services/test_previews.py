"""A preview: the beginning of its run, until ten of its sentences have candidates."""

from datetime import timedelta
from itertools import product

import pytest

from generation import previews, selectors
from generation.methods.word_swap import METHOD
from generation.models import Batch, Candidate, GenerationRun, Sentence
from generation.nlp.rewrites import Outcome, Rewrite
from generation.readers import Row
from generation.services import batches, runs, worker
from generation.services.runs import Action
from generation.services.sentences import import_sentences
from support import fake
from support.workers import work_until_idle

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(backwards):
    """350 sentences, of which every fifth can be said backwards."""
    corpus = fake.corpus(0)
    texts = [f"sentence number {n}" if n % 5 == 0 else f"w{n}" for n in range(350)]
    import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=corpus)
    return corpus


def preview_of(corpus, **columns):
    run = runs.start(corpus, method="word_swap", preview=True, batch_size=30)
    GenerationRun.objects.filter(pk=run.pk).update(**columns)
    run.refresh_from_db()
    return run


@pytest.mark.both_engines
def test_a_preview_reads_on_until_ten_sentences_have_candidates(corpus):
    run = preview_of(corpus)
    sizes = run.batches.order_by("number").values_list("size", flat=True)
    assert [*sizes] == [20] * 15 + [30, 20]
    assert work_until_idle(run) == 3  # four of each twenty have candidates
    assert selectors.awaits_approval(run)
    assert not selectors.runs_with_free_batches().exists()
    rows = previews.sentences(run)
    assert [row.sentence.text for row in rows] == fake.texts(corpus)[:60]
    assert [len(row.candidates) for row in rows[:6]] == [1, 0, 0, 0, 0, 1]
    runs.steer(run, Action.APPROVE)
    assert work_until_idle(run) == 14


@pytest.mark.both_engines
def test_a_preview_without_candidates_ends_with_its_fifteenth_batch(corpus):
    Sentence.objects.filter(corpus=corpus).update(text="w")
    run = preview_of(corpus)
    assert work_until_idle(run) == 15
    assert selectors.awaits_approval(run)


def test_a_preview_of_before_ends_with_its_first_batch(corpus):
    run = preview_of(corpus, preview_batches=1)
    assert work_until_idle(run) == 1
    assert selectors.awaits_approval(run)


def test_a_preview_waits_for_approval_unless_all_its_batches_are_parked(corpus):
    for parked, awaits in ((15, False), (14, True)):
        run = preview_of(corpus)
        run.batches.filter(number__lte=parked).update(state=Batch.State.PARKED)
        work_until_idle(run)
        assert selectors.preview_is_over(run)
        assert selectors.awaits_approval(run) is awaits, parked


def test_the_candidates_are_the_same_wherever_the_preview_stops(corpus):
    usual = preview_of(corpus)
    work_until_idle(usual)
    runs.steer(usual, Action.APPROVE)
    work_until_idle(usual)
    for workers, approved_after in product((1, 4), (0, 1, 3, 9)):
        run = preview_of(corpus)
        for step in range(30):
            if step == approved_after:
                runs.steer(run, Action.APPROVE)
            # The last of those that hold batches at the same time is the first to finish.
            claims = [batch for _ in range(workers) if (batch := batches.claim(run))]
            for batch in reversed(claims):
                batches.work(batch)
        run.refresh_from_db()
        assert run.state == GenerationRun.State.DONE
        assert fake.rows(run) == fake.rows(usual), (workers, approved_after)


def test_the_time_of_the_others_leaves_out_the_first_batch(corpus):
    run = preview_of(corpus)
    worker.step(run)
    assert previews.seconds_of_others(run, 100) is None
    for _ in range(2):
        worker.step(run)
    start = run.created_at
    for number, seconds in ((1, 500), (2, 510), (3, 520)):
        moment = start + timedelta(seconds=seconds)
        run.batches.filter(number=number).update(finished_at=moment)
    assert previews.seconds_of_others(run, 100) == pytest.approx(50)


def test_only_a_preview_keeps_the_best_refused_rewrite_of_a_sentence(corpus, monkeypatch):
    best = Rewrite("1w", "noun", -3.0, probability=0.4)
    refusal = Outcome("odd", refused=best)
    monkeypatch.setattr(fake.Backwards, "outcomes", lambda _, texts: [refusal] * len(texts))
    run = preview_of(corpus)
    worker.step(run)
    assert previews.sentences(run)[0].refused == best.as_alternative()
    runs.steer(run, Action.APPROVE)
    worker.step(run)
    assert run.batches.get(number=2).refused == {}


def previewed(*accepted, refused=None, text="A."):
    """A sentence with a candidate and alternatives of these estimates, or a refused rewrite."""
    best = {"text": text, "probability": refused}
    if not accepted:
        return previews.Previewed(Sentence(), [], "odd", best)
    first, *others = accepted
    alternatives = [{"text": "A.", "probability": value} for value in others]
    candidate = Candidate(text="A.", probability=first, alternatives=alternatives)
    return previews.Previewed(Sentence(), [candidate], "", None)


def number_with(preset, rows, **settings):
    run = GenerationRun(method="word_swap", settings=METHOD.configure(settings))
    return previews.number_with(run, METHOD.preset(preset), rows)


def test_sentences_that_another_acceptance_gives_a_candidate_are_counted_from_their_estimates():
    odd = [previewed(refused=value) for value in (0.56, 0.54, None)]
    question = previewed(refused=0.58, text="A?")  # whose minimum is the same in both presets
    assert number_with("more", [previewed(0.7), *odd, question]) == 2
    accepted = [previewed(0.7), previewed(0.6, 0.8), previewed(0.6)]
    assert number_with("default", accepted, acceptance=0.55) == 2


def test_what_differs_in_more_than_the_acceptance_cannot_be_counted():
    for preset, settings in (
        ("paper", {}),
        ("more", {"beam": 50}),
        ("more", {"rescorer": "gpt2"}),
        ("more", {"acceptance": 0.0}),
    ):
        assert number_with(preset, [previewed(0.7)], **settings) is None, (preset, settings)
