"""Scores for every judged pair by models that saw nothing of its family of connected sentences.

The families are dealt into folds. Each fold is scored by a model that is fitted to the others, one
of which chooses it. Where the score contradicts the label, the label is likely an error.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from common.draws import shuffled
from evaluation.contract import Scores
from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import judged
from evaluation.experiments.figures import Figures, by_group, size, spread
from evaluation.experiments.fits import Fit, Part, Results, Study, mean_scores
from evaluation.experiments.sets import Dataset, labels, together
from releases.dataset.families import connections
from releases.dataset.rows import SPLITS, ReleasedPair

# One fold is scored, one chooses, and the rest is trained on.
LEAST_FOLDS = 3
HELD_OUT = "held out"
COLUMNS = ("id", "split", "votes", "label", "score", "contradiction", "sentence1", "sentence2")


@dataclass(frozen=True, eq=False)
class Content:
    """The labelled pairs of a release and its judged pairs, with the family of each."""

    labelled: Pairs
    labelled_families: Sequence[str]
    judged: Pairs
    judged_families: Sequence[str]


def fits(study: Study) -> list[Fit]:
    """Return a fit for each fold, model and seed; seeds draw other folds. Raises Unusable."""
    content = read_content(study.dataset)
    return [
        Fit(f"fold {number}", model, seed, train, dev, {HELD_OUT: held_out})
        for seed in study.seeds
        for number, (train, dev, held_out) in enumerate(_folds(study, content, seed), start=1)
        for model in study.models
    ]


def read_content(dataset: Dataset) -> Content:
    """Read what is fitted to, and what is scored: judged pairs with a label. Raises Unusable."""
    texts = {row.id: row.text for row in dataset.sentences}
    rows = [
        row._replace(text1=texts[row.sentence1], text2=texts[row.sentence2])
        for row in (dataset.known or {}).values()
    ]
    connected = connections(dataset.sentences, rows, texts)
    judged_rows = judged(dataset)
    scored = Pairs.from_rows(
        (row.id, row.text1, row.text2, row.label)
        for row in rows
        if row.id in judged_rows and row.label is not None
    )
    if not len(scored):
        raise Unusable(f"{dataset} has no judged pairs with a label, so there is none to doubt.")
    labelled = together(dataset.split(name) for name in SPLITS)
    families = [[connected.find(text) for text in pairs.first] for pairs in (labelled, scored)]
    return Content(labelled, families[0], scored, families[1])


def _folds(study: Study, content: Content, seed: int) -> Iterator[tuple[Pairs, Pairs, Pairs]]:
    """Yield what trains, what chooses, and the judged pairs of each fold. Raises Unusable."""
    sizes = Counter([*content.labelled_families, *content.judged_families])
    fold_of = deal_folds(sizes, study.folds, seed=seed)
    fold_of_labelled = np.array([fold_of[key] for key in content.labelled_families])
    fold_of_judged = np.array([fold_of[key] for key in content.judged_families])
    for fold in range(study.folds):
        dev_fold = (fold + 1) % study.folds
        train = content.labelled.take(
            np.flatnonzero((fold_of_labelled != fold) & (fold_of_labelled != dev_fold))
        )
        dev = content.labelled.take(np.flatnonzero(fold_of_labelled == dev_fold))
        if len(labels(train)) < 2 or not len(dev):
            raise Unusable(
                f"{study.dataset} has too few families of connected sentences for {study.folds} "
                "folds. Take fewer folds, or a larger release."
            )
        yield train, dev, content.judged.take(np.flatnonzero(fold_of_judged == fold))


def deal_folds(sizes: Mapping[str, int], folds: int, *, seed: int) -> dict[str, int]:
    """Return the fold of each family: in random order, each goes where the fewest pairs are."""
    pairs, fold_of = [0] * folds, dict[str, int]()
    for key in shuffled(sizes, seed=seed, purpose="crossfit"):
        fold_of[key] = pairs.index(min(pairs))
        pairs[fold_of[key]] += sizes[key]
    return fold_of


def figures(study: Study, results: Results) -> Figures:
    pairs = read_content(study.dataset).judged
    models = [_figures(study, results, model, pairs) for model in study.models]
    return {"folds": study.folds, "sets": {"judged": size(pairs)}, "models": models}


def _figures(study: Study, results: Results, model: str, pairs: Pairs) -> Figures:
    fits_and_parts = [(fit, results[fit.key]) for fit in fits(study) if fit.model == model]
    scores = [_seed_scores(fits_and_parts, seed, pairs) for seed in study.seeds]
    return {
        "model": model,
        "parameters": fits_and_parts[0][1].parameters,
        "judged": spread(pairs, scores),
        "groups": by_group(study.dataset, pairs, scores),
    }


def _seed_scores(done: Sequence[tuple[Fit, Part]], seed: int, pairs: Pairs) -> Scores:
    [scores_by_pair] = mean_scores(
        done_fit for done_fit in done if done_fit[0].seed == seed
    ).values()
    return np.array([scores_by_pair[key] for key in pairs.ids])


def contradictions(study: Study, results: Results) -> dict[str, str]:
    """Return a table for each model: the pairs whose label it contradicts most come first."""
    pairs, rows_by_id = read_content(study.dataset).judged, judged(study.dataset)
    scores = mean_scores((fit, results[fit.key]) for fit in fits(study))
    return {model: _table(pairs, scores[model], rows_by_id) for model in study.models}


def _table(pairs: Pairs, scores: Mapping[str, float], known: Mapping[str, ReleasedPair]) -> str:
    rows = zip(pairs.ids, pairs.first, pairs.second, pairs.labels.tolist(), strict=True)
    ranked = sorted((-abs(label - scores[key]), key, *rest, label) for key, *rest, label in rows)
    lines = [
        (key, known[key].split or "", _votes(known[key]), label, scores[key], -apart, *texts)
        for apart, key, *texts, label in ranked
    ]
    return "".join("\t".join(map(str, line)) + "\n" for line in (COLUMNS, *lines))


def _votes(row: ReleasedPair) -> str:
    """Return the votes for 0 and for 1, such as "1-4"."""
    return "-".join(map(str, row.votes or ()))
