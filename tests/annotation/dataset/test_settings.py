"""The choices of a release: through JSON and back, and refused where they mean nothing."""

import json

import pytest

from annotation.dataset.settings import ReleaseSettings
from annotation.stats.consensus import Protocol

OTHER = ReleaseSettings(
    seed=7, dev=8000, paraphrase_share=0.442, recombination_reach=None, decides_early=True,
    swap_methods=("word_swap", "partial"), noisy_labels={"word_swap": 0},
    annotators_per_pair=3, consensus_min_votes=2, max_label=3, paraphrase_from=2,
)  # fmt: skip
BEFORE = {
    "seed": 0, "annotators_per_pair": 5, "consensus_min_votes": 4, "max_label": 1,
    "paraphrase_from": 1, "dev": 0.1, "test": 0.1, "unlabeled_dev": 0.1, "paraphrase_share": None,
    "recombine": True, "recombination_reach": 1, "swap_methods": ["word_swap"],
    "noisy_labels": {"word_swap": 0, "back_translation": 1},
}  # fmt: skip


def test_settings_come_back_from_json_as_they_were():
    for settings in (ReleaseSettings(), OTHER):
        assert ReleaseSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert ReleaseSettings.from_dict({"seed": 7}) == ReleaseSettings(seed=7)
    assert OTHER.protocol == Protocol(3, 2, 3, 2, decides_early=True)
    # Releases that were made before `decides_early` are written as they were.
    assert ReleaseSettings.from_dict(BEFORE).to_dict() == BEFORE


def test_a_setting_that_means_nothing_is_refused():
    for wrong, why in (
        ({"sede": 7, "last": 1}, "no such settings: last, sede"),
        ({"dev": -1}, "dev is -1, neither a whole number of pairs nor a share from 0 to 1"),
        ({"test": 1.5}, "test is 1.5, neither"),
        ({"test": float("nan")}, "test is nan, neither"),
        ({"unlabeled_dev": -0.1}, "unlabeled_dev is -0.1, neither"),
        ({"paraphrase_share": 0.0}, "paraphrase_share is 0.0, not a share between 0 and 1"),
        ({"paraphrase_share": 1.0}, "paraphrase_share is 1.0, not a share"),
        ({"recombination_reach": 0}, "recombination_reach is 0; it is at least 1"),
        ({"noisy_labels": {"word_swap": 2}}, "label of word_swap is 2, neither 0 nor 1"),
        ({"consensus_min_votes": 6}, "6 of 5 votes cannot agree"),
        ({"paraphrase_from": 2}, "on each side"),
    ):
        with pytest.raises(ValueError, match=why):
            ReleaseSettings.from_dict(wrong)
    assert ReleaseSettings.from_dict({"dev": 0, "test": 1.0, "unlabeled_dev": 2}).test == 1
