"""Of how many sentences presets of word swap make candidates."""

import json

import pytest
from django.conf import settings

from generation import methods, previews
from generation.models import Candidate, GenerationRun, Sentence

FILE = settings.BASE_DIR / "operations" / "demonstration" / "sentences.jsonl"
METHOD = methods.named("word_swap")
# Those of the demonstration were written to be swapped, so more of them are than of other texts.
# Where these move, the figures of cards and documents are to be measured again.
OF_DEMONSTRATION = {"default": 69, "more": 74, "paper": 92}


@pytest.fixture(scope="module")
def outcomes():
    """What each preset makes of a hundred sentences of the demonstration."""
    lines = FILE.read_text(encoding="utf-8").splitlines()[:100]
    texts = [json.loads(line)["text"] for line in lines]
    return {
        preset.name: [*METHOD.load(METHOD.configure(preset.settings), 0).outcomes(texts)]
        for preset in METHOD.presets
    }


def test_a_preset_gives_as_many_candidates_as_when_the_figures_of_its_card_were_measured(outcomes):
    for name, expected in OF_DEMONSTRATION.items():
        number = sum(bool(outcome.rewrites) for outcome in outcomes[name])
        assert abs(number - expected) <= 6, name


def test_the_number_that_a_preview_counts_for_another_preset_is_what_that_gives(outcomes):
    rows = [
        previews.Previewed(
            Sentence(),
            [
                Candidate(
                    text=rewrite.text,
                    probability=rewrite.probability,
                    alternatives=[other.as_alternative() for other in rewrite.alternatives],
                )
                for rewrite in outcome.rewrites
            ],
            "",
            outcome.refused.as_alternative() if outcome.refused else None,
        )
        for outcome in outcomes["default"]
    ]
    run = GenerationRun(method="word_swap", settings=METHOD.configure({}))
    number = sum(bool(outcome.rewrites) for outcome in outcomes["more"])
    assert previews.number_with(run, METHOD.preset("more"), rows) == number
