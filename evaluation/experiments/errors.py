"""How many mistakes of one model another one does not make (PAWS 6.2, "BERT vs DIIN")."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from evaluation.contract import THRESHOLD
from evaluation.data import Pairs, Unusable
from evaluation.experiments import plain
from evaluation.experiments.figures import Figures, size
from evaluation.experiments.fits import Fit, Results, Study


def fits(study: Study) -> list[Fit]:
    """Return the same fits as the plain experiment, whose kept parts are used. Raises Unusable."""
    if len(study.models) < 2:
        raise Unusable("Mistakes are compared between models. Name at least two with --models.")
    return plain.fits(study)


def figures(study: Study, results: Results) -> Figures:
    """Return for each two models the mistakes of one, and how many the other gets right.

    Both are counted for each seed, and added up.
    """
    test = study.dataset.test
    rows = [_of_two(study, results, test, *two) for two in permutations(study.models, 2)]
    return {"sets": {"test": size(test)}, "models": rows}


def _of_two(study: Study, results: Results, test: Pairs, one: str, other: str) -> Figures:
    wrong = [~_right(results, test, one, seed) for seed in study.seeds]
    right = [_right(results, test, other, seed) for seed in study.seeds]
    saved = sum(int((a & b).sum()) for a, b in zip(wrong, right, strict=True))
    return {"of": one, "by": other, "mistakes": sum(int(a.sum()) for a in wrong), "right": saved}


def _right(results: Results, test: Pairs, model: str, seed: int) -> NDArray[np.bool_]:
    said = results[plain.TRAIN, model, seed].scores["test"] > THRESHOLD
    found: NDArray[np.bool_] = said == (test.labels == 1)
    return found
