"""Each model on one release (PAWS Tables 7 and 8).

Also with a base set, and trained on the release's noisy labels first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.experiments.datasets import refuse_unusable
from evaluation.experiments.figures import Figures, by_group, size, spread
from evaluation.experiments.fits import Fit, Results, Study, refuse_shared_base
from evaluation.experiments.sharing import ALONE, Scored, Training, plan

TRAIN, BASE, BOTH = ALONE, "base", "base+train"
PRETRAINED = "pretrained"
RELEASE, BASE_TEST = "release", "base test"


def fits(study: Study) -> list[Fit]:
    """With noisy pairs, the fits to these and then to train follow.

    Raises Unusable, also if the base set has a sentence of dev or test.
    """
    refuse_unusable(study.dataset)
    refuse_shared_base(study, "dev", "test")
    plain_fits = [
        scored.fit(model, seed)
        for scored in plans(study)
        if not scored.is_skipped
        for model in study.models
        for seed in study.seeds
    ]
    return [*plain_fits, *_pretrained_fits(study)]


def plans(study: Study) -> list[Scored]:
    """Return what is scored by each training: dev and test, and the test set of a base release."""
    return [scored for _, plans_of_training in _plans(study) for scored in plans_of_training]


def _plans(study: Study) -> list[tuple[str, list[Scored]]]:
    test_sets = {name: study.dataset.split(name) for name in ("dev", "test")}
    of_base = {BASE_TEST: study.base.test} if study.base and len(study.base.test) else {}
    trainings = [Training(TRAIN, study.dataset.train, study.dataset.dev)]
    if base := study.base:
        both = base.train + study.dataset.train
        trainings += [
            Training(BASE, base.train, base.dev),
            Training(BOTH, both, study.dataset.dev),
        ]
    return [
        (
            training.name,
            plan(
                training,
                {RELEASE: test_sets}
                | ({BASE: of_base} if of_base and training.name != TRAIN else {}),
                study.sharing,
                always=[RELEASE],
            ),
        )
        for training in trainings
    ]


def _pretrained_fits(study: Study) -> Iterator[Fit]:
    if silver := study.silver:
        plan_of_release = plans(study)[0]
        for model in silver.models:
            for seed in study.seeds:
                yield replace(
                    plan_of_release.fit(model, seed), data=PRETRAINED, before=silver.pairs
                )


def figures(study: Study, results: Results) -> Figures:
    sets = {name: size(study.dataset.split(name)) for name in ("train", "dev", "test")}
    if study.base and len(study.base.test):
        sets["base_test"] = size(study.base.test)
    models = [
        _figures(study, results, name, model, plans_of_training)
        for name, plans_of_training in _plans(study)
        for model in study.models
    ]
    pretrained = study.silver.models if study.silver else ()
    models += [_row(study, results, PRETRAINED, model) for model in pretrained]
    return {"sets": sets, "models": models}


def _figures(
    study: Study, results: Results, data: str, model: str, scored: Sequence[Scored]
) -> Figures:
    row = _row(study, results, data, model)
    for one in scored:
        for test in one.tests:
            row[test.replace(" ", "_")] = one.figures(test, results, model, study.seeds)
    return row


def _row(study: Study, results: Results, data: str, model: str) -> Figures:
    parts = [results[data, model, seed] for seed in study.seeds]
    row: Figures = {"data": data, "model": model, "parameters": parts[0].parameters}
    for name in ("dev", "test"):
        pairs = study.dataset.split(name)
        row[name] = spread(pairs, (part.scores[name] for part in parts))
    scores = [part.scores["test"] for part in parts]
    return row | {"groups": by_group(study.dataset, study.dataset.test, scores)}
