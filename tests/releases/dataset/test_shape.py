"""What the shape of pairs gives away: in drafts, in the manifest and its card."""

from random import Random

import pytest

from annotation.stats.shape import READABLE
from releases.dataset import preview
from releases.dataset.card import card
from releases.dataset.plan import plan
from releases.dataset.preview import Reason
from releases.dataset.rows import PairRow, SentenceRow
from tests.releases.dataset.studies import FACTS, FORMAT_1, SETTINGS
from tests.releases.dataset.test_card import COUNTS

WORDS = [f"word{number}" for number in range(60)]


def planned_set(*, moves_are_paraphrases):
    """600 pairs, half of them rotations; a share of these, and of the others, are paraphrases."""
    random, sentences, pairs = Random(0), [], []
    for number in range(600):
        words, label, is_move = random.sample(WORDS, 8), number % 2, random.random() < 0.5
        if moves_are_paraphrases:
            is_move = label == 1
        first, last, *middle = words
        other = [*words[3:], *words[:3]] if is_move else [last, first, *middle]
        source, swap = f"s{number}", f"t{number}"
        sentences.append(SentenceRow(source, " ".join(words), source))
        sentences.append(SentenceRow(swap, " ".join(other), source, source, "back_translation"))
        tally = (5 * (1 - label), 5 * label)
        pairs.append(PairRow(f"p{number:03}", source, swap, "back_translation", tally))
    return plan(sentences, pairs, settings=SETTINGS)


@pytest.mark.parametrize("moves_are_paraphrases", [True, False])
def test_a_draft_warns_if_labels_are_readable_from_the_shape_of_pairs(moves_are_paraphrases):
    made = preview.summarize(planned_set(moves_are_paraphrases=moves_are_paraphrases), SETTINGS)
    warnings = {notice.reason: notice.figures for notice in made.warnings}
    expected = {"rule": "rotation", "points": 50} if moves_are_paraphrases else None
    assert warnings.get(Reason.READABLE_SHAPE) == expected


def test_the_card_says_which_rule_tells_the_label():
    figures = planned_set(moves_are_paraphrases=True).figures("en")["shape"]
    assert figures["verdict"] == READABLE
    text = card(
        FACTS, SETTINGS, COUNTS | {"shape": figures}, simulated=False, release_format=FORMAT_1
    )
    assert "## Shape of pairs\n\nThis set is readable from its shape" in text
    assert "sentence 2 is a rotation of the words of sentence 1" in text
