"""Several workers on a preview at the same time: its run has the same candidates."""

from functools import partial

from generation import selectors
from generation.services import runs
from support import fake
from support.workers import work_until_idle
from tests.thorough.races.at_once import at_once, outcome

WORKERS, ROUNDS = 4, 3


def race():
    """For each round: whether the preview stopped, and whether the candidates are the same."""
    fake.install()
    corpus = fake.corpus(400)
    usual = runs.start(corpus, method="word_swap", preview=True)
    results = []
    for workers in (1, *[WORKERS] * ROUNDS):
        run = usual if workers == 1 else runs.start(corpus, method="word_swap", preview=True)
        at_once([partial(work_until_idle, run)] * workers)
        stopped = selectors.awaits_approval(run) and selectors.progress(run).done < 300
        runs.steer(run, runs.Action.APPROVE)
        at_once([partial(work_until_idle, run)] * workers)
        run.refresh_from_db()
        results.append([stopped, run.state, fake.rows(run) == fake.rows(usual)])
    return results


def test_the_candidates_of_a_preview_are_the_same_with_one_worker_or_four(installation):
    assert outcome(installation, race) == [[True, "done", True]] * (ROUNDS + 1)
