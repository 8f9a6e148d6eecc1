"""A study of plain values: people who read and people who do not, and when each is flagged.

The same as through the database, but thousands of times as fast: for error rates. Everybody answers
in turn and pair by pair, so that the next five people share a pair.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from annotation.stats import quality
from annotation.stats.quality import Answer, Flag

PER_PAIR, RECENT = 5, 200
USUAL_SECONDS, SPREAD = 22.0, 0.4

# What a person says of a pair whose truth is this, as their n-th answer.
Says = Callable[[Random, int, int], int]


@dataclass(slots=True)
class Person:
    """A person of a plain study; `seconds` is their median time."""

    says: Says
    seconds: float = USUAL_SECONDS
    given: list[tuple[int, int, float]] = field(default_factory=list)


def reads(accuracy: float) -> Says:
    """Knows the truth and says it with this probability."""
    return lambda drawn, truth, _number: truth if drawn.random() < accuracy else 1 - truth


def says_same(share: float) -> Says:
    """Says "same" of this share of pairs, whatever the pair."""
    return lambda drawn, _truth, _number: int(drawn.random() < share)


def alternates(_drawn: Random, _truth: int, number: int) -> int:
    """Same, different, same, different."""
    return number % 2


def run(
    people: Sequence[Person],
    *,
    paraphrases: float,
    rounds: int,
    seed: int,
    looks: Callable[[int], bool] = lambda _given: True,
) -> dict[int, tuple[int, list[Flag]]]:
    """Place of each flagged person -> answers given by then, and the flags.

    After a round all are looked at, where `looks` says so of the number of answers given.
    """
    random = Random(seed)
    pairs: list[dict[int, int]] = []
    truths: list[int] = []
    flagged: dict[int, tuple[int, list[Flag]]] = {}
    for turn in range(rounds * len(people)):
        place, pair = turn % len(people), turn // PER_PAIR
        if pair == len(truths):
            truths.append(int(random.random() < paraphrases))
            pairs.append({})
        person = people[place]
        pairs[pair][place] = person.says(random, truths[pair], len(person.given))
        seconds = random.lognormvariate(math.log(person.seconds), SPREAD)
        person.given.append((pair, pairs[pair][place], seconds))
        answers_given = len(person.given)
        if place == len(people) - 1 and looks(answers_given):
            _flag_people(people, pairs, flagged, answers_given)
    return flagged


def _flag_people(
    people: Sequence[Person],
    pairs: Sequence[dict[int, int]],
    flagged: dict[int, tuple[int, list[Flag]]],
    answers_given: int,
) -> None:
    for place, person in enumerate(people):
        if place in flagged:
            continue
        answers = [
            Answer(label, seconds, _other_labels(pairs[pair], {place, *flagged}))
            for pair, label, seconds in person.given[-RECENT:]
        ]
        if flags := quality.flags(answers, usual_seconds=USUAL_SECONDS):
            flagged[place] = (answers_given, flags)


def _other_labels(labels: dict[int, int], without: set[int]) -> tuple[int, ...]:
    return tuple(label for place, label in labels.items() if place not in without)
