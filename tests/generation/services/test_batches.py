"""One batch: claimed, rewritten, failed, parked."""

from dataclasses import replace

import pytest

from generation import methods
from generation.models import Candidate, GenerationRun
from generation.services import batches, worker
from tests.generation import fake

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_engines,
    pytest.mark.usefixtures("backwards"),
]

FAILING = "sentence number 7"


def states(run):
    return list(run.batches.order_by("number").values_list("state", flat=True))


def test_batches_are_claimed_once_in_order_the_oldest_run_first():
    corpus = fake.corpus(12)
    first, second = fake.run(corpus), fake.run(corpus)
    claimed = [batches.claim() for _ in range(4)]
    assert [(batch.run, batch.number) for batch in claimed] == [
        *((first, 1), (first, 2), (first, 3), (second, 1))
    ]
    assert batches.claim(first) is None


def test_a_worker_claims_only_runs_of_its_queues():
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")
    assert batches.claim(queues=["cpu"]) is None
    assert batches.claim(run, queues=["cpu"]) is None
    assert batches.claim(queues=["cpu", "gpu"]) == run.batches.get()


def test_a_batch_read_before_another_worker_tried_it_is_not_taken():
    run = fake.run(fake.corpus(5))
    as_read = run.batches.get()
    batches.fail(batches.claim(run), RuntimeError("no"))
    assert not batches._take(as_read, batches.clock.now())


def test_a_finished_batch_holds_its_candidates_and_counts_its_outcomes():
    run = fake.run(fake.corpus(5))
    assert worker.step(run)
    batch = run.batches.get()
    assert batch.outcomes == {"too_short": 1, "accepted": 4}
    assert (batch.state, batch.lease, batch.lease_until, batch.attempts) == ("done", None, None, 1)
    candidate = Candidate.objects.earliest("sentence")
    assert (candidate.sentence.text, candidate.text) == ("sentence number 1", "1 number sentence")
    assert (candidate.kind, candidate.score, candidate.rank) == ("other", -7.0, 0)
    assert (candidate.similarity, candidate.inversion_rate) == (1.0, 1.0)


def test_a_batch_that_fails_three_times_is_parked_and_the_others_are_done_before():
    run = fake.run(fake.corpus(15), fails_on=FAILING)
    for _ in range(3):
        worker.step(run)
    assert states(run) == ["done", "open", "done"]
    assert worker.work_until_idle(run) == 2
    assert states(run) == ["done", "parked", "done"]
    parked = run.batches.get(state="parked")
    assert (parked.attempts, parked.candidates.count()) == (3, 0)
    assert parked.error == f"RuntimeError: cannot rewrite '{FAILING}'"
    run.refresh_from_db()
    assert run.state == "done"


def test_an_interrupted_worker_gives_its_batch_back_without_counting_the_attempt(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    run = fake.run(fake.corpus(5))
    monkeypatch.setattr(fake.Backwards, "outcomes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        worker.step(run)
    batch = run.batches.get()
    assert (batch.state, batch.lease, batch.attempts) == ("open", None, 0)


def test_an_attempt_fails_where_outcomes_are_missing_or_models_have_changed(monkeypatch):
    run = fake.run(fake.corpus(5))
    with monkeypatch.context() as patch:
        patch.setattr(fake.Backwards, "outcomes", lambda *_: [])
        worker.step(run)
    assert "zip()" in run.batches.get().error
    monkeypatch.setattr(fake, "IDENTITIES", {"model": {"name": "forwards"}})
    worker.step(run)
    assert run.batches.get().error.startswith("ModelsChanged: ")


def test_an_error_with_a_nul_character_can_be_stored():
    run = fake.run(fake.corpus(5))
    batches.fail(batches.claim(run), RuntimeError("a\0b"))
    assert run.batches.get().error == "RuntimeError: a\\0b"


def test_a_sentence_gives_the_same_candidates_in_batches_of_any_size(monkeypatch):
    corpus = fake.corpus(30)
    runs = [fake.run(corpus)]
    monkeypatch.setitem(methods.METHODS, "word_swap", replace(fake.METHOD, batch_size=30))
    runs.append(fake.run(corpus))
    worker.work_until_idle()
    texts = [list(run.candidate_set.order_by("sentence").values_list("text")) for run in runs]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 27
