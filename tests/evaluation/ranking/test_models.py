"""Fitted models as scorers."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.ranking import classifiers
from evaluation.ranking.sources import read_source


class Memory:
    """A model that remembers the pairs it was fitted to."""

    def fit(self, train, dev, *, seed):
        self.seen = (train, dev, seed)
        return SimpleNamespace(scores=lambda pairs: np.full(len(pairs), 0.75))


@pytest.fixture
def memory(monkeypatch):
    model = Memory()
    names = SimpleNamespace(model=lambda name, folder: {"memory": model}[name])
    monkeypatch.setitem(sys.modules, "evaluation.models_by_name", names)
    return model


def test_models_are_fitted_to_train_and_dev_and_never_see_test(release, memory, tmp_path):
    named = dict(classifiers.fitted(["memory"], release, folder=tmp_path, seed=5))
    train, dev, seed = memory.seen
    test = read_source(release).pairs
    assert (train.ids, dev.ids) == tuple(
        read_source(release, split=split).pairs.ids for split in ("train", "dev")
    )
    assert not {*train.ids, *dev.ids} & {*test.ids}
    assert seed == 5
    assert named["memory"](test).tolist() == [0.75] * len(test)
