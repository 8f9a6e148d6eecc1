"""Exchanges that a rule refuses: of each rule, two that it refuses and two that it lets pass.

A * marks the phrases that would change places.
"""

import pytest

from generation.nlp import noun_phrases
from generation.nlp.phrases import Kind
from generation.nlp.sense_rules import REFUSED, STAYING, count_joined_to_themselves
from generation.nlp.settings import WordSwapSettings
from generation.nlp.templates import Sentence
from generation.nlp.tries import repeats_a_word
from tests.generation.nlp.toy import tagged, template, tokens_and_phrases


def marked(text):
    """The tokens, the phrases, and those whose first word is marked."""
    marks = [place for place, word in enumerate(text.split()) if word[0] == "*"]
    tokens, phrases = tokens_and_phrases(text.replace("*", ""))
    return tokens, phrases, [phrase for phrase in phrases if phrase.start in marks]


def refuses(rule, text):
    """Whether the rule refuses the exchange of the marked phrases."""
    tokens, phrases, (one, other) = marked(text)
    if rule in STAYING:
        return not {one.start, other.start}.isdisjoint(STAYING[rule](tokens, phrases))
    return REFUSED[rule](tokens, one, other)


CASES = {
    "term before its abbreviation": (
        [
            "A/DT *thin/JJ flat/JJ pack/NN (/( TFP/NNP )/) fits/VBZ a/DT *small/JJ box/NN ./.",
            "The/DT *wall/NN met/VBD the/DT lunar/JJ *orbit/NN (/( LO-2/NNP )/) ./.",
        ],
        [
            "A/DT *thin/JJ pack/NN (/( see/VB below/IN )/) fits/VBZ a/DT *small/JJ box/NN ./.",
            "A/DT *thin/JJ man/NN met/VBD a/DT *small/JJ man/NN of/IN York/NNP (/( UK/NNP )/) ./.",
        ],
    ),
    "negation": (
        [
            "He/PRP met/VBD no/DT *friend/NN but/CC *anyone/NN else/RB ./.",
            "She/PRP had/VBD *not/RB left/VBN and/CC he/PRP *often/RB sang/VBD ./.",
        ],
        [
            "He/PRP met/VBD no/DT *friend/NN but/CC a/DT *doctor/NN ./.",
            "She/PRP *seldom/RB left/VBD and/CC he/PRP *often/RB sang/VBD ./.",
        ],
    ),
    "changed number": (
        [
            "It/PRP lasts/VBZ from/IN *2/CD pm/NN -/HYPH *5/CD pm/NN ./.",
            "Sales/NNS were/VBD *60/CD cars/NNS ,/, down/RB from/IN some/DT *70/CD boats/NNS ./.",
        ],
        [
            "It/PRP lasts/VBZ *2/CD hours/NNS on/IN *5/CD days/NNS ./.",
            "Sales/NNS were/VBD *60/CD cars/NNS and/CC some/DT *70/CD boats/NNS ./.",
        ],
    ),
    "part with its whole": (
        [
            "He/PRP met/VBD *nurses/NNS and/CC other/JJ kind/JJ *helpers/NNS ./.",
            "She/PRP grew/VBD *plants/NNS ,/, such/JJ as/IN red/JJ *roses/NNS ./.",
        ],
        [
            "He/PRP met/VBD *nurses/NNS and/CC told/VBD other/JJ *helpers/NNS ./.",
            "She/PRP grew/VBD *plants/NNS with/IN such/JJ *roses/NNS ./.",
        ],
    ),
    "place in a place": (
        [
            "He/PRP left/VBD *Lima/NNP in/IN northern/JJ *Arden/NNP ./.",
            "*Lima/NNP is/VBZ the/DT oldest/JJS town/NN in/IN *Peru/NNP ./.",
            "*Lima/NNP is/VBZ old/JJ and/CC it/PRP is/VBZ the/DT capital/NN of/IN *Peru/NNP ./.",
            "In/IN *Peru/NNP rain/NN is/VBZ rare/JJ near/IN *Lima/NNP ./.",
        ],
        [
            "He/PRP left/VBD *Lima/NNP for/IN *Peru/NNP ./.",
            "*Lima/NNP met/VBD and/CC quickly/RB beat/VBD the/DT team/NN in/IN *Arden/NNP ./.",
        ],
    ),
    "article of a name": (
        [
            "He/PRP left/VBD *Lima/NNP for/IN the/DT *Alps/NNP ./.",
            "The/DT *Nile/NNP made/VBD *Egypt/NNP rich/JJ ./.",
        ],
        [
            "The/DT *Nile/NNP is/VBZ longer/JJR than/IN the/DT *Rhine/NNP ./.",
            "He/PRP left/VBD *Lima/NNP for/IN the/DT *Nevada/NNP desert/NN ./.",
        ],
    ),
    "sex": (
        [
            "*Mary/NNP met/VBD *Robert/NNP when/WRB he/PRP left/VBD York/NNP ./.",
            "Her/PRP$ *father/NN sang/VBD and/CC a/DT *girl/NN left/VBD ./.",
        ],
        [
            "*Mary/NNP met/VBD *Robert/NNP when/WRB they/PRP left/VBD York/NNP ./.",
            "*Robert/NNP met/VBD *Richard/NNP when/WRB he/PRP left/VBD York/NNP ./.",
        ],
    ),
}


@pytest.mark.parametrize("rule", [*STAYING, *REFUSED])
def test_a_rule_refuses_what_reads_badly_and_no_more(rule):
    refused, kept = CASES[rule]
    assert len(refused) >= 2
    assert all(refuses(rule, text) for text in refused)
    assert len(kept) >= 2
    assert not any(refuses(rule, text) for text in kept)


@pytest.mark.parametrize(("pronoun", "is_refused"), [("he", True), ("she", False)])
def test_a_person_without_a_given_name_is_taken_for_a_man_beside_he(pronoun, is_refused):
    text = f"Mary/NNP met/VBD Arkwell/NNP when/WRB {pronoun}/PRP left/VBD ./."
    tokens, phrases = tokens_and_phrases(text, (0, 1, "PERSON", 1.0), (2, 3, "PERSON", 1.0))
    assert REFUSED["sex"](tokens, phrases[0], phrases[2]) is is_refused


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("the risks and risks of it", 1),
        ("the old men or the old men sang", 1),
        ("the risks and gains of it", 0),
        ("the old men and old women", 0),
    ],
)
def test_words_are_joined_to_themselves(words, number):
    assert count_joined_to_themselves(words.split()) == number


def test_a_rewrite_that_joins_a_noun_to_itself_has_a_doubled_word():
    settings = WordSwapSettings(movable=(Kind.NOUN,), likeness=-1.0)
    nouns = template(
        tagged("cats/NNS or/CC dogs/NNS met/VBD some/DT ants/NNS ;/: dogs/NNS ran/VBD ./."),
        settings,
    )
    cats, dogs = nouns.source[0], nouns.source[2]
    doubled = [dogs, *nouns.source[1:-2], cats, nouns.source[-1]]
    assert nouns.text(doubled) == "dogs or dogs met some ants; cats ran."
    assert repeats_a_word(nouns, doubled)


@pytest.mark.parametrize(
    "text",
    [
        "Mary/NNP met/VBD Robert/NNP when/WRB he/PRP sings/VBZ ./.",  # of the rules for pairs
        "It/PRP lasts/VBZ 2/CD pm/NN -/HYPH 5/CD pm/NN ./.",  # of those for one phrase
    ],
)
def test_rules_can_be_switched_off(text):
    on, off = (WordSwapSettings(rules=rules, likeness=-1.0) for rules in (True, False))
    assert not template(tagged(text), on).has_choice
    assert template(tagged(text), off).has_choice


def test_noun_phrases_follow_the_rules():
    settings = WordSwapSettings(likeness=-1.0)
    apart = "the/DT old/JJ nurses/NNS saw/VBD the/DT kind/JJ helpers/NNS ./."
    within = "the/DT old/JJ nurses/NNS including/VBG the/DT kind/JJ helpers/NNS sang/VBD ./."
    for text, may_change in ((apart, True), (within, False)):
        sentence = Sentence.from_tagged(tagged(text), settings)
        assert noun_phrases.build(sentence, settings).has_choice == may_change
