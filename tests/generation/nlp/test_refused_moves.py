"""Adverbials that move unless a rule refuses the move."""

import pytest

from generation.nlp.adverbials import find_adverbial
from generation.nlp.settings import WordSwapSettings
from generation.nlp.templates import Sentence
from tests.generation.nlp.toy import tagged


def moves(text):
    return find_adverbial(Sentence.from_tagged(tagged(text), WordSwapSettings())) is not None


@pytest.mark.parametrize(
    ("refused", "kept"),
    [
        pytest.param(
            [
                "A/DT month/NN ago/RB ,/, sales/NNS fell/VBD in/IN one/CD quarter/NN ./.",
                "Years/NNS later/RB ,/, he/PRP sold/VBD his/PRP$ film/NN of/IN 1951/CD ./.",
            ],
            [
                "Years/NNS later/RB ,/, he/PRP sold/VBD his/PRP$ film/NN to/TO Ann/NNP ./.",
                "After/IN the/DT war/NN ,/, sales/NNS fell/VBD within/IN one/CD quarter/NN ./.",
            ],
            id="past another time",
        ),
        pytest.param(
            [
                "If/IN it/PRP rains/VBZ ,/, we/PRP stay/VBP unless/IN she/PRP leaves/VBZ ./.",
                "Although/IN he/PRP lost/VBD ,/, we/PRP sang/VBD because/IN she/PRP won/VBD ./.",
            ],
            [
                "If/IN it/PRP rains/VBZ ,/, we/PRP stay/VBP here/RB ./.",
                "In/IN 1951/CD ,/, we/PRP sang/VBD because/IN she/PRP won/VBD ./.",
            ],
            id="a clause past another one",
        ),
        pytest.param(
            [
                "It/PRP saw/VBD the/DT longest/JJS reign/NN since/IN the/DT war/NN ./.",
                "They/PRP had/VBD their/PRP$ first/JJ win/NN since/IN 1958/CD ./.",
            ],
            [
                "They/PRP had/VBD sold/VBN the/DT old/JJ boats/NNS since/IN 1958/CD ./.",
                "They/PRP had/VBD their/PRP$ first/JJ win/NN during/IN the/DT war/NN ./.",
            ],
            id="since, out of a superlative",
        ),
        pytest.param(
            [
                "I/PRP like/VBP the/DT song/NN written/VBN during/IN the/DT war/NN ./.",
                "It/PRP is/VBZ an/DT oath/NN taken/VBN by/IN kings/NNS when/WRB they/PRP rule/VBP"
                " ./.",
            ],
            [
                "I/PRP had/VBD written/VBN the/DT song/NN during/IN the/DT war/NN ./.",
                "Kings/NNS had/VBD sworn/VBN an/DT oath/NN when/WRB they/PRP ruled/VBD ./.",
            ],
            id="out of a noun with a participle",
        ),
    ],
)
def test_an_adverbial_does_not_move(refused, kept):
    assert [moves(text) for text in refused] == [False, False]
    assert [moves(text) for text in kept] == [True, True]
