"""Words, phrases and texts: articles, capitals, dates, kinds, names, normal forms, likeness."""

import unicodedata
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import phrases, vector_likeness
from generation.nlp.exchanges import agrees, takes_an
from generation.nlp.ngram import SPECIAL, Vocabulary, normal_form
from generation.nlp.phrases import Date, Kind, find_dates
from generation.nlp.templates import begins_lower, capitalised, first_word, uncapitalised
from generation.nlp.text import Reason, RefusedText, check
from generation.nlp.vector_likeness import VectorLikeness
from tests.generation.nlp.toy import tokens_and_phrases

AN = "apple umbrella hour honest heir FBI MP 8 11 18 80 unimportant uninvited Egyptian only S"
A = "pear university European use one once unit UN US user utopia 1 110 180 house ewe"


def test_the_indefinite_article_follows_the_sound_of_the_word():
    assert [word for word in f"{AN} {A}".split() if takes_an(word)] == AN.split()
    pairs = [("the", "apple"), ("An", "apple"), ("a", "apple"), ("an", "pear")]
    assert [agrees(*pair) for pair in pairs] == [True, True, False, False]


@given(st.text(min_size=1, max_size=6))
def test_a_word_loses_and_regains_the_capital_of_its_place(word):
    assert begins_lower(word) or capitalised(uncapitalised(word)) == word
    for first, inside in (("The", "the"), ("A", "a"), *[(x, x) for x in ("I", "NATO", "iPod")]):
        assert (uncapitalised(first), capitalised(inside)) == (inside, first)
    assert (first_word(["“", "The", "end"]), first_word(["...", "!"])) == (1, None)


def test_dates_are_found_by_their_form_and_ordered_in_time():
    for form, *texts in (
        *(("day", "April 2", "2 April"), ("full", "2 April 1947", "April 2 , 1947")),
        *(("month", "April 1947", "April of 1947"), ("season", "summer 1947"), ("year", "1947")),
        *(("decade", "1940s"), ("century", "19th century"), ("month_name", "May")),
        ("weekday", "Friday"),
    ):
        for words in (["on", *text.split(), "it"] for text in texts):
            assert find_dates(words) == [Date(1, len(words) - 1, form)], words
    for text in ("may", "april", "47", "32", "3947", "19475", "21st"):
        assert find_dates([text]) == [], text
    assert find_dates(["45", "May", "1947"]) == [Date(1, 3, "month")]
    several = find_dates(["between", "2", "April", "1947", "and", "May", "3"])
    assert [(date.start, date.end) for date in several] == [(1, 4), (5, 7)]
    ordered = ["16th century", "the 1970s", "2004", "May 2004", "2 June 2004", "June 30 , 2004"]
    orders = [phrases.date_order(text.split()) for text in ordered]
    assert orders == sorted(set(orders))


def test_names_dates_and_numbers_are_phrases_of_their_kind():
    york = "Flights/NNS leave/VBP New/NNP York/NNP ./."
    states = "the/DT United/NNP States/NNPS 's/POS navy/NN ./."
    lee = "General/NNP Ann/NNP Lee/NNP left/VBD ./."
    party = "New/NNP York/NNP 🎉/NNP 🏽/IN saw/VBD Lee/NNP &/CC Co/NNP ./."
    duke = "The/DT Duke/NNP of/IN York/NNP left/VBD of/IN course/NN ./."
    numbers = "On/IN 2/CD April/NNP 1947/CD ,/, two/CD million/CD ran/VBD ./."
    for text, entities, labels in (
        *[(york, [(2, 4, "LOC", p)], {"New York": "LOC"}) for p in (0.99, 0.95, None)],
        (york, [(2, 4, "LOC", 0.94)], {"New York": "?"}),  # uncertain
        (states, [(0, 4, "LOC", 0.99)], {"United States": "LOC"}),
        (lee, [(1, 3, "PER", 0.99)], {"General Ann Lee": "PER"}),
        (duke, [], {"Duke of York": "NNP"}),
        (numbers, [], {"2 April 1947": "full", "two million": "CD"}),
        (party, [(0, 4, "LOC", 1), (5, 8, "ORG", 1)], {"New York": "LOC", "Lee & Co": "ORG"}),
    ):
        tokens, found = tokens_and_phrases(text, *entities)
        words = [token.text for token in tokens]
        merged = {" ".join(words[p.start : p.end]): p.label for p in found if p.end - p.start > 1}
        assert merged == labels, text
    for text, entities, kinds in (
        ("1947/CD it/PRP had/VBD 1500/CD seats/NNS", [], {0: Kind.DATE, 3: Kind.NUMBER}),
        ("May/MD they/PRP win/VB ./.", [], {0: Kind.OTHER, 2: Kind.VERB}),
        ("met/VBD in/IN April/NNP ./.", [(2, 3, "MISC", 0.99)], {2: Kind.DATE}),
        ("@/IN 5/CD %/NN 😀/CD", [], {0: Kind.OTHER, 1: Kind.NUMBER, 2: Kind.OTHER, 3: Kind.OTHER}),
    ):
        _, found = tokens_and_phrases(text, *entities)
        assert {p.start: p.kind for p in found if p.start in kinds} == kinds, text


def test_a_town_and_its_state_are_one_name_but_not_the_names_of_a_list():
    for text, names in (
        (
            "born/VBN in/IN Milan/NNP ,/, Ohio/NNP ,/, and/CC in/IN Rome/NNP",
            ["Milan , Ohio", "Rome"],
        ),
        ("made/VBN in/IN Rome/NNP ,/, Spain/NNP and/CC Wales/NNP", ["Rome", "Spain", "Wales"]),
        ("seen/VBN in/IN Texas/NNP ,/, Ohio/NNP ,/, Utah/NNP", ["Texas", "Ohio", "Utah"]),
        ("Milan/NNP ,/, Ohio/NNP ,/, is/VBZ old/JJ", ["Milan , Ohio"]),
        ("Rome/NNP ,/, Ohio/NNP ,/, and/CC Utah/NNP won/VBD", ["Rome", "Ohio", "Utah"]),
    ):
        tokens, found = tokens_and_phrases(text)
        words = [
            " ".join(t.text for t in tokens[p.start : p.end]) for p in found if p.kind == "name"
        ]
        assert words == names


def test_words_are_numbered_by_their_normal_form_or_their_longest_known_ending():
    words = ("Born", "1947", "3,500", "\N{RIGHT SINGLE QUOTATION MARK}s")
    assert [normal_form(word) for word in words] == ["born", "0000", "0,000", "'s"]
    known = Vocabulary([*SPECIAL, "in", "0000", "<-ing>", "<-g>"])
    assert known.ids(["In", "1947", "in", "2014"]).tolist() == [3, 4, 3, 4]
    assert known.ids(["swapping", "dog", "cat"]).tolist() == [5, 6, known.unk]
    assert known.ids(["<s>", "</s>"]).tolist() == [known.unk] * 2
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
    shipped = partial(vector_likeness.load_embedded().between, ["mother"])
    assert shipped(["father"]) > 0.7 > 0.3 > shipped(["quickly"])


def test_what_cannot_be_a_sentence_is_refused_by_name_and_all_else_is_kept():
    for reason, *texts in (
        *((Reason.EMPTY, "", " \u200b\u3000"), (Reason.TOO_LONG, "a" * 21), (Reason.TAB, "a\tb")),
        *((Reason.CONTROL, "a\x07b", "a\x9fb"), (Reason.LINE_BREAK, "a\nb", "a\u2028b")),
        *((Reason.NUL, "a\0b"), (Reason.SURROGATE, "a\ud800b")),
        (Reason.DIRECTION, *(f"a{mark}b" for mark in "\u202a\u202e\u2066\u2069")),
        (Reason.BYTES, "b'It rains.'", 'b"It\'s May."'),
        (Reason.NONCHARACTER, "a\ufffeb", "a\uffffb", "a\U0001ffffb", "a\ufdd0b"),
    ):
        for text in texts:
            with pytest.raises(RefusedText) as refused:
                check(text, max_characters=20)
            assert refused.value.reason == reason, text
    assert check("Cafe\u0301.", max_characters=20) == "Caf\u00e9."
    assert check("  A cat sleeps.\n", max_characters=20) == "A cat sleeps."
    for text in ("שלום \u200fעולם.", "👩\u200d🔬 works.", "\ufffd", "a" * 20):
        assert check(text, max_characters=20) == text


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
