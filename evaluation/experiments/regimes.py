"""The regimes of PAWS-X over a release and its translations (PAWS-X Tables 4, 5 and 6)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TypeAlias

from annotation.stats.languages import by_languages_right, mean_over_targets
from evaluation.contract import THRESHOLD, Scores
from evaluation.data import Pairs, Unusable, read
from evaluation.experiments.datasets import together
from evaluation.experiments.figures import Figures, measured, size, spread
from evaluation.experiments.fits import Fit, Results, Study
from releases.dataset.translated.regimes import Regime, regimes

# Files to train on and to choose by: regimes that share them share a fit.
Files: TypeAlias = tuple[tuple[Path, ...], tuple[Path, ...]]


def fits(study: Study) -> list[Fit]:
    """Return a fit for each different training of the regimes. Raises Unusable.

    A regime of several dev sets is chosen by the accuracy on all their pairs together.
    """
    groups: defaultdict[Files, list[Regime]] = defaultdict(list)
    for regime in complete(study):
        groups[regime.train, regime.dev].append(regime)
    return [
        Fit(
            _data(some),
            model,
            seed,
            together(map(_read, train)),
            together(map(_read, dev)),
            {_cell(regime): _read(regime.test) for regime in some},
        )
        for (train, dev), some in groups.items()
        for model in study.models
        for seed in study.seeds
    ]


# One object for each file, so that fits share it and its digest is taken once.
_read = cache(read)


def every(study: Study) -> list[Regime]:
    """Return all regimes, the release itself first. Raises Unusable."""
    source, *translations = study.folders
    if not translations:
        raise Unusable("Regimes need translations. Name the release, then each translation of it.")
    try:
        return regimes(source, translations)
    except ValueError as error:
        raise Unusable(str(error)) from error


def complete(study: Study) -> list[Regime]:
    """Return the regimes whose files exist and have pairs. Raises Unusable if there are none."""
    found = [regime for regime in every(study) if not regime.missing]
    if not found:
        raise Unusable("No regime has all of its files: the releases lack train, dev or test sets.")
    return found


def _data(some: list[Regime]) -> str:
    return ", ".join(map(_cell, some))


def _cell(regime: Regime) -> str:
    return f"{regime.name}/{regime.language}"


def figures(study: Study, results: Results) -> Figures:
    """Return the cells of Table 4, means over the translations (5), and languages right (6)."""
    found = {fit.model: _of_model(study, results, fit.model) for fit in fits(study)}
    done = {_cell(regime) for regime in complete(study)}
    missing = [_cell(regime) for regime in every(study) if _cell(regime) not in done]
    tests = {regime.language: _read(regime.test) for regime in complete(study)}
    sets = [{"name": language, **size(pairs)} for language, pairs in tests.items()]
    return {"sets": sets, "missing": missing, "models": list(found.values())}


def _of_model(study: Study, results: Results, model: str) -> Figures:
    cells: Figures = defaultdict(dict)
    right: dict[str, dict[str, dict[str, bool]]] = defaultdict(dict)
    trained = {name: fit for fit in fits(study) if fit.model == model for name in fit.tests}
    for regime in complete(study):
        name, pairs = _cell(regime), _read(regime.test)
        scores = {
            seed: results[trained[name].data, model, seed].scores[name] for seed in study.seeds
        }
        cells[regime.name][regime.language] = spread(
            measured(pairs, one) for one in scores.values()
        )
        right[regime.name][regime.language] = _right(pairs, scores)
    source = study.dataset.language
    return {
        "model": model,
        "regimes": dict(cells),
        "means": {name: _means(of, source) for name, of in cells.items()},
        "right": {
            name: [asdict(row) for row in by_languages_right(of)] for name, of in right.items()
        },
    }


def _means(of: Mapping[str, Figures], source: str) -> Figures:
    """Return the means over the translations (Table 5)."""
    names = ("accuracy", "average_precision")
    known = {
        name: {lang: cell[name]["mean"] for lang, cell in of.items() if cell[name]}
        for name in names
    }
    return {name: mean_over_targets(values, source=source) for name, values in known.items()}


def _right(pairs: Pairs, scores: Mapping[int, Scores]) -> dict[str, bool]:
    """Return whether each pair is labelled right, for each seed: Table 6 counts them together."""
    return {
        f"{key}, seed {seed}": bool((score > THRESHOLD) == (label == 1))
        for seed, some in scores.items()
        for key, label, score in zip(pairs.ids, pairs.labels.tolist(), some, strict=True)
    }
