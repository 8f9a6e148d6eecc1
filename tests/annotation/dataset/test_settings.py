import json
from typing import Any

import pytest

from annotation.dataset.settings import ReleaseSettings


def test_settings_survive_json() -> None:
    settings = ReleaseSettings(
        seed=7,
        dev=8000,
        paraphrase_share=0.442,
        swap_methods=("word_swap", "partial"),
        noisy_labels={"word_swap": 0},
    )
    assert ReleaseSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


def test_a_missing_setting_takes_its_default() -> None:
    assert ReleaseSettings.from_dict({"seed": 7}) == ReleaseSettings(seed=7)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(ValueError, match="no such settings: sede"):
        ReleaseSettings.from_dict({"sede": 7})


@pytest.mark.parametrize(
    "wrong",
    [
        {"dev": -1},
        {"test": 1.5},
        {"unlabeled_dev": -0.1},
        {"paraphrase_share": 0.0},
        {"paraphrase_share": 1.0},
        {"consensus_min_votes": 6},
        {"paraphrase_from": 2},
    ],
)
def test_a_setting_that_means_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"share|cannot agree|each side"):
        ReleaseSettings.from_dict(wrong)
