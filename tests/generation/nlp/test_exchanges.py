from collections.abc import Sequence

import pytest

from generation.nlp import phrases, templates
from generation.nlp.exchanges import Exchanges, noun_after
from generation.nlp.kinds import MOVABLE
from generation.nlp.word_swap import WordSwapSettings
from tests.generation.nlp.toy import tagged


class Alike:
    """Words of one group are used alike, those of two are not; others are unknown."""

    def __init__(self, *groups: str) -> None:
        self.group = {word: n for n, group in enumerate(groups) for word in group.split()}

    def between(self, one: Sequence[str], other: Sequence[str]) -> float | None:
        a, b = self.group.get(one[-1]), self.group.get(other[-1])
        return None if a is None or b is None else 1.0 if a == b else -0.5


def allows(text: str, one: str, other: str, *groups: str) -> bool:
    sentence = tagged(text)
    words = [token.text for token in sentence.tokens]
    found = phrases.find(sentence, entity_probability=0.95)
    by_word = {words[phrase.end - 1]: phrase for phrase in found}
    exchanges = Exchanges(sentence.tokens, words, Alike(*groups) if groups else None, 0.8)
    return exchanges.allows(by_word[one], by_word[other])


def test_nouns_change_places_when_they_are_used_alike() -> None:
    text = "tea/NN or/CC coffee/NN on/IN trust/NN"
    assert allows(text, "tea", "coffee", "tea coffee", "trust")
    assert not allows(text, "tea", "trust", "tea coffee", "trust")
    assert not allows(text, "tea", "trust", "tea coffee")


def test_adjectives_are_judged_together_with_their_nouns() -> None:
    text = "large/JJ old/JJ towns/NNS with/IN local/JJ duties/NNS"
    assert allows(text, "large", "local", "large local", "towns duties")
    assert not allows(text, "large", "local", "large local", "towns", "duties")
    assert not allows(text, "large", "local", "large", "local", "towns duties")


def test_names_change_places_unless_they_are_known_to_be_unlike() -> None:
    text = "Ann/NNP left/VBD the/DT Wye/NNP"
    assert allows(text, "Ann", "Wye", "Ann Wye")
    assert not allows(text, "Ann", "Wye", "Ann", "Wye")


def test_names_that_nothing_is_known_of_need_one_preposition_before_them() -> None:
    text = "in/IN Ann/NNP and/CC in/IN Wye/NNP by/IN Lee/NNP"
    assert allows(text, "Ann", "Wye", "others")
    assert not allows(text, "Ann", "Lee", "others")


@pytest.mark.parametrize(
    ("one", "other", "allowed"),
    [("300", "1,200", True), ("300", "4,000", False), ("0.5", "4.5", True), ("two", "ten", True)],
)
def test_numbers_of_one_size_change_places(one: str, other: str, allowed: bool) -> None:
    assert allows(f"{one}/CD cats/NNS met/VBD {other}/CD dogs/NNS", one, other) == allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("begun/VBN in/IN 1881/CD ,/, it/PRP ends/VBZ in/IN 1897/CD ./.", False),
        ("it/PRP ends/VBZ in/IN 1897/CD ,/, begun/VBN in/IN 1881/CD ./.", True),
        ("the/DT 1881/CD play/NN and/CC the/DT 1897/CD film/NN", True),
    ],
)
def test_dates_change_places_when_no_story_goes_backwards(text: str, allowed: bool) -> None:
    assert allows(text, "1881", "1897") == allowed
    assert allows(text, "1897", "1881") == allowed


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("old/JJ stone/NN bridge/NN fell/VBD", "bridge"),
        ("old/JJ red/JJ wall/NN", "wall"),
        ("old/JJ ,/, they/PRP say/VBP", None),
    ],
)
def test_the_noun_of_an_adjective_is_the_last_of_those_after_it(text: str, noun: str) -> None:
    tokens = tagged(text).tokens
    place = noun_after(tokens, 1)
    assert (tokens[place].text if place else None) == noun


def test_a_template_has_the_exchanges_that_make_sense_alone() -> None:
    sentence = tagged("red/JJ cats/NNS met/VBD blue/JJ dogs/NNS and/CC wide/JJ rivers/NNS ./.")
    likeness = Alike("red blue", "cats dogs", "wide", "rivers")
    template = templates.build(sentence, WordSwapSettings(movable=MOVABLE), likeness)
    found = {template.fillers[n].words for slot in template.slots for n in slot.choices[1:]}
    assert ("blue",) in found
    assert ("wide",) not in found
    assert templates.build(sentence, WordSwapSettings()).has_choice
