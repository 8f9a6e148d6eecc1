"""The ranking of a release as an experiment: its groups, and how well scorers and models rank them.

Models are fitted once, with the first seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import refuse_unusable
from evaluation.experiments.figures import Figures
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.ranking import report, scorers
from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.files import Ranking, counts
from evaluation.ranking.swaps import DEGREES, Group

DATA, GROUPS, APPENDED = "ranking", "groups", "appended"


def scored_sets(groups: Sequence[Group], rows: Sequence[AppendedRow]) -> dict[str, Pairs]:
    """Return the sets to score: the candidates of groups, and the pairs with appended text."""
    candidates = {GROUPS: report.pairs_of(groups)}
    return candidates | ({APPENDED: report.appended_pairs(rows)} if rows else {})


def fits(study: Study, ranking: Ranking) -> list[Fit]:
    """Return a fit for each model, which then scores the candidates. Raises Unusable."""
    refuse_unusable(study.dataset)
    if not ranking.groups:
        raise Unusable(
            f"No paraphrase in the test set of {study.dataset} has three kinds of words to "
            "exchange, so there is nothing to rank. In a study of your own, build a version with "
            "more paraphrases in its test set."
        )
    dataset, tests = study.dataset, scored_sets(ranking.groups, ())
    return [
        Fit(DATA, model, study.seeds[0], dataset.train, dataset.dev, tests)
        for model in study.models
    ]


def figures(study: Study, ranking: Ranking, results: Results) -> Figures:
    """Return R-Precision and Spearman's correlation of each scorer and model, times 100."""
    rows = [asdict(figures_of_scorer) for figures_of_scorer in _figures(study, ranking, results)]
    return {
        "counts": counts(ranking.groups, ranking.outcomes, 0),
        "scorers": [row | {"is_model": row["scorer"] in study.models} for row in rows],
    }


def _figures(study: Study, ranking: Ranking, results: Results) -> Iterator[report.Figures]:
    for name in scorers.NAMES:
        yield report.figures(name, scorers.scorer(name), ranking.groups)
    for model in study.models:
        scores = results[DATA, model, study.seeds[0]].scores[GROUPS]
        yield report.figures_of_scores(model, scores.reshape(len(ranking.groups), len(DEGREES)))
