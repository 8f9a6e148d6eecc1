"""Student's t distribution, by the continued fraction of the incomplete beta function."""

from itertools import count
from math import exp, isinf, lgamma, log, log1p

# The fraction has converged when a factor differs from 1 by no more than rounding.
ROUNDING = 1e-15
# Takes the place of 0 where the fraction would divide by it.
TINY = 1e-300


def share_below(t: float, degrees: int) -> float:
    """Return the share of the distribution with these degrees of freedom that is below `t`.

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
