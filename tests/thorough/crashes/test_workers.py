"""Workers that race: the rows are those of one undisturbed worker."""

import pytest
from django.db.models import QuerySet

from generation.models import Batch
from generation.services import batches
from support import fake
from support.workers import work_until_idle
from tests.thorough.races.at_once import FORK, at_once, outcome

WORKERS, SENTENCES = 4, 100
BATCHES = SENTENCES // 5


@pytest.mark.parametrize("locks", [True, False])
def test_workers_that_race_work_each_batch_once_with_locks_or_without(installation, locks):
    undisturbed = {"attempted": BATCHES, "attempts": [1] * BATCHES, "met": [], "same": True}
    assert outcome(installation, race, locks=locks) == undisturbed | {"state": "done"}


def test_control_without_comparing_they_take_batches_from_each_other(installation):
    assert "IntegrityError" in outcome(installation, race, locks=False, compares=False)["met"]


def race(*, locks, compares=True):
    """Let workers begin a run at the same moment, with or without what keeps them apart."""
    fake.install()
    corpus = fake.corpus(SENTENCES)
    undisturbed, disturbed = fake.run(corpus), fake.run(corpus)
    work_until_idle(undisturbed)
    if not locks:
        drop_locks()
    if not compares:
        batches._claimed_row = lambda batch: Batch.objects.filter(pk=batch.pk)
    counts, met = at_once([lambda: work_until_idle(disturbed)] * WORKERS)
    disturbed.refresh_from_db()
    one, other = (
        (fake.rows(run), sorted(map(str, run.batches.values_list("number", "outcomes"))))
        for run in (undisturbed, disturbed)
    )
    return {
        "met": met,
        "state": disturbed.state,
        "attempted": sum(counts),
        "attempts": sorted(disturbed.batches.values_list("attempts", flat=True)),
        "same": one == other and len(one[0]) == SENTENCES * 9 // 10,
    }


def drop_locks():
    """Claims neither lock the row nor hold a transaction, and all have read the same first row."""
    take, taken, barrier = batches._claim_if_unchanged, [], FORK.Barrier(WORKERS)
    QuerySet.select_for_update = lambda self, **_: self
    batches._claim_in = batches._claim_in.__wrapped__

    def take_together(*arguments):
        if not taken:
            taken.append(barrier.wait())
        return take(*arguments)

    batches._claim_if_unchanged = take_together
