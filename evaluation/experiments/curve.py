"""The learning curve: figures by the number of training pairs (PAWS Figure 4)."""

from collections import defaultdict
from collections.abc import Iterator
from math import ceil

import numpy as np

from common.draws import shuffled
from evaluation.contract import Scores
from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import refuse_unusable
from evaluation.experiments.figures import Figures, size, spread
from evaluation.experiments.fits import Fit, Results, Study, refuse_shared_base
from evaluation.experiments.sets import Dataset, labels
from evaluation.experiments.sharing import Scored, Training, plan, without_shared
from releases.dataset.families import Components, connect

# Percent of the families of connected sentences in train.
SHARES = (0, 10, 25, 50, 75, 100)


def fits(study: Study) -> list[Fit]:
    """Return a fit for each share of train, with the base set if there is one.

    For one seed, a share has all pairs of every smaller share. Shares whose pairs have one label
    alone, such as none without a base set, are left out. Raises Unusable.
    """
    refuse_unusable(study.dataset)
    refuse_shared_base(study, "dev", "test")
    study, _left_out = without_shared(study)
    fits_of_shares = [
        Fit(f"{share} %", model, seed, train, dev, {"test": study.dataset.test})
        for seed in study.seeds
        for share, train, dev in _train_sets(study, seed)
        for model in study.models
    ]
    if len({fit.data for fit in fits_of_shares}) < 2:
        raise Unusable(f"{study.dataset} has too few training pairs for a curve.")
    return fits_of_shares


def _train_sets(study: Study, seed: int) -> Iterator[tuple[int, Pairs, Pairs]]:
    groups = families(study.dataset)
    order = shuffled(groups, seed=seed, purpose="curve")
    for share in SHARES:
        keys = order[: ceil(share * len(order) / 100)]
        part = study.dataset.train.take(sorted(place for key in keys for place in groups[key]))
        train = part if study.base is None else study.base.train + part
        if len(labels(train)) == 2:
            dev = study.base.dev if study.base and not len(part) else study.dataset.dev
            yield share, train, dev


def families(dataset: Dataset) -> dict[str, list[int]]:
    """Return the places in train of the pairs of each family of connected sentences."""
    train, connected = dataset.train, Components()
    connect(connected, dataset.sentences, {row.id: row.text for row in dataset.sentences})
    for texts in train.texts:
        connected.link(*texts)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(train.first):
        groups[connected.find(text)].append(place)
    return groups


def figures(study: Study, results: Results) -> Figures:
    study, left_out = without_shared(study)
    sizes: defaultdict[str, list[int]] = defaultdict(list)
    for fit in fits(study):
        if fit.model == study.models[0]:
            number = len(fit.train) - (len(study.base.train) if study.base else 0)
            sizes[fit.data].append(number)
    models = [_figures(study, results, model, sizes) for model in study.models]
    said = {"left_out": left_out} if left_out else {}
    return {"sets": {"test": size(study.dataset.test)}, "models": models, **said}


def plans(study: Study) -> list[Scored]:
    """Return what the largest training shares with test."""
    dataset, base = study.dataset, study.base
    train = base.train + dataset.train if base else dataset.train
    tests = {"test": {"test": dataset.test}}
    return plan(Training("100 %", train, dataset.dev), tests, study.sharing, always=tests)


def _figures(study: Study, results: Results, model: str, sizes: dict[str, list[int]]) -> Figures:
    points = [
        {
            "share": share,
            "pairs": round(float(np.mean(pairs))),
            **spread(study.dataset.test, _scores(study, results, share, model)),
        }
        for share, pairs in sizes.items()
        if len(pairs) == len(study.seeds)
    ]
    return {"model": model, "points": points}


def _scores(study: Study, results: Results, share: str, model: str) -> list[Scores]:
    return [results[share, model, seed].scores["test"] for seed in study.seeds]
