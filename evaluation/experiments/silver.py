"""The noisy pairs of a release, on which a model is trained before those of people (PAWS 6.2)."""

from collections.abc import Mapping
from pathlib import Path

from evaluation.contract import Model, Pretrainable
from evaluation.data import Pairs, Unusable, read
from evaluation.experiments.datasets import SILVER, Dataset, Silver, labels, same, texts

LABEL = "noisy_label"
SAME_LABEL = {0: "no paraphrases", 1: "only paraphrases"}


def read_silver(folder: Path, dataset: Dataset, models: Mapping[str, Model]) -> Silver:
    """Read the noisy pairs of a release. Raises Unusable if no model can learn from them."""
    can = tuple(name for name, model in models.items() if isinstance(model, Pretrainable))
    if not can:
        raise Unusable(
            f"{', '.join(models)} cannot be trained on noisy labels first. Name another model "
            "with --models, such as bow or esim."
        )
    if not (folder / SILVER).is_file():
        raise Unusable(f"{dataset} has no {SILVER}. Name a release that has it.")
    table = read(folder / SILVER, label=LABEL)
    pairs = apart(table, dataset.dev + dataset.test)
    if len(values := labels(pairs)) < 2:
        what = SAME_LABEL[min(values)] if values else "no pairs"
        raise Unusable(
            f"{dataset}: {SILVER} has {what} without a sentence of dev or test, so nothing can be "
            "learned from it. Leave out --pretrain."
        )
    return Silver(pairs, len(table) - len(pairs), can)


def apart(pairs: Pairs, others: Pairs) -> Pairs:
    """Return the pairs that share no sentence (`same`) with the others."""
    keys = {*texts(others)}
    apart = (keys.isdisjoint(map(same, sentences)) for sentences in pairs.texts)
    return pairs.take([at for at, is_apart in enumerate(apart) if is_apart])
