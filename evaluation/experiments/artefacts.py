"""Controls: a model that sees part of a pair must not do better than chance.

If one does, labels or sides can be guessed without comparing the sentences.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from annotation.stats.intervals import wilson
from evaluation.contract import Model, Scores
from evaluation.data import Pairs
from evaluation.experiments.datasets import Dataset, labels, refuse_unusable
from evaluation.experiments.figures import Figures, measured, size
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.experiments.linear import Linear, of_difference, of_second
from releases.dataset.rows import ReleasedPair

SENTENCE2, SIDES = "sentence2 alone", "which is the source"
MODELS: Mapping[str, Model] = {
    SENTENCE2: Linear(SENTENCE2, of_second),
    SIDES: Linear(SIDES, of_difference),
}
# Weights begin at 0, so that another seed would give the same scores.
SEED = 0


def fits(study: Study) -> list[Fit]:
    """Return the fits of both controls; the second one only where sources are known."""
    refuse_unusable(study.dataset)
    return [
        Fit("train", name, SEED, train, dev, {"test": test})
        for name, (train, dev, test) in _sets(study.dataset).items()
    ]


def _sets(dataset: Dataset) -> dict[str, tuple[Pairs, Pairs, Pairs]]:
    found = {SENTENCE2: (dataset.train, dataset.dev, dataset.test)}
    train, dev, test = (sided(dataset, dataset.split(name)) for name in ("train", "dev", "test"))
    if len(dev) and len(test) and len(labels(train)) == 2:
        found[SIDES] = train, dev, test
    return found


def sided(dataset: Dataset, pairs: Pairs) -> Pairs:
    """Return the pairs with a source, labelled 1 if that is sentence1 and 0 if it is sentence2."""
    origins = {row.id: row.rewritten_from for row in dataset.sentences}
    known = dataset.known or {}
    sides = [_side(known[key], origins) if key in known else None for key in pairs.ids]
    some = pairs.take([at for at, side in enumerate(sides) if side is not None])
    given = [side for side in sides if side is not None]
    return replace(some, labels=np.array(given, dtype=np.int8))


def _side(pair: ReleasedPair, origins: Mapping[str, str | None]) -> int | None:
    if origins.get(pair.sentence2) == pair.sentence1:
        return 1
    return 0 if origins.get(pair.sentence1) == pair.sentence2 else None


def figures(study: Study, results: Results) -> Figures:
    """Return for each control its figures, chance, and whether it does better than that.

    Chance is the larger share of a label. A control does better if the 95 % interval of its
    accuracy (Wilson) is above chance.
    """
    found = [
        {"control": name, **_of_control(test, results["train", name, SEED].scores["test"])}
        for name, (_, _, test) in _sets(study.dataset).items()
    ]
    return {"sets": {"test": size(study.dataset.test)}, "controls": found}


def _of_control(test: Pairs, scores: Scores) -> Figures:
    values, sizes = measured(test, scores), size(test)
    larger = max(sizes["paraphrases"], sizes["pairs"] - sizes["paraphrases"]) / sizes["pairs"]
    low, high = wilson(round(values["accuracy"] * sizes["pairs"]), sizes["pairs"]) or (0.0, 1.0)
    found = {"chance": round(larger, 6), "interval": [round(low, 6), round(high, 6)]}
    return {**sizes, **values, **found, "better": low > larger}
