"""Fitted models as scorers."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from evaluation import models_by_name
from evaluation.ranking.sources import read_source
from tests.evaluation.ranking.test_files import ranking, table, tell

__all__ = ["ranking", "table"]


class Memory:
    """A model that remembers the pairs it was fitted to."""

    def fit(self, train, dev, *, seed):
        self.seen = (train, dev, seed)
        return SimpleNamespace(scores=lambda pairs: np.full(len(pairs), 0.75))


@pytest.fixture
def memory(monkeypatch):
    model = Memory()
    monkeypatch.setattr(models_by_name, "model", lambda name, folder: {"memory": model}[name])
    return model


def test_models_are_fitted_to_train_and_dev_and_never_see_test(ranking, release, memory, tmp_path):
    arguments = ("--models", "memory", "--release", release, "--scorers", "", "--seed", 5)
    tell("rank", ranking, *arguments, "--json", tmp_path / "figures.json")
    train, dev, seed = memory.seen
    test = read_source(release).pairs
    assert (train.ids, dev.ids) == tuple(
        read_source(release, split=split).pairs.ids for split in ("train", "dev")
    )
    assert not {*train.ids, *dev.ids} & {*test.ids}
    assert seed == 5
    [right] = json.loads((tmp_path / "figures.json").read_text())["right"]
    assert (right["model"], right["swaps"]) == ("memory", [1.0, 0.0, 0.0, 0.0])
