"""Stores weights of a thinc network as float16: half the size, without measurable loss."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from thinc.api import Model


def save(model: Model[Any, Any], path: Path) -> None:
    """Write the parameters of all layers to one .npz file."""
    halves: dict[str, Any] = {
        key: np.asarray(node.get_param(name)).astype(np.float16)
        for key, node, name in _parameters(model)
    }
    np.savez(path, **halves)


def load(model: Model[Any, Any], path: Path) -> None:
    """Load parameters into an initialised network of the same shape.

    Raises KeyError if the file lacks a parameter of the network.
    """
    with np.load(path) as stored:
        for key, node, name in _parameters(model):
            node.set_param(name, stored[key].astype(np.float32))


def _parameters(model: Model[Any, Any]) -> Iterator[tuple[str, Model[Any, Any], str]]:
    for number, node in enumerate(model.walk()):
        for name in node.param_names:
            if node.has_param(name):
                yield f"{number}.{name}", node, name
