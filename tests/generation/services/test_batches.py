"""One batch: claimed, worked, lost, failed, parked."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from generation import methods
from generation.models import Batch, Candidate, GenerationRun
from generation.services import batches, worker
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]

FAILING = "sentence number 7"


def claimed(run: GenerationRun) -> Batch:
    batch = batches.claim(run)
    assert batch is not None
    return batch


def let_leases_expire(run: GenerationRun) -> None:
    run.batches.exclude(lease=None).update(lease_until=timezone.now() - timedelta(seconds=1))


def states(run: GenerationRun) -> list[str]:
    return list(run.batches.order_by("number").values_list("state", flat=True))


def test_batches_are_claimed_in_order_and_once() -> None:
    run = fake.run(fake.corpus(12))

    assert [claimed(run).number for _ in range(3)] == [1, 2, 3]
    assert batches.claim(run) is None


def test_the_oldest_running_run_comes_first() -> None:
    corpus = fake.corpus(5)
    first, second = fake.run(corpus), fake.run(corpus)

    assert [batch.run for batch in (batches.claim(), batches.claim()) if batch] == [first, second]


@pytest.mark.parametrize(("allowed", "lasts"), [(60, 30), (5, 5)])
def test_a_claim_lasts_half_a_minute_but_not_longer_than_its_method_allows(
    allowed: int, lasts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = replace(fake.METHOD, lease=timedelta(seconds=allowed))
    monkeypatch.setitem(methods.METHODS, "word_swap", method)

    lease_until = claimed(fake.run(fake.corpus(1))).lease_until

    assert lease_until is not None
    assert lasts - 5 < (lease_until - timezone.now()).total_seconds() <= lasts


def test_a_worker_claims_only_runs_of_its_queues() -> None:
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")

    assert batches.claim(queues=["cpu"]) is None
    assert batches.claim(run, queues=["cpu"]) is None
    assert batches.claim(queues=["cpu", "gpu"]) == run.batches.get()


def test_candidates_hold_what_the_method_and_the_measures_say() -> None:
    corpus = fake.corpus(2)
    run = fake.run(corpus)

    worker.step(run)

    candidate = Candidate.objects.get()
    assert candidate.text == "1 number sentence"
    assert (candidate.kind, candidate.score, candidate.rank) == ("other", -7.0, 0)
    assert (candidate.similarity, candidate.inversion_rate) == (1.0, 1.0)
    assert candidate.sentence.text == "sentence number 1"


def test_a_finished_batch_counts_its_sentences_by_outcome() -> None:
    run = fake.run(fake.corpus(5))

    worker.step(run)

    batch = run.batches.get()
    assert batch.outcomes == {"too_short": 1, "accepted": 4}
    assert (batch.state, batch.lease, batch.attempts) == ("done", None, 1)


def test_an_expired_lease_is_claimed_by_another() -> None:
    run = fake.run(fake.corpus(5))
    first = claimed(run)
    let_leases_expire(run)

    second = claimed(run)

    assert (second.pk, second.attempts) == (first.pk, 2)


def test_a_late_worker_that_lost_its_lease_writes_nothing() -> None:
    run = fake.run(fake.corpus(5))
    late = claimed(run)
    let_leases_expire(run)
    prompt = claimed(run)
    assert batches.work(prompt)
    before = fake.rows(run)

    assert not batches.work(late)
    assert not batches.fail(late, RuntimeError("too late"))
    assert not batches.give_back(late)

    assert fake.rows(run) == before
    assert states(run) == ["done"]


def test_a_late_worker_whose_lease_nobody_took_may_still_write() -> None:
    run = fake.run(fake.corpus(5))
    late = claimed(run)
    let_leases_expire(run)

    assert batches.work(late)


def test_a_batch_read_before_another_tried_it_is_not_claimed() -> None:
    run = fake.run(fake.corpus(5))
    as_read = run.batches.get()
    batches.fail(claimed(run), RuntimeError("no"))

    assert not batches._take(as_read, timezone.now())


def test_a_batch_that_fails_three_times_is_parked_and_the_run_goes_on() -> None:
    run = fake.run(fake.corpus(15), fails_on=FAILING)

    attempted = worker.work_until_idle(run)

    assert attempted == 5
    assert states(run) == ["done", "parked", "done"]
    parked = run.batches.get(state="parked")
    assert parked.attempts == 3
    assert parked.error == f"RuntimeError: cannot rewrite '{FAILING}'"
    assert not parked.candidates.exists()
    run.refresh_from_db()
    assert run.state == "done"


def test_a_failed_batch_waits_until_the_others_have_been_tried() -> None:
    run = fake.run(fake.corpus(15), fails_on=FAILING)

    for _ in range(3):
        worker.step(run)

    assert states(run) == ["done", "open", "done"]


def test_a_batch_that_kills_three_workers_is_parked() -> None:
    run = fake.run(fake.corpus(5))
    for _ in range(3):
        claimed(run)
        let_leases_expire(run)

    assert batches.claim(run) is None

    assert states(run) == ["parked"]
    assert run.batches.get().error == batches.LOST


def test_an_interrupted_worker_gives_its_batch_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    run = fake.run(fake.corpus(5))
    monkeypatch.setattr(fake.Backwards, "outcomes", interrupted)

    with pytest.raises(KeyboardInterrupt):
        worker.step(run)

    batch = run.batches.get()
    assert (batch.state, batch.lease, batch.attempts) == ("open", None, 0)


def test_a_method_that_gives_too_few_outcomes_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake.Backwards, "outcomes", lambda *_: [])
    run = fake.run(fake.corpus(5))

    worker.step(run)

    assert "zip()" in run.batches.get().error


def test_a_run_whose_models_have_changed_is_not_gone_on_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = fake.run(fake.corpus(5))
    monkeypatch.setattr(fake, "IDENTITIES", {"model": {"name": "forwards"}})

    worker.step(run)

    assert run.batches.get().error.startswith("ModelsChanged")


def test_what_went_wrong_is_stored_even_if_it_holds_a_nul() -> None:
    run = fake.run(fake.corpus(5))

    batches.fail(claimed(run), RuntimeError("a\0b"))

    assert run.batches.get().error == "RuntimeError: a\\0b"


def test_the_same_sentence_gives_the_same_candidate_in_batches_of_any_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = fake.corpus(30)
    runs = [fake.run(corpus)]
    monkeypatch.setitem(methods.METHODS, "word_swap", replace(fake.METHOD, batch_size=30))
    runs.append(fake.run(corpus))

    worker.work_until_idle()

    texts = [list(run.candidate_set.order_by("sentence").values_list("text")) for run in runs]
    assert texts[0] == texts[1]
