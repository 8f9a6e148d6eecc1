"""Fillers as text: where each stands decides on its space and its capital."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import pieces, templates
from generation.nlp.swap_settings import WordSwapSettings
from generation.nlp.templates import Template
from tests.generation.nlp import toy


def template_of(text: str) -> Template:
    return templates.build(toy.tagged(text), WordSwapSettings())


def test_a_piece_has_the_space_before_it_and_the_first_its_capital() -> None:
    template = template_of("Bad/JJ people/NNS like/VBP ugly/JJ people/NNS ./.")
    texts = [list(slot.values()) for slot in pieces.of(template)]
    assert texts == [["Bad", "Ugly"], [" people like"], [" bad", " ugly"], [" people."]]


def test_the_capital_is_that_of_the_first_word_not_of_a_quotation_mark() -> None:
    puzzle = toy.puzzle(["“", "bad", "ugly", "and"], [[0], [1, 2], [3], [1, 2]], [0, 1, 3, 2])
    template = Template(puzzle.template.fillers, puzzle.template.slots, capital=True)
    assert pieces.of(template)[1] == {1: " Bad", 2: " Ugly"}
    assert pieces.of(template)[3] == {1: " bad", 2: " ugly"}


NAMES = st.sampled_from(["Ann/NNP", "Bob/NNP", "Rome/NNP", "bad/JJ cats/NNS", "good/JJ ants/NNS"])
JOINTS = st.sampled_from(["met/VBD", "and/CC", ",/,", "of/IN", "(/( 2/CD )/) saw/VBD 3/CD"])


@given(st.lists(st.tuples(NAMES, JOINTS), min_size=1, max_size=5), st.randoms())
def test_the_pieces_of_a_filling_make_its_text(parts: list[tuple[str, str]], random) -> None:
    template = template_of(" ".join(f"{name} {joint}" for name, joint in parts) + " ants/NNS ./.")
    filling = [random.choice(slot.choices) for slot in template.slots]
    texts = [texts[number] for texts, number in zip(pieces.of(template), filling, strict=True)]
    assert "".join(texts) == template.text(filling)


@pytest.mark.parametrize("capital", [True, False])
def test_a_sentence_that_begins_small_stays_small(capital: bool) -> None:
    puzzle = toy.puzzle(["cats", "sleep"], [[0], [1]], [0, 1], capital=capital)
    assert pieces.of(puzzle.template)[0] == {0: "Cats" if capital else "cats"}
