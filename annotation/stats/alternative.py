"""Whether a model can replace a person: the alternative annotator test.

Calderon, Reichart and Dror, "The Alternative Annotator Test for LLM-as-a-Judge: How to
Statistically Justify Replacing Human Annotators with LLMs", ACL 2025. Each person is left out
once: on each pair, the person and the model are scored by how well they agree with the others. The
model beats a person if a t test over the pairs rejects that it is worse by EPSILON or more, which
is what a person costs more than a model. It passes if it beats at least half of the people.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import copysign, exp, inf, isinf, lgamma, log, log1p, sqrt
from statistics import fmean
from typing import Generic, TypeAlias, TypeVar

from annotation.stats.agreement import Tally
from annotation.stats.labels import Scheme
from common.marked import gettext_noop as _

Person = TypeVar("Person")
# Pairs by person, tally of all answers, place of the person's label, place of the model's label.
ComparedPairs: TypeAlias = Mapping[tuple[Person, Tally, int, int], int]
# Pairs on which the person agrees better with the others than the model does (1), worse (-1), or
# as well (0).
Differences: TypeAlias = Mapping[int, int]

# How much worse than a person a model may be: in place of crowd workers, trained people, experts.
EPSILONS = (0.1, 0.15, 0.2)
FEWEST_PAIRS, FEWEST_PEOPLE = 30, 3
# The share of false discoveries, and of the people that a model that passes beats.
FALSE_DISCOVERIES, HALF = 0.05, 0.5
# Of Student's t: its continued fraction has converged when a factor differs from 1 by no more.
ROUNDING = 1e-15
# Takes the place of 0 where the fraction would divide by it.
TINY = 1e-300
# A model that passes with a lower kappa may owe it to one frequent label.
LOW_KAPPA = 0.2
WARNING = _(
    "It hardly agrees with people beyond chance (kappa %(kappa)s): where one label is rare, a "
    "model that always gives the other passes as well."
)


@dataclass(frozen=True, slots=True)
class PersonTest(Generic[Person]):
    """One person against the model, on `pairs`.

    `advantage` is the share of them on which the model agrees with the others at least as well as
    the person; `p_values` and `beaten` are by EPSILONS.
    """

    person: Person
    pairs: int
    advantage: float
    p_values: tuple[float, ...]
    beaten: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many people the model beats at an epsilon, as a share of those tested."""

    epsilon: float
    beaten: int
    winning_rate: float
    passed: bool


@dataclass(frozen=True, slots=True)
class AlternativeTest(Generic[Person]):
    """The test of a model; without `verdicts` and `advantage` if too few people can be tested.

    `too_few_pairs` has the number of pairs of each person with fewer than FEWEST_PAIRS.
    `advantage` is the mean of the people's.
    """

    people: list[PersonTest[Person]]
    too_few_pairs: dict[Person, int]
    verdicts: tuple[Verdict, ...] = ()
    advantage: float | None = None


def alternative_test(
    compared_pairs: ComparedPairs[Person], scheme: Scheme
) -> AlternativeTest[Person]:
    """Test a model; people keep their order. Pairs that no one else judged are left out."""
    differences = defaultdict[Person, Counter[int]](Counter)
    for (person, tally, own, models), pairs in compared_pairs.items():
        if sum(tally) > 1:
            differences[person][_difference(tally, own, models, scheme)] += pairs
    numbers = {person: counts.total() for person, counts in differences.items()}
    tested = {
        person: counts for person, counts in differences.items() if counts.total() >= FEWEST_PAIRS
    }
    people = list(_person_tests(tested))
    return AlternativeTest(
        people,
        {person: number for person, number in numbers.items() if person not in tested},
        *_verdicts(people),
    )


def needs_warning(test: AlternativeTest[Person], kappa: float | None) -> bool:
    """Return whether a model passes with a low Cohen's kappa with the majority."""
    passes = any(verdict.passed for verdict in test.verdicts)
    return passes and kappa is not None and kappa < LOW_KAPPA


def p_value(differences: Differences, epsilon: float) -> float:
    """Return the p-value of a one-sided t test that their mean is below epsilon."""
    pairs = sum(differences.values())
    total = differences.get(1, 0) - differences.get(-1, 0)
    squares = differences.get(1, 0) + differences.get(-1, 0)
    # Whole numbers: the spread of equal differences is exactly 0.
    spread = sqrt((pairs * squares - total * total) / (pairs * (pairs - 1)))
    distance = total / pairs - epsilon
    t = distance * sqrt(pairs) / spread if spread else copysign(inf, distance)
    return share_below(t, pairs - 1)


def discoveries(p_values: Sequence[float]) -> list[bool]:
    """Return which hypotheses are rejected (Benjamini and Yekutieli 2001).

    The procedure allows for tests that depend on one another, as those of people on the same pairs.
    """
    number = len(p_values)
    harmonic = sum(1 / rank for rank in range(1, number + 1))
    limit = max(
        (
            p
            for rank, p in enumerate(sorted(p_values), start=1)
            if p <= rank * FALSE_DISCOVERIES / (number * harmonic)
        ),
        default=-1.0,
    )
    return [p <= limit for p in p_values]


def _person_tests(tested: Mapping[Person, Counter[int]]) -> Iterator[PersonTest[Person]]:
    """Yield the test of each person, corrected for their number."""
    columns = [[p_value(counts, epsilon) for counts in tested.values()] for epsilon in EPSILONS]
    p_values = zip(*columns, strict=True)
    beaten = zip(*map(discoveries, columns), strict=True)
    for (person, counts), ps, wins in zip(tested.items(), p_values, beaten, strict=True):
        pairs = counts.total()
        yield PersonTest(person, pairs, 1 - counts[1] / pairs, ps, wins)


def _verdicts(
    people: Sequence[PersonTest[Person]],
) -> tuple[tuple[Verdict, ...], float | None]:
    """Return the verdict at each epsilon, and the mean advantage; neither for too few people."""
    if len(people) < FEWEST_PEOPLE:
        return (), None
    beaten = [sum(column) for column in zip(*(person.beaten for person in people), strict=True)]
    verdicts = tuple(
        Verdict(epsilon, number, number / len(people), number / len(people) >= HALF)
        for epsilon, number in zip(EPSILONS, beaten, strict=True)
    )
    return verdicts, fmean(person.advantage for person in people)


def _difference(tally: Tally, own: int, models: int, scheme: Scheme) -> int:
    """Return 1, -1 or 0 (see Differences) for one pair."""
    others = [number - (place == own) for place, number in enumerate(tally)]
    score, models_score = (_score(place, others, scheme) for place in (own, models))
    return (score > models_score) - (score < models_score)


def _score(place: int, others: Sequence[int], scheme: Scheme) -> int:
    """Return how well a label agrees with others' answers, counted by label; more is better.

    Of labels without an order, it is how many others say the same. Of others, it is minus the sum
    of squared distances to theirs: of the same answers, it orders labels as the root mean square.
    """
    if not scheme.is_ordered:
        return others[place]
    value = scheme.value(place)
    return -sum(
        number * (other - value) ** 2 for other, number in zip(scheme.values, others, strict=True)
    )


def share_below(t: float, degrees: int) -> float:
    """Return the share of Student's t distribution with these degrees of freedom below `t`.

    >>> round(share_below(-2.0, 10), 6)
    0.036694
    """
    if isinf(t):
        return float(t > 0)
    tail = _both_tails(t * t, degrees) / 2
    return tail if t < 0 else 1 - tail


def _both_tails(square: float, degrees: int) -> float:
    """Return the share further from 0 than the root of `square`: I_x(degrees / 2, 1 / 2)."""
    a, b, x, rest = degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square)
    if not rest:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log1p(-rest) + b * log(rest))
    # Each fraction converges fast where the other does not (Abramowitz and Stegun 26.5.8).
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (Lentz 1976)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or TINY)
    value = d
    for m in count(1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / (1 + term * d or TINY)
            c = 1 + term / c or TINY
            value *= c * d
        if abs(c * d - 1) <= ROUNDING:
            break
    return value
