"""How much of the label the shape of pairs gives away: rules fitted to train, tested on test."""

from annotation.stats.shape import Shapes, rule_figures
from evaluation.data import Pairs
from evaluation.experiments.datasets import refuse_unusable, source_sides
from evaluation.experiments.figures import Figures, size
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.experiments.sets import Dataset


def fits(study: Study) -> list[Fit]:
    """Return none: rules need no model. Raises Unusable."""
    refuse_unusable(study.dataset)
    return []


def figures(study: Study, _results: Results) -> Figures:
    dataset = study.dataset
    train, test = (_shapes(dataset, pairs) for pairs in (dataset.train, dataset.test))
    sizes = {"train": size(dataset.train), "test": size(dataset.test)}
    return {"sets": sizes, **rule_figures((train, test))}


def _shapes(dataset: Dataset, pairs: Pairs) -> Shapes:
    kinds = dataset.columns.get("kind", {})
    return Shapes.measure(
        pairs.texts,
        pairs.labels,
        dataset.language,
        kinds=[kinds.get(key, "") for key in pairs.ids],
        sides=source_sides(dataset, pairs),
    )
