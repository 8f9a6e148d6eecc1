"""What the shape of pairs gives away: in drafts, in the manifest and its card."""

from dataclasses import replace
from random import Random

import pytest

from annotation.stats.shape import READABLE
from releases.dataset import preview
from releases.dataset.card import card
from releases.dataset.plan import plan
from releases.dataset.preview import Reason
from releases.dataset.rows import PairRow, SentenceRow
from releases.dataset.shape import measure_shape
from releases.dataset.verification import differences
from releases.dataset.writers import Content, write_release
from tests.releases.dataset.studies import FACTS, FORMAT_1, SETTINGS, planned, study
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
    made = preview.summarize(
        planned_set(moves_are_paraphrases=moves_are_paraphrases), SETTINGS, "en"
    )
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


@pytest.mark.parametrize(("layout", "sees_lists"), [(4, False), (5, True)])
def test_only_releases_from_layout_5_on_have_the_rule_of_lists(layout, sees_lists, tmp_path):
    settings = replace(SETTINGS, layout=layout)
    rows = study(families=150)
    made = planned(rows, settings)
    figures = measure_shape(made.pairs, "en", sees_lists=sees_lists)
    assert ("list" in {rule["rule"] for rule in figures["rules"]}) == sees_lists
    facts = replace(FACTS, **made.figures("en") | {"shape": figures})
    content = Content([*made.pairs, *made.silver], rows.sentences, rows.judgments, **made.totals)
    write_release(tmp_path / "release", content, facts=facts, settings=settings)
    assert not list(differences(tmp_path / "release"))
