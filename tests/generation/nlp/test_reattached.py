"""Moves that only a balanced run makes: into another clause, of clauses, of adverbials in a row."""

import pytest

from generation.nlp import adjacent_adverbials, clause_exchanges, reattached_adverbials
from generation.nlp.phrases import Kind
from generation.nlp.settings import WordSwapSettings
from generation.nlp.templates import Sentence
from generation.nlp.word_swap import swaps
from tests.generation.nlp.toy import Bigrams, tagged

SLEPT = "The/DT king/NN slept/VBD badly/RB after/IN he/PRP ate/VBD old/JJ fish/NN ./."


def texts_of(build, text):
    sentence = Sentence.from_tagged(tagged(text), WordSwapSettings())
    return [move.template.text(move.template.source) for move in build(sentence)]


@pytest.mark.parametrize(
    ("text", "rewrite"),
    [
        (
            "In/IN 1951/CD ,/, he/PRP said/VBD that/IN she/PRP had/VBD left/VBN ./.",
            "He said that she had left in 1951.",
        ),
        (
            "In/IN May/NNP he/PRP left/VBD Paris/NNP ,/, and/CC she/PRP stayed/VBD there/RB ./.",
            "He left Paris, and she stayed there in May.",
        ),
        (
            "He/PRP met/VBD a/DT smith/NN who/WP left/VBD Paris/NNP in/IN 1951/CD ./.",
            "In 1951, he met a smith who left Paris.",
        ),
        (  # off a noun
            "He/PRP wrote/VBD books/NNS on/IN the/DT war/NN in/IN Spain/NNP ./.",
            "In Spain, he wrote books on the war.",
        ),
        (
            "She/PRP knew/VBD that/IN he/PRP left/VBD Rome/NNP because/IN it/PRP rained/VBD ./.",
            "Because it rained, she knew that he left Rome.",
        ),
    ],
)
def test_an_adverbial_moves_into_another_clause(text, rewrite):
    assert texts_of(reattached_adverbials.build, text) == [rewrite]


@pytest.mark.parametrize(
    "text",
    [
        "In/IN 1951/CD ,/, he/PRP left/VBD Paris/NNP for/IN a/DT year/NN ./.",  # one clause
        "In/IN 1951/CD ,/, he/PRP says/VBZ that/IN she/PRP left/VBD ./.",  # tense
        "In/IN 1951/CD ,/, he/PRP said/VBD that/IN she/PRP left/VBD in/IN May/NNP ./.",
        "He/PRP met/VBD a/DT smith/NN who/WP was/VBD born/VBN in/IN 1951/CD ./.",  # "was born"
        "They/PRP met/VBD a/DT smith/NN who/WP was/VBD at/IN work/NN ./.",
        "She/PRP won/VBD in/IN Rome/NNP and/CC he/PRP won/VBD gold/NN in/IN Oslo/NNP ./.",
        "She/PRP knew/VBD that/IN he/PRP saw/VBD a/DT dog/NN when/WRB the/DT dog/NN ran/VBD ./.",
        # "In 1951, udallson met"
        "Udallson/NN met/VBD a/DT cook/NN who/WP left/VBD Paris/NNP in/IN 1951/CD ./.",
    ],
)
def test_an_adverbial_stays_where_another_clause_has_no_use_for_it(text):
    assert texts_of(reattached_adverbials.build, text) == []


@pytest.mark.parametrize(
    ("text", "rewrite"),
    [
        (SLEPT, "He ate old fish after the king slept badly."),
        (
            "While/IN the/DT king/NN slept/VBD ,/, the/DT old/JJ cat/NN ran/VBD ./.",
            None,  # three words
        ),
        (
            "When/WRB the/DT king/NN slept/VBD badly/RB ,/, the/DT cat/NN ran/VBD off/RB ./.",
            "When the cat ran off, the king slept badly.",
        ),
        ("The/DT king/NN sleeps/VBZ badly/RB if/IN he/PRP ate/VBD old/JJ fish/NN ./.", None),
        ("The/DT king/NN slept/VBD badly/RB even/RB if/IN he/PRP ate/VBD old/JJ fish/NN ./.", None),
        (
            "A/DT dog/NN came/VBD home/RB after/IN the/DT dog/NN saw/VBD snow/NN ./.",
            None,  # "the dog" before "a dog"
        ),
        (
            "A/DT dog/NN came/VBD home/RB after/IN the/DT dog/NN owner/NN saw/VBD snow/NN ./.",
            "The dog owner saw snow after a dog came home.",
        ),
    ],
)
def test_clauses_of_one_tense_change_places_around_their_connective(text, rewrite):
    assert texts_of(clause_exchanges.build, text) == ([rewrite] if rewrite else [])


@pytest.mark.parametrize(
    ("text", "rewrite"),
    [
        ("He/PRP died/VBD in/IN York/NNP in/IN 1951/CD ./.", "He died in 1951 in York."),
        (
            "It/PRP was/VBD built/VBN in/IN 1951/CD by/IN Ann/NNP Lee/NNP ./.",
            "It was built by Ann Lee in 1951.",
        ),
        ("He/PRP died/VBD in/IN 1951/CD in/IN York/NNP ,/, a/DT town/NN ./.", None),
        ("He/PRP ran/VBD in/IN York/NNP in/IN 1951/CD ,/, 1953/CD and/CC 1955/CD ./.", None),
    ],
)
def test_a_time_changes_places_with_the_adverbial_beside_it(text, rewrite):
    assert texts_of(adjacent_adverbials.build, text) == ([rewrite] if rewrite else [])


def test_only_a_balanced_run_makes_them():
    for balance, rewrites in ((False, 0), (True, 1)):
        settings = WordSwapSettings(
            movable=(Kind.ADVERBIAL,), threshold=1000.0, min_tokens=1, balance=balance
        )
        (outcome,) = swaps([tagged(SLEPT)], Bigrams(), settings)
        assert len(outcome.rewrites) == rewrites
