"""Groups: the exchanges that the paper prints, and what holds for any sentence."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from evaluation.ranking.classes import units
from evaluation.ranking.swaps import DEGREES, Candidate, Exchange, Group, Outcome, Swapper, swaps
from evaluation.ranking.verification import is_exchange
from tests.evaluation.ranking.sentences import Lookup, pairs, sentences
from tests.generation.nlp.toy import tagged

WIKI = tagged(
    "Bhagat/NNP Beni/NNP has/VBZ also/RB said/VBN that/IN Guru/NNP Arjan/NNP Dev/NNP attained/VBD"
    " enlightenment/NN only/RB through/IN the/DT Holy/NNP Word/NNP ./.",
    (0, 2, "PERSON", 0.9),
    (7, 9, "PERSON", 0.9),
)
QQP = tagged(
    "Was/VBD increased/VBN funding/NN to/TO protect/VB Benghazi/NNP before/IN the/DT attack/NN"
    " denied/VBN by/IN Congress/NNP ./. If/IN so/RB ,/, who/WP voted/VBD against/IN it/PRP ?/.",
    (5, 6, "GPE", 0.9),
    (11, 12, "GPE", 0.9),
)


def scripted(*order):
    """A draw that takes these classes and places first."""
    return lambda what: order.index(what) if what in order else len(order)


def texts(sentence, draw):
    return [each.text for each in swaps(sentence, draw, entity_probability=0.8)]


def groups(some, *, seed=0, of=None):
    swapper = Swapper(Lookup(some), seed=seed, entity_probability=0.8)
    return list(swapper.groups(of or pairs(some)))


def test_the_printed_exchanges_of_wikipedia():  # Table 4
    draw = scripted("PERSON", "adverb", "noun", "noun 10", "noun 15")
    assert texts(WIKI, draw) == [
        "Arjan Dev has also said that Guru Bhagat Beni attained enlightenment only through the"
        " Holy Word.",
        "Arjan Dev has only said that Guru Bhagat Beni attained enlightenment also through the"
        " Holy Word.",
        "Arjan Dev has only said that Guru Bhagat Beni attained Word also through the Holy"
        " enlightenment.",
    ]


def test_the_printed_exchanges_of_questions():  # Table 4
    draw = scripted("noun", "GPE", "verb", "noun 2", "noun 8", "verb 1", "verb 9")
    assert texts(QQP, draw) == [
        "Was increased attack to protect Benghazi before the funding denied by Congress. If so,"
        " who voted against it?",
        "Was increased attack to protect Congress before the funding denied by Benghazi. If so,"
        " who voted against it?",
        "Was denied attack to protect Congress before the funding increased by Benghazi. If so,"
        " who voted against it?",
    ]


def test_what_may_be_exchanged():
    sentence = tagged(
        "Ann/NNP Lee/NNP was/VBD seen/VBN ,/, can/MD sing/VB 3/CD old/JJ songs/NNS very/RB well/RB"
        " in/IN York/NNP ./.",
        (0, 2, "PERSON", 0.9),
        (13, 14, "LOCATION", 0.7),  # below the threshold: a noun
    )
    found = units(sentence, entity_probability=0.8)
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


def test_parts_of_a_written_word_stay_together():
    sentence = tagged("He/PRP can/MD not/RB see/VB ./.")
    joined = replace(sentence.tokens[1], space="")
    cannot = replace(sentence, tokens=(sentence.tokens[0], joined, *sentence.tokens[2:]))
    assert "cannot" in cannot.text
    assert [unit.start for unit in units(cannot, entity_probability=0.8)] == [3]


def test_words_that_enter_or_leave_the_beginning_are_recased():
    sentence = tagged(
        "Cats/NNS see/VBP old/JJ dogs/NNS and/CC hear/VBP young/JJ Parisians/NNPS ./."
    )
    draw = scripted("noun", "verb", "adjective", "noun 0", "noun 3")
    first = swaps(sentence, draw, entity_probability=0.8)[0]
    assert first.text == "Dogs see old cats and hear young Parisians."
    assert first.swapped == Exchange("noun", "cats", "dogs")


def test_equal_words_count_once_so_three_classes_may_be_too_few():
    sentence = tagged("Old/JJ cats/NNS see/VBP old/JJ dogs/NNS and/CC hear/VBP birds/NNS ./.")
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
