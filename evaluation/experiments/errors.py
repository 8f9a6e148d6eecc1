"""How many mistakes of one model another one does not make (PAWS 6.2, "BERT vs DIIN")."""

from itertools import permutations

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
    first, second = (
        np.array(
            [
                right(test.labels, results[plain.TRAIN, model, seed].scores["test"])
                for seed in study.seeds
            ]
        )
        for model in (one, other)
    )
    mistakes, saved = int((~first).sum()), int((~first & second).sum())
    return {"of": one, "by": other, "mistakes": mistakes, "right": saved}
