"""What people answered in a study where votes do not decide: all answers, and means of pairs."""

from dataclasses import dataclass
from statistics import fmean

from annotation.stats.agreement import VoteTable
from annotation.stats.labels import Scheme


@dataclass(frozen=True, slots=True)
class Ratings:
    """How often each label was given.

    If pairs get the mean of their answers, `mean` is the mean of these and `spread` the mean
    standard deviation within a pair; else both are None.
    """

    by_label: tuple[int, ...]
    mean: float | None = None
    spread: float | None = None


def ratings(votes: VoteTable, scheme: Scheme) -> Ratings:
    """Count the answers to decided pairs.

    >>> from annotation.stats.labels import SAME_OR_DIFFERENT
    >>> ratings({(1, 0): 2, (1, 1): 1}, SAME_OR_DIFFERENT)
    Ratings(by_label=(3, 1), mean=None, spread=None)
    """
    by_label = tuple(
        sum(tally[place] * pairs for tally, pairs in votes.items()) for place in range(scheme.size)
    )
    if not scheme.has_mean or not any(by_label):
        return Ratings(by_label)
    rated = {tally: pairs for tally, pairs in votes.items() if any(tally)}
    figures = [(scheme.mean(tally), scheme.spread(tally)) for tally in rated]
    means, spreads = zip(*figures, strict=True)
    return Ratings(by_label, fmean(means, rated.values()), fmean(spreads, rated.values()))
