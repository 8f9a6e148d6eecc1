"""The presets of word swap."""

from typing import Any

from generation.nlp.phrases import MOVABLE, Kind
from generation.nlp.settings import Preset, WordSwapSettings, _

NOT_IN_PAPER = (Kind.NOUN_PHRASE, Kind.ADVERBIAL)
# Those accepted of those read: sentences of Wikipedia, exchanges and moves, of the sets
# `lists test`, `test` and `paper` of docs/researcher/word_swap_readings.tsv.
PRESETS = (
    Preset(
        "balanced",
        _("Recommended"),
        _(
            "Both paraphrases and others among moves and among swaps, so that the shape of a pair "
            "tells little. Up to two candidates of a sentence."
        ),
        {"balance": True, "list_pruning_keep": 1.0, "per_sentence": 2},
        (
            "The old roof of slate was replaced by a new roof of copper in 1926.",
            "The old roof of slate was replaced in 1926 by a new roof of copper.",
        ),
        19,
        (72, 85),
    ),
    Preset(
        "default",
        _("One per sentence"),
        _(
            "One swap or move that people will probably accept as it is. Most moves are "
            "paraphrases, most swaps are not."
        ),
        {},
        (
            "Her first album sold poorly in Canada and surprisingly well in Japan.",
            "Her first album sold poorly in Japan and surprisingly well in Canada.",
        ),
        20,
        (183, 217),
    ),
    Preset(
        "more",
        _("More candidates"),
        _("A lower minimum probability of acceptance. More odd candidates."),
        {"acceptance": 0.55},
        (
            "The animal sleeps by day in hollow trees and hunts by night on open ground.",
            "The animal sleeps by night in hollow trees and hunts by day on open ground.",
        ),
        27,
        (214, 265),
    ),
    Preset(
        "paper",
        _("PAWS paper"),
        _("Any number of swaps, limited only by the likelihood of the sentence (PAWS 3.1)."),
        {
            "movable": [kind for kind in MOVABLE if kind not in NOT_IN_PAPER],
            "max_changes": 1_000,
            "acceptance": 0.0,
            "threshold": 3.0,
            "largest_fall": 1_000.0,
            "likeness": -1.0,
            "entity_probability": 0.95,
            "rules": False,
            "fix_quotes": False,
            "fix_brackets": False,
        },
        (
            "The bell has a low tone that carries far across the marshes.",
            "The bell carries a low tone that has far across the marshes.",
        ),
        65,
        (21, 60),
    ),
)


def settings_of(name: str, **others: Any) -> WordSwapSettings:
    """Return the settings of a preset, overridden by others. Raises ValueError."""
    values_by_name = {preset.name: preset.settings for preset in PRESETS}
    if name not in values_by_name:
        raise ValueError(f"There is no preset {name!r}; there are {', '.join(values_by_name)}.")
    return WordSwapSettings.from_dict({**values_by_name[name], **others})
