"""The regimes of PAWS-X over a release and its translations (PAWS-X Tables 4, 5 and 6)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, reduce
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from evaluation.contract import Scores
from evaluation.data import Pairs, Unusable, read_pairs
from evaluation.experiments.figures import Figures, size, spread
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.experiments.sets import together
from evaluation.measures import right
from releases.dataset.translated.regimes import Regime, regimes

# Files to train on and to choose by: regimes that share them share a fit.
Files: TypeAlias = tuple[tuple[Path, ...], tuple[Path, ...]]


def fits(study: Study) -> list[Fit]:
    """A regime of several dev sets is chosen by all their pairs together. Raises Unusable."""
    groups: defaultdict[Files, list[Regime]] = defaultdict(list)
    for regime in complete_regimes(study):
        groups[regime.train, regime.dev].append(regime)
    read_once = cache(read_pairs)
    return [
        Fit(
            ", ".join(map(_cell_name, regimes_of_fit)),
            model,
            seed,
            together(map(read_once, train)),
            together(map(read_once, dev)),
            {_cell_name(regime): read_once(regime.test) for regime in regimes_of_fit},
        )
        for (train, dev), regimes_of_fit in groups.items()
        for model in study.models
        for seed in study.seeds
    ]


def all_regimes(study: Study) -> list[Regime]:
    """Return all regimes, the release itself first. Raises Unusable."""
    source, *translations = study.folders
    if not translations:
        raise Unusable("Regimes need translations. Name the release, then each translation of it.")
    try:
        return regimes(source, translations)
    except ValueError as error:
        raise Unusable(str(error)) from error


def complete_regimes(study: Study) -> list[Regime]:
    """Return the regimes whose files exist and have pairs. Raises Unusable if there are none."""
    complete = [regime for regime in all_regimes(study) if not regime.missing]
    if not complete:
        raise Unusable("No regime has all of its files: the releases lack train, dev or test sets.")
    return complete


def _cell_name(regime: Regime) -> str:
    return f"{regime.name}/{regime.language}"


def figures(study: Study, results: Results) -> Figures:
    """Return the cells of Table 4, means over the translations (5), and languages right (6)."""
    planned, regimes_done = fits(study), complete_regimes(study)
    tests = {name: pairs for fit in planned for name, pairs in fit.tests.items()}
    sets = {regime.language: size(tests[_cell_name(regime)]) for regime in regimes_done}
    models = [
        _figures(study, results, [fit for fit in planned if fit.model == model], regimes_done)
        for model in study.models
    ]
    return {
        "sets": [{"name": language, **sizes} for language, sizes in sets.items()],
        "missing": [_cell_name(regime) for regime in all_regimes(study) if regime.missing],
        "models": models,
    }


def _figures(
    study: Study, results: Results, planned: Sequence[Fit], regimes: Sequence[Regime]
) -> Figures:
    cells: Figures = defaultdict(dict)
    right_by_regime: dict[str, dict[str, dict[str, bool]]] = defaultdict(dict)
    for regime in regimes:
        name = _cell_name(regime)
        fits_with_test = [fit for fit in planned if name in fit.tests]
        scores = {fit.seed: results[fit.key].scores[name] for fit in fits_with_test}
        pairs = fits_with_test[0].tests[name]
        cells[regime.name][regime.language] = spread(pairs, scores.values())
        right_by_regime[regime.name][regime.language] = _right_by_pair_and_seed(pairs, scores)
    source = study.dataset.language
    return {
        "model": planned[0].model,
        "regimes": dict(cells),
        "means": {name: _means(by_language, source) for name, by_language in cells.items()},
        "right": {
            name: list(map(asdict, counts_by_languages_right(by_language)))
            for name, by_language in right_by_regime.items()
        },
    }


def _means(figures_by_language: Mapping[str, Figures], source: str) -> Figures:
    """Return the means over the translations (Table 5)."""
    names = ("accuracy", "average_precision")
    scores_by_regime = {
        name: {lang: cell[name]["mean"] for lang, cell in figures_by_language.items() if cell[name]}
        for name in names
    }
    return {
        name: mean_over_targets(values, source=source) for name, values in scores_by_regime.items()
    }


def _right_by_pair_and_seed(pairs: Pairs, scores: Mapping[int, Scores]) -> dict[str, bool]:
    """Return whether each pair is labelled right, for each seed: Table 6 counts them together."""
    return {
        f"{key}, seed {seed}": is_right
        for seed, scores_of_seed in scores.items()
        for key, is_right in zip(
            pairs.ids, right(pairs.labels, scores_of_seed).tolist(), strict=True
        )
    }


@dataclass(frozen=True, slots=True)
class Right:
    """How many pairs were labelled right in `fewest` to `most` languages, and their share."""

    fewest: int
    most: int
    pairs: int
    share: float


def mean_over_targets(scores: Mapping[str, float], *, source: str) -> float | None:
    """Return the mean of a score over the languages other than the source (Table 5).

    Each language has the same weight. None without another language.

    >>> mean_over_targets({"en": 93.5, "fr": 89.0, "ja": 79.0}, source="en")
    84.0
    """
    targets = [score for language, score in scores.items() if language != source]
    return fmean(targets) if targets else None


def count_languages_right(right: Mapping[str, Mapping[str, bool]]) -> Counter[int]:
    """Count pairs by the languages in which they are right; all languages must have a pair."""
    common = _pairs_of_all_languages(right)
    return Counter(sum(by_pair[pair] for by_pair in right.values()) for pair in common)


def counts_by_languages_right(right: Mapping[str, Mapping[str, bool]]) -> list[Right]:
    """Return the counts for no language, 1-2, 3-4 and so on, and all (Table 6)."""
    counts = count_languages_right(right)
    if not (total := counts.total()):
        return []
    return [_right_of_range(counts, few, many, total) for few, many in _ranges(len(right))]


def _pairs_of_all_languages(right: Mapping[str, Mapping[str, bool]]) -> set[str]:
    ids = (set(by_pair) for by_pair in right.values())
    return reduce(set.intersection, ids) if right else set()


def _ranges(languages: int) -> Iterator[tuple[int, int]]:
    yield 0, 0
    for few in range(1, languages, 2):
        yield few, min(few + 1, languages - 1)
    yield languages, languages


def _right_of_range(counts: Counter[int], fewest: int, most: int, whole: int) -> Right:
    pairs = sum(counts[number] for number in range(fewest, most + 1))
    return Right(fewest, most, pairs, pairs / whole)
