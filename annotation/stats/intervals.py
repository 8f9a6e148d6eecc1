"""95 % intervals: Wilson's of a share, and the bootstrap's of any measure of pairs.

The random sample consists of pairs, and labels of one pair are correlated. So no interval treats
labels as independent.

The bootstrap (Efron 1979) draws as many pairs as there are, with replacement, 1,000 times. The
tallies of a sample are one multinomial draw, so 50,000 pairs cost no more than 50. Samples for
which a measure is undefined are ignored. There is no interval for fewer than ten pairs, or if every
sample gives the same value.
"""

from collections.abc import Callable
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

# Standard normal quantile for two-tailed 95 % intervals.
Z95 = 1.959964
# With fewer pairs, resampling says little about the population.
FEWEST_PAIRS = 10
DRAWS = 1000
SEED = 2019  # the same votes always give the same interval
TAILS = (2.5, 97.5)

Array = NDArray[np.float64]
Interval = tuple[float, float]


def wilson(part: int, whole: int) -> Interval | None:
    """Return the score interval of a share, within 0 and 1 (Wilson 1927); None if `whole` is 0.

    Unlike share ± 1.96·error it works for few answers and for shares near 0 and 1 (Brown, Cai and
    DasGupta, "Interval Estimation for a Binomial Proportion", 2001).

    >>> tuple(round(end, 3) for end in wilson(9, 10))
    (0.596, 0.982)

    Raises ValueError unless 0 <= part <= whole.
    """
    if not 0 <= part <= whole:
        raise ValueError(f"{part} is no part of {whole}")
    if not whole:
        return None
    middle = (part + Z95 * Z95 / 2) / (whole + Z95 * Z95)
    half = Z95 * sqrt(part * (whole - part) / whole + Z95 * Z95 / 4) / (whole + Z95 * Z95)
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(
    kinds: Array, pairs: Array, measure: Callable[[Array, Array], Array]
) -> Interval | None:
    """Return percentiles of a measure over DRAWS samples of the pairs.

    `pairs` is the number of pairs of each of the `kinds`; `measure` takes the kinds and the numbers
    drawn of each, shape (samples, kinds), and returns a value for each sample.
    """
    total = int(pairs.sum())
    if total < FEWEST_PAIRS:
        return None
    values = measure(kinds, _samples(tuple(pairs)))
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, TAILS) if len(defined) else (0.0, 0.0)
    return None if low == high else (float(low), float(high))


@lru_cache(maxsize=1)
def _samples(pairs: tuple[float, ...]) -> Array:
    """Return the numbers drawn of each kind, shape (DRAWS, kinds).

    They are kept for the next measure of the same pairs: drawing from thousands of kinds takes
    longer than all measures together. Three thousand kinds take 24 MB.
    """
    numbers = np.array(pairs)
    total = numbers.sum()
    drawn = np.random.default_rng(SEED).multinomial(int(total), numbers / total, size=DRAWS)
    samples: Array = drawn.astype(float)
    samples.flags.writeable = False
    return samples
