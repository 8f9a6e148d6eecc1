"""Logistic regressions that ship as JSON: a constant, and weights of features by name."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Logistic:
    """The fitted weights; features without a weight count nothing."""

    constant: float
    weights: Mapping[str, float]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load weights from JSON. Raises OSError, ValueError or TypeError."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def probability(self, features: Mapping[str, float]) -> float:
        named = ((self.weights.get(name, 0.0), value) for name, value in features.items())
        return logistic(self.constant + sum(weight * value for weight, value in named))


def logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))
