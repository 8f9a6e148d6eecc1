"""Templates of sentences, and their fillers as text."""

from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import pieces, templates
from generation.nlp.kinds import MOVABLE, Kind
from generation.nlp.templates import Template
from generation.nlp.word_swap import WordSwapSettings
from tests.generation.nlp import toy
from tests.generation.nlp.toy import tagged

PARIS = "Paris/NNP is/VBZ older/JJR than/IN the/DT towns/NNS that/WDT Rome/NNP built/VBD ./."
WORDS = ["Big/JJ", "big/JJ", "old/JJ", "Ann/NNP", "Rome/NNP", "cats/NNS", "a/DT"]
WORDS += ["and/CC", ",/,", "1947/CD", "5/CD", "met/VBD", "“/``", "(/-LRB-", "iPods/NNS"]


def build(text, *entities, **settings):
    return templates.build(tagged(text, *entities), WordSwapSettings(**settings))


def swapped(template):
    """The text with the first two slots of a choice exchanged."""
    free = [place for place, slot in enumerate(template.slots) if len(slot.choices) > 1]
    filling = list(template.source)
    filling[free[0]], filling[free[1]] = filling[free[1]], filling[free[0]]
    return template.text(filling)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
def test_any_sentence_is_given_back_by_its_source_filling(words):
    text = " ".join(words)
    template = build(text, movable=MOVABLE, fix_quotes=False, fix_brackets=False)
    assert template.text(template.source) == tagged(text).text
    assert all(slot.source in slot.choices for slot in template.slots)


def test_words_in_quotation_marks_and_brackets_stay_unless_they_are_set_free():
    for text, setting in (
        ("The/DT big/JJ cat/NN (/-LRB- a/DT small/JJ one/NN )/-RRB- ran/VBD ./.", "fix_brackets"),
        ("“/`` The/DT big/JJ cat/NN ”/'' saw/VBD a/DT small/JJ dog/NN ./.", "fix_quotes"),
    ):
        assert not build(text).has_choice
        template = build(text, **{setting: False})
        assert template.has_choice
        assert template.text(template.source) == tagged(text).text


def test_a_phrase_that_may_move_has_a_slot_and_a_run_of_other_words_has_one():
    kinds = [slot.kind for slot in build(PARIS).slots]
    assert kinds == [Kind.NAME, Kind.OTHER, Kind.NAME, Kind.OTHER]
    assert not build(PARIS, movable=(Kind.ADJECTIVE,)).has_choice


def test_capitals_and_spaces_belong_to_places_but_names_and_phrases_keep_theirs():
    greek = "Greek/JJ men/NNS met/VBD good/JJ men/NNS ./."  # known as a name
    york = "In/IN Rome/NNP ,/, she/PRP missed/VBD New/NNP York/NNP ./."
    for text, entities, expected in (
        ("Bad/JJ men/NNS met/VBD good/JJ men/NNS ./.", [], "Good men met bad men."),
        (PARIS, [], "Rome is older than the towns that Paris built."),
        (greek, [(0, 1, "MISC", 0.5)], "Good men met Greek men."),
        (york, [(1, 2, "LOC", 0.99), (5, 7, "LOC", 0.99)], "In New York, she missed Rome."),
    ):
        assert swapped(build(text, *entities)) == expected


def test_a_word_does_not_go_where_the_article_forbids_it():
    template = build("An/DT old/JJ man/NN met/VBD young/JJ men/NNS ./.")
    assert [slot.kind for slot in template.slots] == [Kind.OTHER, Kind.ADJECTIVE, Kind.OTHER]
    # Equal words are one filler whatever their case.
    assert not build("Bad/JJ men/NNS met/VBD bad/JJ men/NNS ./.").has_choice
    disagreeing = build("An/DT historic/JJ win/NN beats/VBZ old/JJ men/NNS ./.")
    assert all(slot.source in slot.choices for slot in disagreeing.slots)


def test_a_piece_has_the_space_before_it_and_the_first_word_its_capital():
    template = build("Bad/JJ people/NNS like/VBP ugly/JJ people/NNS ./.")
    texts = [list(slot.values()) for slot in pieces.of(template)]
    assert texts == [["Bad", "Ugly"], [" people like"], [" bad", " ugly"], [" people."]]
    # A quotation mark is no first word.
    quoted = toy.puzzle(["“", "bad", "ugly", "and"], [[0], [1, 2], [3], [1, 2]], [0, 1, 3, 2])
    found = pieces.of(Template(quoted.template.fillers, quoted.template.slots, capital=True))
    assert (found[1], found[3]) == ({1: " Bad", 2: " Ugly"}, {1: " bad", 2: " ugly"})
    for capital, first in ((True, "Cats"), (False, "cats")):
        sleep = toy.puzzle(["cats", "sleep"], [[0], [1]], [0, 1], capital=capital)
        assert pieces.of(sleep.template)[0] == {0: first}


@given(toy.sentences, st.randoms())
def test_the_pieces_of_a_filling_make_its_text(text, random):
    template = build(text)
    filling = [random.choice(slot.choices) for slot in template.slots]
    texts = [texts[number] for texts, number in zip(pieces.of(template), filling, strict=True)]
    assert "".join(texts) == template.text(filling)
