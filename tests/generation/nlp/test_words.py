"""Words, phrases and texts: articles, capitals, dates, kinds, names, normal forms, likeness."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import dates, likeness
from generation.nlp.articles import agrees, takes_an
from generation.nlp.casing import begins_lower, capitalised, first_word, uncapitalised
from generation.nlp.dates import Date, find
from generation.nlp.kinds import Kind, of_change, of_tag
from generation.nlp.likeness import VectorLikeness
from generation.nlp.text import Reason, RefusedText, check
from generation.nlp.vocabulary import SPECIAL, Vocabulary, normal_form
from tests.generation.nlp.toy import tokens_and_phrases

AN = "apple umbrella hour honest heir FBI MP 8 11 18 80 unimportant uninvited Egyptian only S"
A = "pear university European use one once unit UN US user utopia 1 110 180 house ewe"


def test_the_indefinite_article_follows_the_sound_of_the_word():
    assert [word for word in f"{AN} {A}".split() if takes_an(word)] == AN.split()
    assert agrees("the", "apple")
    assert agrees("An", "apple")
    assert not agrees("a", "apple")
    assert not agrees("an", "pear")


def test_a_word_loses_and_regains_the_capital_of_its_place():
    for first, inside in (
        *(("The", "the"), ("A", "a"), ("I", "I"), ("NATO", "NATO"), ("iPod", "iPod")),
    ):
        assert (uncapitalised(first), capitalised(inside)) == (inside, first)
    assert first_word(["“", "The", "end"]) == 1
    assert first_word(["...", "!"]) is None


@given(st.text(min_size=1, max_size=6))
def test_a_capital_can_always_be_given_back(word):
    if not begins_lower(word):
        assert capitalised(uncapitalised(word)) == word


def test_dates_are_found_by_their_form():
    for text, form in (
        *(("April 2", "day"), ("2 April", "day"), ("2 April 1947", "full")),
        *(("April 2 , 1947", "full"), ("April 1947", "month"), ("April of 1947", "month")),
        *(("summer 1947", "season"), ("1947", "year"), ("1940s", "decade")),
        *(("19th century", "century"), ("May", "month_name"), ("Friday", "weekday")),
    ):
        words = ["on", *text.split(), "it"]
        assert find(words) == [Date(1, len(words) - 1, form)], text
    for text in ("may", "april", "47", "32", "3947", "19475", "21st"):
        assert find([text]) == [], text
    assert find(["45", "May", "1947"]) == [Date(1, 3, "month")]
    several = find(["between", "2", "April", "1947", "and", "May", "3"])
    assert [(date.start, date.end) for date in several] == [(1, 4), (5, 7)]


def test_dates_have_an_order_in_time():
    texts = ("16th century", "the 1970s", "2004", "May 2004", "2 June 2004", "June 30 , 2004")
    found = [dates.order(text.split()) for text in texts]
    assert found == sorted(set(found))


def test_a_change_has_the_kind_of_the_words_that_moved():
    assert of_change([Kind.NAME, Kind.NAME]) is Kind.NAME
    assert of_change([Kind.NAME, Kind.DATE]) is Kind.MIXED
    assert (of_tag("VBZ"), of_tag("DT")) == (Kind.VERB, Kind.OTHER)


def labels(text, *entities):
    """The merged phrases of a sentence and their labels."""
    tokens, found = tokens_and_phrases(text, *entities)
    texts = [" ".join(token.text for token in tokens[p.start : p.end]) for p in found]
    return {text: p.label for text, p in zip(texts, found, strict=True) if p.end - p.start > 1}


def test_names_dates_and_numbers_of_several_words_are_phrases():
    york = "Flights/NNS leave/VBP New/NNP York/NNP ./."
    dates_and_numbers = "On/IN 2/CD April/NNP 1947/CD ,/, two/CD million/CD ran/VBD ./."
    for text, entities, expected in (
        (york, [(2, 4, "LOC", 0.99)], {"New York": "LOC"}),
        (york, [(2, 4, "LOC", 0.95)], {"New York": "LOC"}),
        (york, [(2, 4, "LOC", 0.94)], {"New York": "?"}),  # uncertain
        (york, [(2, 4, "LOC", None)], {"New York": "LOC"}),
        (
            "the/DT United/NNP States/NNPS 's/POS navy/NN ./.",
            [(0, 4, "LOC", 0.99)],
            {"United States": "LOC"},
        ),
        (
            "General/NNP Ann/NNP Lee/NNP left/VBD ./.",
            [(1, 3, "PER", 0.99)],
            {"General Ann Lee": "PER"},
        ),
        (
            "The/DT Duke/NNP of/IN York/NNP left/VBD of/IN course/NN ./.",
            [],
            {"Duke of York": "NNP"},
        ),
        (dates_and_numbers, [], {"2 April 1947": "full", "two million": "CD"}),
    ):
        assert labels(text, *entities) == expected, text


def test_numbers_verbs_and_names_are_told_from_dates():
    for text, entities, kinds in (
        ("1947/CD it/PRP had/VBD 1500/CD seats/NNS", [], {0: Kind.DATE, 3: Kind.NUMBER}),
        ("May/MD they/PRP win/VB ./.", [], {0: Kind.OTHER}),
        ("met/VBD in/IN April/NNP ./.", [(2, 3, "MISC", 0.99)], {2: Kind.DATE}),
    ):
        _, found = tokens_and_phrases(text, *entities)
        assert {p.start: p.kind for p in found if p.start in kinds} == kinds, text


def test_words_are_numbered_by_their_normal_form():
    apostrophe_s = "\N{RIGHT SINGLE QUOTATION MARK}s"
    words = ("Born", "1947", "3,500", apostrophe_s)
    assert [normal_form(word) for word in words] == ["born", "0000", "0,000", "'s"]
    vocabulary = Vocabulary([*SPECIAL, "in", "0000"])
    assert vocabulary.ids(["In", "1947", "in", "2014"]).tolist() == [3, 4, 3, 4]


def test_an_unknown_word_counts_as_the_class_of_its_longest_known_ending():
    vocabulary = Vocabulary([*SPECIAL, "<-ing>", "<-g>"])
    assert vocabulary.ids(["swapping", "dog", "cat"]).tolist() == [3, 4, vocabulary.unk]
    assert vocabulary.ids(["<s>", "</s>"]).tolist() == [vocabulary.unk] * 2
    with pytest.raises(ValueError, match="begins with"):
        Vocabulary(["a", *SPECIAL])


def test_phrases_are_as_alike_as_the_directions_of_their_known_words(tmp_path):
    words = ("red", "blue", "Paris", "walk")
    vectors = np.array([[4, 3], [3, 4], [0, 5], [-8, -6]], np.int8)
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    np.save(tmp_path / "vectors.npy", vectors)
    for found in (VectorLikeness(words, vectors), VectorLikeness.load(tmp_path)):
        assert found.between(["red"], ["blue"]) == pytest.approx(24 / 25)
        assert found.between(["red"], ["walk"]) == pytest.approx(-1)
        assert found.between(["Old", "red"], ["red"]) == pytest.approx(1)
        assert found.between(["red", "blue"], ["red"]) == pytest.approx(7 / 50**0.5)
        assert found.between(["Red"], ["paris"]) == found.between(["red"], ["Paris"])
        assert found.between(["green"], ["red"]) is None
        assert found.between(["red", "walk"], ["red"]) is None


def test_the_vectors_that_ship_know_what_is_used_alike():
    shipped = likeness.embedded()
    mother = ["mother"]
    assert shipped.between(mother, ["father"]) > 0.7 > 0.3 > shipped.between(mother, ["quickly"])


def test_what_cannot_be_a_sentence_is_refused_by_name():
    for text, reason in (
        *(("", Reason.EMPTY), (" \u200b\u3000", Reason.EMPTY), ("a" * 21, Reason.TOO_LONG)),
        *(("a\0b", Reason.NUL), ("a\x07b", Reason.CONTROL), ("a\x9fb", Reason.CONTROL)),
        *(("a\ud800b", Reason.SURROGATE), ("a\tb", Reason.TAB)),
        *(("a\nb", Reason.LINE_BREAK), ("a\u2028b", Reason.LINE_BREAK)),
    ):
        with pytest.raises(RefusedText) as refused:
            check(text, max_characters=20)
        assert refused.value.reason == reason, text


def test_a_sentence_is_kept_as_it_is_but_composed_and_without_spaces_around():
    for text, kept in (
        ("Cafe\u0301.", "Caf\u00e9."),
        ("  A cat sleeps.\n", "A cat sleeps."),
        *[
            (text, text)
            for text in ("שלום \u2067עולם\u2069.", "👩\u200d🔬 works.", "\ufffd", "a" * 20)
        ],
    ):
        assert check(text, max_characters=20) == kept


@given(st.text(max_size=40))
def test_what_is_accepted_is_nfc_on_one_line_and_accepted_again(text):
    try:
        accepted = check(text, max_characters=60)
    except RefusedText:
        return
    assert unicodedata.is_normalized("NFC", accepted)
    assert len(accepted.splitlines()) == 1
    assert "\t" not in accepted
    assert accepted.encode()
    assert check(accepted, max_characters=60) == accepted
