"""Confidence intervals of shares."""

from math import sqrt

# Standard normal quantile for two-tailed 95 % intervals.
Z95 = 1.959964


def wilson(part: int, whole: int, *, z: float = Z95) -> tuple[float, float] | None:
    """Return the score interval of a share, within 0 and 1 (Wilson 1927); None if `whole` is 0.

    Unlike share ± z·error it works for few answers and for shares near 0 and 1 (Brown, Cai and
    DasGupta, "Interval Estimation for a Binomial Proportion", 2001).

    >>> tuple(round(end, 3) for end in wilson(9, 10))
    (0.596, 0.982)

    Raises ValueError unless 0 <= part <= whole.
    """
    if not 0 <= part <= whole:
        raise ValueError(f"{part} is no part of {whole}")
    if not whole:
        return None
    middle = (part + z * z / 2) / (whole + z * z)
    half = z * sqrt(part * (whole - part) / whole + z * z / 4) / (whole + z * z)
    return max(0.0, middle - half), min(1.0, middle + half)
