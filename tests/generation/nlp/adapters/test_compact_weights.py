"""Weights written in sixteen bits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from thinc.api import Linear, Model, chain

from generation.nlp.adapters import compact_weights


def _network(hidden: int = 4) -> Model[Any, Any]:
    network: Model[Any, Any] = chain(Linear(nO=hidden, nI=3), Linear(nO=2, nI=hidden))
    return network.initialize()


def test_a_network_predicts_alike_after_its_weights_were_stored(tmp_path: Path) -> None:
    written, read = _network(), _network()
    compact_weights.save(written, tmp_path / "weights.npz")
    compact_weights.load(read, tmp_path / "weights.npz")
    inputs = np.ones((1, 3), np.float32)
    assert read.predict(inputs) == pytest.approx(written.predict(inputs), abs=1e-2)


def test_the_same_weights_give_the_same_bytes(tmp_path: Path) -> None:
    network = _network()
    compact_weights.save(network, tmp_path / "one.npz")
    compact_weights.save(network, tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_a_file_that_lacks_a_layer_is_refused(tmp_path: Path) -> None:
    compact_weights.save(Linear(nO=4, nI=3).initialize(), tmp_path / "weights.npz")
    with pytest.raises(KeyError):
        compact_weights.load(_network(), tmp_path / "weights.npz")
