"""Figures of scores, as JSON values: for one set of scores, over seeds, and by groups of pairs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from annotation.stats.overlap import jaccard, words_of
from evaluation import measures
from evaluation.contract import Scores
from evaluation.data import Pairs
from evaluation.experiments.sets import Dataset

Figures: TypeAlias = dict[str, Any]
DIGITS = 6
DECILES = 10
# Keeps 0.3, which is 0.29999... as a float, in its own tenth.
EDGE = 1e-9
NOT_JUDGED, UNKNOWN = "not judged", "not known"


def measure_scores(pairs: Pairs, scores: Scores) -> Figures:
    """Return every measure of the scores of pairs; None where it is undefined."""
    shares = measures.confusion(pairs.labels, scores).scores
    values = {
        "accuracy": shares.accuracy,
        "average_precision": measures.average_precision(pairs.labels, scores),
        "trapezoid": measures.trapezoid(pairs.labels, scores),
        "f1": shares.f1,
        "precision": shares.precision,
        "recall": shares.recall,
    }
    return {name: _round(value) for name, value in values.items()}


def spread(pairs: Pairs, scores_of_seeds: Iterable[Scores]) -> Figures:
    """Return mean, lowest and highest of each measure over the seeds, and the figures of each."""
    figures_of_seeds = [measure_scores(pairs, scores) for scores in scores_of_seeds]
    by_name = {
        name: [
            figures_of_seed[name]
            for figures_of_seed in figures_of_seeds
            if figures_of_seed[name] is not None
        ]
        for name in figures_of_seeds[0]
    }
    return {"seeds": figures_of_seeds, **{name: _span(values) for name, values in by_name.items()}}


def _span(values: Sequence[float]) -> Figures | None:
    if not values:
        return None
    mean = _round(float(np.mean(values)))
    return {"mean": mean, "low": min(values), "high": max(values)}


def size(pairs: Pairs) -> Figures:
    return {"pairs": len(pairs), "paraphrases": int((pairs.labels == 1).sum())}


def by_group(dataset: Dataset, pairs: Pairs, of_seeds: Sequence[Scores]) -> Figures:
    seeds = [measures.right(pairs.labels, scores) for scores in of_seeds]
    right = np.mean(np.array(seeds, dtype=np.float64), axis=0)
    return {name: _accuracies(groups, right) for name, groups in _groups(dataset, pairs).items()}


def _accuracies(groups: Sequence[str], is_right: Scores) -> Figures:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        places[group].append(place)
    return {
        group: {
            "pairs": len(places_of_group),
            "accuracy": _round(float(is_right[places_of_group].mean())),
        }
        for group, places_of_group in sorted(places.items())
    }


def _groups(dataset: Dataset, pairs: Pairs) -> Mapping[str, list[str]]:
    """Return the group of each pair in each division that the release allows."""
    groups: dict[str, list[str]] = {}
    rows = [(dataset.known or {}).get(key) for key in pairs.ids]
    if any(row and row.method for row in rows):
        groups["method"] = [(row.method or row.origin) if row else NOT_JUDGED for row in rows]
    if any(row and row.votes for row in rows):
        groups["votes"] = [_votes(row.votes if row else None) for row in rows]
    if dataset.kinds is not None:
        groups["kind"] = [dataset.kinds[key] for key in pairs.ids]
    for name in ("method", "domain", "generator", "grade"):
        cells = [dataset.columns.get(name, {}).get(key, "") for key in pairs.ids]
        if any(cells):
            groups.setdefault(name, [cell or UNKNOWN for cell in cells])
    words = words_of(dataset.language)
    groups["jaccard"] = [_tenth(jaccard(words(text1), words(two))) for text1, two in pairs.texts]
    return groups


def _votes(votes: tuple[int, ...] | None) -> str:
    return f"{max(votes)}-{min(votes)}" if votes else NOT_JUDGED


def _tenth(value: float) -> str:
    low = min(DECILES - 1, int(DECILES * value + EDGE)) / DECILES
    return f"{low:.1f}-{low + 1 / DECILES:.1f}"


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
