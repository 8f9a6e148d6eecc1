"""How many mistakes of one model another one does not make (PAWS 6.2, "BERT vs DIIN")."""

from itertools import permutations
from typing import Any

import numpy as np

from evaluation.data import Pairs, Unusable
from evaluation.experiments import plain
from evaluation.experiments.figures import Figures, size
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.measures import right


def fits(study: Study) -> list[Fit]:
    """Return the same fits as the plain experiment, whose kept parts are used. Raises Unusable."""
    if len(study.models) < 2:
        raise Unusable("Mistakes are compared between models. Name at least two with --models.")
    return plain.fits(study)


def figures(study: Study, results: Results) -> Figures:
    """Count for each two models the mistakes of one, and how many the other gets right."""
    test = study.dataset.test
    rows = [_compare_mistakes(study, results, test, *two) for two in permutations(study.models, 2)]
    return {"sets": {"test": size(test)}, "models": rows}


def _compare_mistakes(study: Study, results: Results, test: Pairs, one: str, other: str) -> Figures:
    def is_right(model: str) -> Any:
        parts = [results[plain.TRAIN, model, seed] for seed in study.seeds]
        return np.array([right(test.labels, part.scores["test"]) for part in parts])

    is_mistake = ~is_right(one)
    right_by_other = int((is_mistake & is_right(other)).sum())
    return {"of": one, "by": other, "mistakes": int(is_mistake.sum()), "right": right_by_other}
