from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import templates
from generation.nlp.kinds import MOVABLE, Kind
from generation.nlp.tagging import TaggedSentence
from generation.nlp.templates import Template
from generation.nlp.word_swap import WordSwapSettings
from tests.generation.nlp.toy import tagged

PARIS = "Paris/NNP is/VBZ older/JJR than/IN the/DT towns/NNS that/WDT Rome/NNP built/VBD ./."


def build(sentence: TaggedSentence, **settings) -> Template:
    return templates.build(sentence, WordSwapSettings(**settings))


def swapped(template: Template) -> str:
    """The text with the first two slots of a choice exchanged."""
    free = [place for place, slot in enumerate(template.slots) if len(slot.choices) > 1]
    filling = list(template.source)
    filling[free[0]], filling[free[1]] = filling[free[1]], filling[free[0]]
    return template.text(filling)


def test_the_source_filling_gives_the_sentence_as_it_was_written() -> None:
    sentence = tagged("“/`` The/DT big/JJ cat/NN ”/'' saw/VBD a/DT small/JJ dog/NN ./.")
    template = build(sentence, fix_quotes=False)
    assert template.has_choice
    assert template.text(template.source) == sentence.text


def test_words_that_stay_make_one_slot() -> None:
    template = build(tagged(PARIS))
    kinds = [slot.kind for slot in template.slots]
    assert kinds == [Kind.NAME, Kind.OTHER, Kind.NAME, Kind.OTHER]


def test_a_word_that_enters_the_first_place_gets_a_capital_and_one_that_leaves_it_loses_it() -> (
    None
):
    template = build(tagged("Bad/JJ men/NNS met/VBD good/JJ men/NNS ./."))
    assert swapped(template) == "Good men met bad men."


def test_a_name_that_leaves_the_first_place_keeps_its_capital() -> None:
    assert swapped(build(tagged(PARIS))) == "Rome is older than the towns that Paris built."


def test_an_adjective_that_the_tagger_knows_as_a_name_keeps_its_capital() -> None:
    sentence = tagged("Greek/JJ men/NNS met/VBD good/JJ men/NNS ./.", (0, 1, "MISC", 0.5))
    assert swapped(build(sentence)) == "Good men met Greek men."


def test_spaces_belong_to_places_and_those_within_a_phrase_to_the_phrase() -> None:
    sentence = tagged(
        "In/IN Rome/NNP ,/, she/PRP missed/VBD New/NNP York/NNP ./.",
        (1, 2, "LOC", 0.99),
        (5, 7, "LOC", 0.99),
    )
    assert swapped(build(sentence)) == "In New York, she missed Rome."


def test_equal_words_are_one_filler_whatever_their_case() -> None:
    template = build(tagged("Bad/JJ men/NNS met/VBD bad/JJ men/NNS ./."))
    assert not template.has_choice


def test_a_word_does_not_go_where_the_article_forbids_it() -> None:
    template = build(tagged("An/DT old/JJ man/NN met/VBD young/JJ men/NNS ./."))
    assert [slot.kind for slot in template.slots] == [Kind.OTHER, Kind.ADJECTIVE, Kind.OTHER]


def test_the_source_may_disagree_with_its_article() -> None:
    template = build(tagged("An/DT historic/JJ win/NN beats/VBZ old/JJ men/NNS ./."))
    assert all(slot.source in slot.choices for slot in template.slots)


def test_kinds_that_may_not_move_stay() -> None:
    assert not build(tagged(PARIS), movable=(Kind.ADJECTIVE,)).has_choice


def test_words_in_quotation_marks_and_brackets_stay_unless_set_free() -> None:
    sentence = tagged("The/DT big/JJ cat/NN (/-LRB- a/DT small/JJ one/NN )/-RRB- ran/VBD ./.")
    assert not build(sentence).has_choice
    assert build(sentence, fix_brackets=False).has_choice


WORDS = st.sampled_from(["Big/JJ", "big/JJ", "old/JJ", "Ann/NNP", "Rome/NNP", "cats/NNS", "a/DT"])
REST = st.sampled_from(
    ["and/CC", ",/,", "1947/CD", "5/CD", "met/VBD", "“/``", "(/-LRB-", "iPods/NNS"]
)


@given(st.lists(WORDS | REST, min_size=1, max_size=14))
def test_any_sentence_is_given_back_by_its_source_filling(words: list[str]) -> None:
    sentence = tagged(" ".join(words))
    template = build(sentence, movable=MOVABLE, fix_quotes=False, fix_brackets=False)
    assert template.text(template.source) == sentence.text
    assert all(slot.source in slot.choices for slot in template.slots)
