import pytest

from generation.nlp import phrases
from generation.nlp.comparisons import compared
from tests.generation.nlp.toy import tagged


def held(text: str) -> set[str]:
    """The first words of the numbers, dates and ordinals of a sentence that stay."""
    sentence = tagged(text)
    found = phrases.find(sentence, entity_probability=0.95)
    return {sentence.tokens[start].text for start in compared(sentence.tokens, found)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("30/CD cats/NNS came/VBD ,/, ten/CD of/IN which/WDT slept/VBD", {"ten"}),
        ("30/CD cats/NNS came/VBD ,/, of/IN which/WDT ten/CD slept/VBD", {"ten"}),
        ("40/CD dogs/NNS met/VBD a/DT third/NN of/IN the/DT 30/CD cats/NNS", {"30"}),
        ("30/CD cats/NNS ,/, with/IN ten/CD in/IN town/NN", {"ten"}),
        ("it/PRP grew/VBD by/IN 30/CD miles/NNS in/IN ten/CD days/NNS", {"30", "ten"}),
        ("all/DT 30/CD cats/NNS met/VBD ten/CD dogs/NNS", {"30"}),
        ("15/CD miles/NNS (/-LRB- 24/CD kilometres/NNS )/-RRB- in/IN ten/CD days/NNS", {"15"}),
        ("three/CD cats/NNS :/: Ann/NNP and/CC Bob/NNP met/VBD ten/CD dogs/NNS", {"three"}),
        ("Ann/NNP ,/, 37/CD ,/, met/VBD ten/CD dogs/NNS", {"37"}),
    ],
)
def test_numbers_that_others_are_measured_against(text: str, words: set[str]) -> None:
    assert held(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("by/IN 1947/CD it/PRP was/VBD as/IN in/IN 1910/CD ./.", {"1947"}),
        ("as/IN of/IN 1947/CD and/CC in/IN 1910/CD", {"1947"}),
        ("met/VBN in/IN 1910/CD ,/, they/PRP will/MD meet/VB in/IN 2047/CD", {"1910", "2047"}),
        ("the/DT first/JJ day/NN and/CC then/RB the/DT second/JJ", {"first", "second"}),
    ],
)
def test_dates_and_ordinals_that_stand_in_an_order(text: str, words: set[str]) -> None:
    assert held(text) == words


def test_numbers_dates_and_ordinals_beside_each_other_may_move() -> None:
    assert held("In/IN 1910/CD two/CD cats/NNS met/VBD ten/CD dogs/NNS in/IN May/NNP") == set()
    assert held("the/DT first/JJ act/NN of/IN the/DT second/JJ play/NN") == set()
