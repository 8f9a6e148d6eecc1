"""Each model on one release (PAWS Tables 7 and 8).

Also with a base set, and trained on the release's noisy labels first.
"""

from collections.abc import Iterator, Mapping

from evaluation.data import Pairs
from evaluation.experiments.datasets import refuse_unusable
from evaluation.experiments.figures import Figures, by_group, size, spread
from evaluation.experiments.fits import Fit, Results, Study, refuse_shared_base

TRAIN, BASE, BOTH = "train", "base", "base+train"
PRETRAINED = "pretrained"


def fits(study: Study) -> list[Fit]:
    """With noisy pairs, the fits to these and then to train follow.

    Raises Unusable, also if the base set has a sentence of dev or test.
    """
    refuse_unusable(study.dataset)
    refuse_shared_base(study, "dev", "test")
    tests = {name: study.dataset.split(name) for name in ("dev", "test")}
    plain_fits = [
        Fit(data, model, seed, train, dev, tests)
        for data, train, dev in _training_sets(study)
        for model in study.models
        for seed in study.seeds
    ]
    return [*plain_fits, *_pretrained_fits(study, tests)]


def _pretrained_fits(study: Study, tests: Mapping[str, Pairs]) -> Iterator[Fit]:
    dataset, silver = study.dataset, study.silver
    if silver is not None:
        for model in silver.models:
            for seed in study.seeds:
                yield Fit(
                    PRETRAINED, model, seed, dataset.train, dataset.dev, tests, before=silver.pairs
                )


def _training_sets(study: Study) -> Iterator[tuple[str, Pairs, Pairs]]:
    dataset, base = study.dataset, study.base
    yield TRAIN, dataset.train, dataset.dev
    if base is not None:
        yield BASE, base.train, base.dev
        yield BOTH, base.train + dataset.train, dataset.dev


def figures(study: Study, results: Results) -> Figures:
    sets = {name: size(study.dataset.split(name)) for name in ("train", "dev", "test")}
    models = [
        _figures(study, results, data, model)
        for data, model in dict.fromkeys((fit.data, fit.model) for fit in fits(study))
    ]
    return {"sets": sets, "models": models}


def _figures(study: Study, results: Results, data: str, model: str) -> Figures:
    parts = [results[data, model, seed] for seed in study.seeds]
    row: Figures = {"data": data, "model": model, "parameters": parts[0].parameters}
    for name in ("dev", "test"):
        pairs = study.dataset.split(name)
        row[name] = spread(pairs, (part.scores[name] for part in parts))
    scores = [part.scores["test"] for part in parts]
    return row | {"groups": by_group(study.dataset, study.dataset.test, scores)}
