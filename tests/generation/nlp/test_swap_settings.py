import json
from typing import Any

import pytest

from generation.nlp.kinds import Kind
from generation.nlp.swap_settings import WordSwapSettings


def test_settings_survive_json() -> None:
    settings = WordSwapSettings(movable=(Kind.NOUN,), beam=7, threshold=2, seed=5)
    assert WordSwapSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


def test_what_is_left_out_has_its_default() -> None:
    assert WordSwapSettings.from_dict({}) == WordSwapSettings()


@pytest.mark.parametrize(
    "values",
    [
        {"beams": 5},
        {"beam": "5"},
        {"beam": True},
        {"beam": 0},
        {"threshold": float("nan")},
        {"entity_probability": 1.5},
        {"fix_quotes": 1},
        {"movable": "name"},
        {"movable": ["mixed"]},
        {"movable": ["proverb"]},
    ],
)
def test_unknown_keys_and_wrong_values_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        WordSwapSettings.from_dict(values)
