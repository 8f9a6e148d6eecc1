"""What every model fulfils: it is fitted to labelled pairs, and then scores pairs."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Pairs

Scores: TypeAlias = NDArray[np.float64]
# Takes the steps done and the steps at most, whenever some are done.
Tell: TypeAlias = Callable[[int, int], None]

# A score above it says paraphrase (PAWS 5: "> .5").
THRESHOLD = 0.5


def silent(done: int, most: int) -> None:
    """Report nothing."""


def tells_in_turn(tell: Tell, steps: Sequence[int]) -> list[Tell]:
    """Return a Tell for each of several trainings with these steps; it reports those of all."""

    def tell_one(before: int, done: int, _most: int) -> None:
        tell(before + done, sum(steps))

    return [partial(tell_one, sum(steps[:number])) for number in range(len(steps))]


def check_learnable(train: Pairs, dev: Pairs) -> None:
    """Raise ValueError if one of the sets is empty."""
    for name, pairs in (("train", train), ("dev", dev)):
        if not len(pairs):
            raise ValueError(f"The {name} set has no pairs; models learn from train and dev.")


class Fitted(Protocol):
    """A model that has been fitted."""

    @property
    def parameters(self) -> int:
        """How many numbers were fitted."""

    def scores(self, pairs: Pairs) -> Scores:
        """Return how likely each pair is a paraphrase, 0 to 1; shape (pairs,)."""


class Model(Protocol):
    """A model by name, with its settings, before it is fitted."""

    @property
    def identity(self) -> dict[str, str]:
        """What a reader needs to fit the same model: name, settings, digests of files."""

    def fit(self, train: Pairs, dev: Pairs, *, seed: int, tell: Tell = silent) -> Fitted:
        """Fit to `train`, and choose by the accuracy on `dev`; never sees another pair.

        The same pairs and seed give the same scores on one machine. Raises ValueError if the pairs
        cannot be learned from, such as an empty set.
        """


@runtime_checkable
class Pretrainable(Model, Protocol):
    """A model that can go on learning: first from noisy labels, then from those of people."""

    def fit(self, train: Pairs, dev: Pairs, *, seed: int, tell: Tell = silent) -> Fitted:
        return self.fit_in_turn([train], dev, seed=seed, tell=tell)

    def fit_in_turn(
        self, trains: Sequence[Pairs], dev: Pairs, *, seed: int, tell: Tell = silent
    ) -> Fitted:
        """Fit to each set after the other, from the best weights on `dev` of the set before.

        Raises ValueError as `fit` does.
        """
