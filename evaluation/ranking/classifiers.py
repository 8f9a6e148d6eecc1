"""Classifiers as scorers: fitted to the train set of a release, chosen by its dev set."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from evaluation.contract import Model
from evaluation.data import Pairs
from evaluation.ranking.scorers import Scorer
from evaluation.ranking.sources import opened, read_source


def fitted(
    names: Sequence[str], release: Path, *, folder: Path, seed: int
) -> Iterator[tuple[str, Scorer]]:
    """Yield each model by name, fitted; `folder` has the models that were fetched.

    Raises ValueError for a name that no model has, or a release that cannot be read.
    """
    models = [(name, _model(name, folder)) for name in names]
    with opened(release) as place:
        train, dev = (read_source(place, split=split).pairs for split in ("train", "dev"))
    for name, model in models:
        yield name, _fitted(model, train, dev, seed)


def _model(name: str, folder: Path) -> Model:
    # Imported here, because some models need torch.
    by_name = import_module("evaluation.models_by_name")
    found: Model = by_name.model(name, folder=folder)
    return found


def _fitted(model: Model, train: Pairs, dev: Pairs, seed: int) -> Scorer:
    return model.fit(train, dev, seed=seed).scores
