import numpy as np
import pytest

from generation.nlp import templates
from generation.nlp.filters import is_list_permutation, largest_fall
from generation.nlp.kinds import Kind
from generation.nlp.templates import Template
from generation.nlp.word_swap import WordSwapSettings
from tests.generation.nlp.toy import tagged

SETTINGS = WordSwapSettings(movable=(Kind.NAME, Kind.ADJECTIVE))


def filled(template: Template, text: str) -> list[int]:
    """The filling whose movable words are these, in order."""
    words = iter(text.split())
    numbers = {filler.words[0]: number for number, filler in enumerate(template.fillers)}
    slots = template.slots
    return [numbers[next(words)] if len(s.choices) > 1 else s.source for s in slots]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("We/PRP saw/VBD Ann/NNP and/CC Bob/NNP ./.", "Bob Ann"),
        ("We/PRP saw/VBD Ann/NNP ,/, Bob/NNP and/CC Cy/NNP ./.", "Cy Ann Bob"),
        ("It/PRP lies/VBZ between/IN Ann/NNP and/CC Bob/NNP ./.", "Bob Ann"),
        ("Either/CC Ann/NNP or/CC Bob/NNP ran/VBD ./.", "Bob Ann"),
        ("the/DT Ann/NNP and/CC the/DT Bob/NNP ran/VBD", "Bob Ann"),
        ("in/IN Ann/NNP and/CC in/IN Bob/NNP it/PRP ran/VBD", "Bob Ann"),
        ("big/JJ cats/NNS or/CC red/JJ cats/NNS ran/VBD", "red big"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP and/CC Di/NNP ./.", "Bob Ann Di Cy"),
    ],
)
def test_another_order_of_list_items(text: str, order: str) -> None:
    template = templates.build(tagged(text), SETTINGS)
    assert is_list_permutation(template, filled(template, order))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Ann/NNP saw/VBD Bob/NNP ./.", "Bob Ann"),
        ("From/IN Ann/NNP to/TO Bob/NNP it/PRP ran/VBD ./.", "Bob Ann"),
        ("red/JJ cats/NNS and/CC big/JJ dogs/NNS ran/VBD", "big red"),
        ("in/IN Ann/NNP and/CC from/IN Bob/NNP it/PRP ran/VBD", "Bob Ann"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP ./.", "Ann Cy Bob"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP and/CC Di/NNP ./.", "Cy Di Ann Bob"),
    ],
)
def test_a_change_that_is_more_than_another_order_of_items(text: str, order: str) -> None:
    template = templates.build(tagged(text), SETTINGS)
    assert not is_list_permutation(template, filled(template, order))


def test_the_largest_fall_is_that_of_the_worst_stretch() -> None:
    source = np.array([-1.0, -2.0, -3.0, -4.0])
    others = np.array([[-1, -5, -3, -4], [-1, -2, -3, -3.5], [-3, -4, -2, -5.5]])
    assert largest_fall(others, source) == pytest.approx([3, 0, 2.5])
