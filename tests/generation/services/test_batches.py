"""One batch: claimed, rewritten, failed, parked."""

from unittest.mock import Mock

import pytest

from generation.models import Candidate, GenerationRun
from generation.services import batches, worker
from tests.generation import fake

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_engines,
    pytest.mark.usefixtures("backwards"),
]


@pytest.fixture
def run():
    return fake.run(fake.corpus(5))


def test_batches_are_claimed_once_in_order_the_oldest_run_of_a_workers_queues_first():
    corpus = fake.corpus(12)
    first, second = fake.run(corpus), fake.run(corpus)
    assert [batches.claim().number for _ in range(3)] == [1, 2, 3]
    assert batches.claim(first) is None
    assert batches.claim().run == second
    GenerationRun.objects.update(queue="gpu")
    assert batches.claim(queues=["cpu"]) is batches.claim(second, queues=["cpu"]) is None
    assert batches.claim(queues=["cpu", "gpu"]).number == 2


def test_a_batch_read_before_another_worker_tried_it_is_not_taken(run):
    as_read = run.batches.get()
    batches.fail(batches.claim(run), RuntimeError("a\0b"))
    assert not batches._take(as_read, batches.clock.now())
    assert run.batches.get().error == "RuntimeError: a\\0b"


def test_a_finished_batch_holds_its_candidates_and_counts_its_outcomes(run):
    assert worker.step(run)
    batch = run.batches.get()
    assert batch.outcomes == {"too_short": 1, "accepted": 4}
    assert (batch.state, batch.lease, batch.lease_until, batch.attempts) == ("done", None, None, 1)
    candidate = Candidate.objects.earliest("sentence")
    assert (candidate.sentence.text, candidate.text) == ("sentence number 1", "1 number sentence")
    assert (candidate.kind, candidate.score, candidate.rank) == ("other", -7.0, 0)
    assert (candidate.similarity, candidate.inversion_rate) == (1.0, 1.0)


def test_a_batch_that_fails_three_times_is_parked_and_the_others_are_done_before():
    run = fake.run(fake.corpus(15), fails_on="sentence number 7")
    for attempts, states in [(3, ["done", "open", "done"]), (2, ["done", "parked", "done"])]:
        assert [worker.step(run) for _ in range(attempts)] == [True] * attempts
        assert list(run.batches.order_by("number").values_list("state", flat=True)) == states
    parked = run.batches.get(state="parked")
    assert (parked.attempts, parked.candidates.count()) == (3, 0)
    assert parked.error == "RuntimeError: cannot rewrite 'sentence number 7'"
    run.refresh_from_db()
    assert (run.state, worker.step(run)) == ("done", False)


def test_an_attempt_that_is_interrupted_does_not_count_and_one_that_cannot_be_right_fails(
    run, monkeypatch
):
    monkeypatch.setattr(fake.Backwards, "outcomes", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        worker.step(run)
    batch = run.batches.get()
    assert (batch.state, batch.lease, batch.attempts) == ("open", None, 0)
    monkeypatch.setattr(fake.Backwards, "outcomes", lambda *_: [])  # too few
    worker.step(run)
    assert "zip()" in run.batches.get().error
    monkeypatch.setattr(fake, "IDENTITIES", {"model": {"name": "forwards"}})
    worker.step(run)
    assert run.batches.get().error.startswith("ModelsChanged: ")
