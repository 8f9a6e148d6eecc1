"""Adverbials that move between the beginning and the end of a sentence."""

from dataclasses import replace

import pytest

from generation.nlp import acceptance, vector_likeness
from generation.nlp.phrases import Kind
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence
from generation.nlp.word_swap import swaps
from generation.nlp.words import words
from tests.generation.nlp.toy import Bigrams, tagged

ONLY = WordSwapSettings(movable=(Kind.ADVERBIAL,), threshold=1000.0, min_tokens=1)
SWAP = "In/IN 1951/CD ,/, Ann/NNP left/VBD Bob/NNP ./."


def moved(text):
    """The rewrite of a sentence in which only an adverbial moves; None without one."""
    (outcome,) = swaps([tagged(text)], Bigrams(), ONLY)
    return outcome.rewrites[0].text if outcome.rewrites else None


@pytest.mark.parametrize(
    ("text", "rewrite"),
    [
        (  # PAWS, Figure 3
            "On/IN April/NNP 2/CD Jenkins/NNP married/VBD Ivy/NNP ./.",
            "Jenkins married Ivy on April 2.",
        ),
        ("He/PRP moved/VBD to/IN York/NNP in/IN 1951/CD ./.", "In 1951, he moved to York."),
        (
            "In/IN May/NNP 1951/CD ,/, the/DT man/NN moved/VBD ./.",
            "The man moved in May 1951.",
        ),
        (
            "On/IN May/NNP 2/CD ,/, 1951/CD ,/, the/DT man/NN moved/VBD ./.",
            "The man moved on May 2, 1951.",
        ),
        (
            "But/CC when/WRB it/PRP rained/VBD ,/, they/PRP went/VBD home/NN ./.",
            "But they went home when it rained.",
        ),
        (
            "The/DT hall/NN is/VBZ old/JJ ,/, although/IN it/PRP shines/VBZ new/JJ ./.",
            "Although it shines new, the hall is old.",
        ),
        (
            "If/IN it/PRP rains/VBZ hard/RB ,/, will/MD you/PRP come/VB ?/.",
            "Will you come if it rains hard?",
        ),
        (
            "To/TO win/VB “/`` gold/NN ”/'' ,/, she/PRP ran/VBD fast/RB ./.",
            "She ran fast to win “gold”.",
        ),
        ("Today/NN ,/, the/DT hall/NN shines/VBZ ./.", "The hall shines today."),
    ],
)
def test_an_adverbial_moves_with_its_comma_and_its_capital(text, rewrite):
    assert moved(text) == rewrite
    before, after = (words(each.lower()) for each in (tagged(text).text, rewrite))
    assert sorted(before) == sorted(after)


def test_marks_of_tokenised_text_keep_their_spaces():
    """As in the files of PAWS."""
    for text, rewrite in (
        ("In/IN 1951/CD ,/, he/PRP left/VBD York/NNP ./.", "He left York in 1951 ."),
        ("He/PRP left/VBD York/NNP in/IN 1951/CD ./.", "In 1951 , he left York ."),
    ):
        tokens = tuple(replace(token, space=" ") for token in tagged(text).tokens)
        (outcome,) = swaps([TaggedSentence(tokens, ())], Bigrams(), ONLY)
        assert outcome.rewrites[0].text.rstrip() == rewrite


@pytest.mark.parametrize(
    "text",
    [
        "For/IN example/NN ,/, the/DT hall/NN is/VBZ old/JJ ./.",  # links to the sentence before
        "After/IN all/DT ,/, the/DT hall/NN is/VBZ old/JJ ./.",
        "Born/VBN in/IN York/NNP ,/, she/PRP ran/VBD fast/RB ./.",
        "In/IN York/NNP ,/, Rome/NNP ,/, and/CC Bonn/NNP ,/, she/PRP ran/VBD ./.",
        "In/IN 1951/CD ,/, he/PRP left/VBD York/NNP in/IN May/NNP ./.",  # two times
        "In/IN “/`` 1951/CD ,/, he/PRP left/VBD ”/'' York/NNP ./.",  # half a quotation
        "In/IN 1951/CD ,/, he/PRP left/VBD the/DT U.S./NNP ./.",
        "I/PRP ask/VBP you/PRP if/IN it/PRP rained/VBD here/RB ./.",  # bound to the word before
        "It/PRP shines/VBZ even/RB if/IN it/PRP rained/VBD here/RB ./.",
        "He/PRP is/VBZ an/DT author/NN born/VBN in/IN 1951/CD ./.",
        "The/DT film/NN was/VBD a/DT loss/NN in/IN 1951/CD ./.",
        "They/PRP left/VBD York/NNP in/IN time/NN for/IN tea/NN ./.",
        "It/PRP was/VBD open/JJ until/IN 2014/CD when/WRB he/PRP left/VBD York/NNP ./.",
        "He/PRP left/VBD the/DT U.S./NNP in/IN 1951/CD ./.",  # would end with two full stops
        "Pink/JJ Floyd/NNP left/VBD Rome/NNP in/IN 1951/CD ./.",  # a name that begins as a word
        "To/TO be/VB honest/JJ ,/, he/PRP left/VBD York/NNP ./.",
    ],
)
def test_an_adverbial_stays_that_is_no_adverbial_or_would_read_oddly(text):
    assert moved(text) is None


def test_a_move_is_the_candidate_only_without_an_exchange_and_else_an_alternative():
    weights = acceptance.load_embedded()
    both = WordSwapSettings(threshold=1000.0, largest_fall=1000.0, likeness=-1.0, acceptance=0.01)
    model, likeness = Bigrams(), vector_likeness.load_embedded()
    (outcome,) = swaps([tagged(SWAP)], model, both, likeness, weights)
    (best,) = outcome.rewrites
    assert (best.kind, best.text) == (Kind.NAME, "In 1951, Bob left Ann.")
    (other,) = best.alternatives
    assert (other.kind, other.text) == (Kind.ADVERBIAL, "Ann left Bob in 1951.")
    assert other.probability > best.probability
