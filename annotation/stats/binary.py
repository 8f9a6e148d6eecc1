"""How well binary answers match a reference: accuracy, F1, precision and recall (PARADE 5.3).

Label 1, a paraphrase, is the positive class.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Scores:
    """Accuracy, F1, precision and recall; each is None where it is undefined."""

    accuracy: float | None = None
    f1: float | None = None
    precision: float | None = None
    recall: float | None = None


@dataclass(frozen=True, slots=True)
class Confusion:
    """Pairs by answer and reference: true and false positives, false and true negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @property
    def pairs(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def scores(self) -> Scores:
        """Return the scores.

        >>> Confusion(tp=24, fp=29, fn=9, tn=38).scores.accuracy
        0.62
        """
        return Scores(
            accuracy=_share(self.tp + self.tn, self.pairs),
            f1=_share(2 * self.tp, 2 * self.tp + self.fp + self.fn),
            precision=_share(self.tp, self.tp + self.fp),
            recall=_share(self.tp, self.tp + self.fn),
        )


def confusion(answers: Iterable[tuple[int, int]]) -> Confusion:
    """Count answers, each with its reference: 0 or 1.

    >>> confusion([(1, 1), (1, 0), (0, 0)])
    Confusion(tp=1, fp=1, fn=0, tn=1)
    """
    counts = Counter(answers)
    return Confusion(tp=counts[1, 1], fp=counts[1, 0], fn=counts[0, 1], tn=counts[0, 0])


def mean(scores: Sequence[Scores]) -> Scores:
    """Return the mean of each score, over those for which it is defined."""
    return Scores(
        accuracy=_mean([score.accuracy for score in scores]),
        f1=_mean([score.f1 for score in scores]),
        precision=_mean([score.precision for score in scores]),
        recall=_mean([score.recall for score in scores]),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None
