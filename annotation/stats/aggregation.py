"""Labels from annotator models, compared with the majority: Dawid-Skene and MACE.

A majority trusts all annotators equally. These models estimate reliability from the labels alone,
and give each pair a label and its probability. They never replace the majority: readers can
recompute the labels of a release from its votes, without a model.

Both come from crowd-kit (Ustalov, Pavlichenko and Tseitlin, "Learning from Crowds with Crowd-Kit",
JOSS 2024), which only this module imports, and only when called.
"""

import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from annotation.stats.consensus import most_frequent

ROUNDS = 100
MACE_ROUNDS = 50

Pair = TypeVar("Pair", bound=Hashable)
# Of any number of pairs: (pair, annotator, label).
Judgments = Iterable[tuple[Pair, Hashable, int]]


class CrowdKitMissing(ImportError):
    """crowd-kit is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__(
            "Dawid-Skene and MACE need crowd-kit: pip install -r requirements-crowd.txt"
        )


@dataclass(frozen=True, slots=True)
class Aggregated:
    """A model's label of a pair, with the majority of its judges.

    `probability` is that of `label`, 0 to 1. `majority` is the most frequent label, None in a tie.
    """

    label: int
    probability: float
    majority: int | None

    @property
    def differs(self) -> bool:
        """Whether the model contradicts a majority."""
        return self.majority is not None and self.label != self.majority


@dataclass(frozen=True, slots=True)
class Comparison:
    """Agreement between a model's labels and the majority.

    Of `pairs`, `differing` have another label than their majority, `ties` have no majority, and
    `unsure` have a label with a probability below 0.95.
    """

    pairs: int
    differing: int
    ties: int
    unsure: int


def dawid_skene(judgments: Judgments[Pair], *, rounds: int = ROUNDS) -> dict[Pair, Aggregated]:
    """Estimate a confusion matrix for each annotator, in at most `rounds` iterations.

    Deterministic. Raises CrowdKitMissing. Dawid and Skene, "Maximum Likelihood Estimation of
    Observer Error-Rates Using the EM Algorithm", 1979.
    """
    return _labels(judgments, lambda crowdkit: crowdkit.DawidSkene(n_iter=rounds))


def mace(
    judgments: Judgments[Pair], *, seed: int, rounds: int = MACE_ROUNDS
) -> dict[Pair, Aggregated]:
    """Model each annotator as either knowing the label or guessing, with individual guess rates.

    Hovy et al., "Learning Whom to Trust with MACE", 2013, variational Bayes. Starts from a draw
    with `seed`, once only: crowd-kit would restart from the same draw. Raises CrowdKitMissing.
    """
    return _labels(
        judgments,
        lambda crowdkit: crowdkit.MACE(n_restarts=1, n_iter=rounds, random_state=seed),
    )


def compare(labels: Iterable[Aggregated], *, sure: float = 0.95) -> Comparison:
    """Count how often model labels and majorities agree."""
    every = list(labels)
    return Comparison(
        pairs=len(every),
        differing=sum(each.differs for each in every),
        ties=sum(each.majority is None for each in every),
        unsure=sum(each.probability < sure for each in every),
    )


def _labels(judgments: Judgments[Pair], model: Callable[[Any], Any]) -> dict[Pair, Aggregated]:
    pandas, crowdkit = _libraries()
    given = list(judgments)
    if not given:
        return {}
    table = pandas.DataFrame(given, columns=["task", "worker", "label"])
    with warnings.catch_warnings():
        # Caused by crowd-kit's calls of pandas.
        warnings.simplefilter("ignore", DeprecationWarning)
        found = model(crowdkit).fit_predict_proba(table)
    likeliest = zip(found.index, found.idxmax(axis=1), found.max(axis=1), strict=True)
    majorities = _majorities(given)
    return {
        pair: Aggregated(int(label), float(probability), majorities[pair])
        for pair, label, probability in likeliest
    }


def _majorities(judgments: Judgments[Pair]) -> dict[Pair, int | None]:
    labels: defaultdict[Pair, Counter[int]] = defaultdict(Counter)
    for pair, _, label in judgments:
        labels[pair][label] += 1
    return {pair: _majority(counts) for pair, counts in labels.items()}


def _majority(counts: Counter[int]) -> int | None:
    place = most_frequent(list(counts.values()))
    return None if place is None else list(counts)[place]


def _libraries() -> tuple[Any, Any]:
    try:
        return import_module("pandas"), import_module("crowdkit.aggregation")
    except ModuleNotFoundError as error:
        raise CrowdKitMissing from error
