"""Groups: the exchanges that the paper prints, and what holds for any sentence."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking.classes import CLASS_OF_TAG, exchangeable_units
from evaluation.ranking.swaps import (
    DEGREES,
    Candidate,
    Exchange,
    Group,
    Outcome,
    Swapper,
    swap_candidates,
)
from evaluation.ranking.verification import is_exchange
from generation.nlp.tagging import Entity, TaggedSentence, Token
from generation.nlp.words import tokens
from tests.evaluation.ranking.sentences import Lookup, pairs, sentences
from tests.generation.nlp.toy import tagged


def published(text, *entities):
    """A tagged sentence with spaces around all marks, as the files of PAWS have them."""
    joined = tagged(text, *entities)
    *apart, last = (replace(token, space=" ") for token in joined.tokens)
    return replace(joined, tokens=(*apart, replace(last, space="")))


WIKI = published(
    "Bhagat/NNP Beni/NNP has/VBZ also/RB said/VBN that/IN Guru/NNP Arjan/NNP Dev/NNP attained/VBD"
    " enlightenment/NN only/RB through/IN the/DT Holy/NNP Word/NNP ./.",
    (0, 2, "PERSON", 0.9),
    (7, 9, "PERSON", 0.9),
)
QQP = published(
    "Was/VBD increased/VBN funding/NN to/TO protect/VB Benghazi/NNP before/IN the/DT attack/NN"
    " denied/VBN by/IN Congress/NNP ./. If/IN so/RB ,/, who/WP voted/VBD against/IN it/PRP ?/.",
    (5, 6, "GPE", 0.9),
    (11, 12, "GPE", 0.9),
)


def scripted(*order):
    """A draw that takes these classes and places first."""
    return lambda what: order.index(what) if what in order else len(order)


def texts(sentence, draw):
    return [each.text for each in swap_candidates(sentence, draw, entity_probability=0.8)]


def groups(some, *, seed=0, of=None):
    swapper = Swapper(Lookup(some), seed=seed, entity_probability=0.8)
    return list(swapper.groups(of or pairs(some)))


def test_the_printed_exchanges_of_wikipedia():  # Table 4
    draw = scripted("PERSON", "adverb", "noun", "noun 10", "noun 15")
    assert texts(WIKI, draw) == [
        "Arjan Dev has also said that Guru Bhagat Beni attained enlightenment only through the"
        " Holy Word .",
        "Arjan Dev has only said that Guru Bhagat Beni attained enlightenment also through the"
        " Holy Word .",
        "Arjan Dev has only said that Guru Bhagat Beni attained Word also through the Holy"
        " enlightenment .",
    ]


def test_the_printed_exchanges_of_questions():  # Table 4
    draw = scripted("noun", "GPE", "verb", "noun 2", "noun 8", "verb 1", "verb 9")
    assert texts(QQP, draw) == [
        "Was increased attack to protect Benghazi before the funding denied by Congress ."
        " If so , who voted against it ?",
        "Was increased attack to protect Congress before the funding denied by Benghazi ."
        " If so , who voted against it ?",
        "Was denied attack to protect Congress before the funding increased by Benghazi ."
        " If so , who voted against it ?",
    ]


def test_what_may_be_exchanged():
    sentence = published(
        "Ann/NNP Lee/NNP was/VBD seen/VBN ,/, can/MD sing/VB 3/CD old/JJ songs/NNS very/RB well/RB"
        " in/IN York/NNP ./.",
        (0, 2, "PERSON", 0.9),
        (13, 14, "LOCATION", 0.7),  # below the threshold: a noun
    )
    found = exchangeable_units(sentence, entity_probability=0.8)
    assert [(unit.start, unit.group) for unit in found] == [
        (0, "PERSON"),
        (3, "verb"),
        (6, "verb"),
        (8, "adjective"),
        (9, "noun"),
        (10, "adverb"),
        (11, "adverb"),
        (13, "noun"),
    ]


@pytest.mark.parametrize("word", ["cannot", "all-basic", "(Rome)", "Rome.", "`", "%", "#", "3%"])
def test_marks_and_parts_of_a_written_word_stay_where_they_are(word):
    parts = tuple(Token(part, "NN", "", "") for part in re.findall("can|not|\\w+|.", word))
    rest = (Token("we", "PRP", "", " "), *parts[:-1], replace(parts[-1], space=" "))
    sentence = TaggedSentence((*rest, Token("see", "VB", "", "")), ())
    assert [unit.group for unit in exchangeable_units(sentence, entity_probability=0.8)] == ["verb"]


WRITTEN = (
    "Mara's well-known old 50% #3 “Rome” e.g. A/B (see) cats saw, – ` `` don't co-op Zürich; it's "
    "U.S. 2,000 km² und/oder was only green! river? Élan $5 and the of Ann Bob naïve *not* ..."
)


@st.composite
def written(draw):
    """A sentence as people write it, of which a tagger says anything."""
    words = draw(st.lists(st.sampled_from(WRITTEN.split()), min_size=8, max_size=20))
    parts = [
        part
        for *apart, last in map(tokens, words)
        for part in [*((each, "") for each in apart), (last, " ")]
    ]
    count = len(parts)
    tags = draw(st.lists(st.sampled_from([*CLASS_OF_TAG, "IN"]), min_size=count, max_size=count))
    start, length = draw(st.integers(0, count - 3)), draw(st.integers(1, 3))
    tokens_of = (
        Token(text, tag, "", space) for (text, space), tag in zip(parts, tags, strict=True)
    )
    return TaggedSentence(tuple(tokens_of), (Entity(start, start + length, "NAME", 0.9),))


@given(written())
def test_exchanges_keep_the_words_between_spaces_and_move_no_mark_alone(sentence):
    bag = sorted(sentence.text.casefold().split())
    for candidate in swap_candidates(sentence, lambda what: 0, entity_probability=0.8):
        assert sorted(candidate.text.casefold().split()) == bag
        for phrase in (candidate.swapped.one, candidate.swapped.other):
            assert any(map(str.isalnum, phrase))


def test_words_that_enter_or_leave_the_beginning_are_recased():
    sentence = published(
        "Cats/NNS see/VBP old/JJ dogs/NNS and/CC hear/VBP young/JJ Parisians/NNPS ./."
    )
    draw = scripted("noun", "verb", "adjective", "noun 0", "noun 3")
    first = swap_candidates(sentence, draw, entity_probability=0.8)[0]
    assert first.text == "Dogs see old cats and hear young Parisians ."
    assert first.swapped == Exchange("noun", "cats", "dogs")


def test_equal_words_count_once_so_three_classes_may_be_too_few():
    sentence = published("Old/JJ cats/NNS see/VBP old/JJ dogs/NNS and/CC hear/VBP birds/NNS ./.")
    pair = [("p", "Another text.", sentence.text)]
    assert groups([sentence], of=pair) == [Outcome.TOO_FEW_GROUPS]


def test_equal_sentences_have_no_group():
    assert groups([WIKI], of=[("p", WIKI.text, WIKI.text)]) == [Outcome.EQUAL]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_pair_whose_first_sentence_is_one_of_the_results_is_refused(number):
    found = groups([WIKI], of=[("p", "Another text.", WIKI.text)])[0]
    first = found.candidates[1 + number].text
    assert groups([WIKI], of=[("p", first, WIKI.text)]) == [Outcome.REPEATS]


def words(text):
    return sorted(re.findall(r"\w+", text.casefold()))


def check(group: Group):
    """Assert what holds for every group."""
    assert tuple(each.degree for each in group.candidates) == DEGREES
    steps = [Candidate(group.pivot, 4), *group.candidates[1:]]
    for before, after in pairwise(steps):
        assert words(before.text) == words(after.text)
        assert is_exchange(before.text, after.text, after.swapped)
    assert len({group.pivot, *(each.text for each in group.candidates)}) == 5
    assert len({each.swapped.group for each in group.candidates[1:]}) == 3


def test_a_thousand_sentences_keep_their_words_and_differ_by_one_exchange_a_step():
    some = sentences(1000)
    made = [each for each in groups(some) if isinstance(each, Group)]
    assert len(made) > 400
    for group in made:
        check(group)


def test_the_check_finds_a_class_that_is_exchanged_twice():  # control of the test above
    group = groups([WIKI], of=[("p", "Another text.", WIKI.text)])[0]
    paraphrase, one, *_ = group.candidates
    back = Candidate(group.pivot, 2, one.swapped)
    twice = replace(group, candidates=(paraphrase, one, back, replace(one, degree=1)))
    with pytest.raises(AssertionError):
        check(twice)


def test_groups_depend_on_the_seed_and_never_on_other_pairs():
    some = sentences(60)
    listed = pairs(some)
    found = dict(zip(listed, groups(some), strict=True))
    assert groups(some, of=listed[::-1]) == [found[pair] for pair in listed[::-1]]
    assert groups(some, of=listed[7:8]) == [found[listed[7]]]
    assert groups(some, seed=1) != groups(some)
