"""Twenty studies of plain values: ten readers, one who throws coins, one who always says "same"."""

from random import Random

import pytest

from scripts.benchmarks.annotation import plain_study
from scripts.benchmarks.annotation.plain_study import Person, reads, says_same

SOON, QUARTER = 30, plain_study.USUAL_SECONDS / 4


def studied(seed, rounds):
    """The two careless ones, and those who were flagged with the answers that they had given."""
    drawn = Random(seed)
    careless = [Person(says_same(0.5), QUARTER), Person(says_same(1.0), QUARTER)]
    crowd = [*careless, *(Person(reads(drawn.uniform(0.9, 0.95))) for _ in range(10))]
    drawn.shuffle(crowd)
    found = plain_study.run(crowd, paraphrases=0.12, rounds=rounds, seed=seed)
    return set(map(id, careless)), {id(crowd[place]): given for place, (given, _) in found.items()}


@pytest.mark.parametrize("seed", range(16, 36))
def test_both_are_flagged_within_thirty_answers_and_no_reader_is(seed):
    careless, flagged = studied(seed, SOON)
    assert set(flagged) == careless


def test_a_coin_that_falls_right_in_23_of_30_is_seen_later():
    """Once in four hundred times it does, and then nothing tells it from a reader so soon."""
    careless, flagged = studied(15, 60)
    assert set(flagged) == careless
    assert SOON < max(flagged.values()) <= 60


def test_readers_alone_are_not_flagged_to_the_end():
    crowd = [Person(reads(0.9 + n / 200)) for n in range(12)]
    found = plain_study.run(
        crowd, paraphrases=0.5, rounds=100, seed=1, looks=lambda given: given % 10 == 0
    )
    assert found == {}
