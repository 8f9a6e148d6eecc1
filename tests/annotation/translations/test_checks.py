"""Warnings to translators, and texts that are no translation."""

from dataclasses import dataclass

import pytest

from annotation.translations.stats.checks import (
    Band,
    Check,
    Finding,
    findings,
    learn_band,
    matched_terms,
)
from annotation.translations.stats.placeholders import is_placeholder


@dataclass(frozen=True)
class Entry:
    source: str
    target: str


NONE = ["", "  ", "NS", "ns", "N S", "N/A", "n / a", "-", "–", "\u00a0NS "]
ALMOST = ["ＮＳ", "\u200fNS\u200f", "N\u200bS", "N.A.", "ns.", "...", "[untranslatable]", "TODO"]


@pytest.mark.parametrize("text", [*NONE, *ALMOST])
def test_what_stands_for_no_translation(text):
    assert is_placeholder(text)


@pytest.mark.parametrize("text", ["NS-Zeit", "Na", "不", "NSA", "Todos", "n.Chr."])
def test_a_short_text_is_no_placeholder(text):
    assert not is_placeholder(text)


GOOD = [
    ("Did 12,500 people (and 73 dogs) come in 1849?", "Kamen 1849 12.500 Leute (und 73 Hunde)?"),
    ("The lake covers 1,234.5 hectares.", "Le lac couvre 1 234,5 hectares."),
    ("The lake covers 1,234.5 hectares.", "湖的面积为１２３４．５公顷。"),
    ("He was born in 1923 (in Cairo).", "وُلِد عام ١٩٢٣ (في القاهرة)."),
    ("Were they born in 1923?", "هل وُلِدوا عام ١٩٢٣؟"),
    ("They came in 1849 (with 10 dogs)!", "他们于1849年（带着10只狗）来了！"),
    ("It rained in 1849.", "१८४९ में बारिश हुई।"),
    ("It rained.", "ฝนตก"),
    ("It rained in Geneva (CH).", "ฝนตกในเจนีวา (CH)"),
    ("It rained.", "बारिश हुई |"),
    ("Is it raining?", "Βρέχει;"),
    ('She said: "Go home."', "Sie sagte: „Geh heim.“"),
    ("It has 3 rooms.", "Es hat drei Zimmer."),
    ("On July 29, 1791 it burned", "Am 29. Juli 1791 brannte es"),
]


@pytest.mark.parametrize(("source", "translation"), GOOD)
def test_a_good_translation_has_no_warning(source, translation):
    assert findings(source, translation) == []


@pytest.mark.parametrize(
    ("source", "translation", "name", "words"),
    [
        ("12,500 people and 73 dogs.", "12.500 Leute und Hunde.", Check.NUMBERS, ("73",)),
        ("In 1849 and 1850.", "1894年和1850年。", Check.NUMBERS, ("1849",)),
        ("In 1849.", "Im Jahr 18490.", Check.NUMBERS, ("1849",)),
        ("In 1923.", "عام ١٩٣٢.", Check.NUMBERS, ("1923",)),
        ("A dog (old).", "Ein alter Hund.", Check.BRACKET_MISSING, ("(",)),
        ("A dog (old).", "Ein Hund (alt.", Check.BRACKET_MISSING, (")",)),
        ("An old dog.", "一只狗（老）。", Check.BRACKET_ADDED, ("（",)),
        ("It rained.", "Es regnete", Check.MARK_MISSING, (".",)),
        ("Did it rain?", "下雨了。", Check.MARK_MISSING, ("?",)),
        ("It rained", "下雨了。", Check.MARK_ADDED, ("。",)),
        ("It  rained.", "it rained.", Check.UNCHANGED, ()),
    ],
)
def test_what_is_missing_or_added_is_named(source, translation, name, words):
    assert findings(source, translation) == [Finding(name, words)]


def test_an_unusual_length_is_measured_by_the_translations_that_are_done():
    ratios = [0.8 + 0.4 * number / 199 for number in range(200)]
    assert learn_band(ratios[1:]) is None
    band = learn_band(ratios)
    assert (band.low, band.high) == pytest.approx((0.802, 1.198))
    source = "x" * 100
    for length, expected in [(79, Check.TOO_SHORT), (81, None), (119, None), (121, Check.TOO_LONG)]:
        found = findings(source, "y" * length, band=band)
        assert [each.name for each in found] == [expected] * (expected is not None)
    assert findings(source, "y" * 20, band=Band(0.1, 0.9)) == []


def test_terms_are_whole_words_in_any_case_and_the_longest_is_taken():
    york, city, new, council, cafe = (
        Entry(source, source.upper())
        for source in ["New York", "New York City", "new", "council", "C++ (old)"]
    )
    glossary = [york, new, city, council, cafe]
    assert matched_terms("The COUNCIL of new york city", glossary) == [council, city]
    assert matched_terms("New York and New York City", glossary) == [york, city]
    assert matched_terms("Newer councils of York", glossary) == []
    assert matched_terms("Written in c++ (OLD).", glossary) == [cafe]
    assert matched_terms("柏林议会开会。", [Entry("议会", "Parlament")]) == [
        Entry("议会", "Parlament")
    ]
    assert matched_terms("anything", []) == []


def test_a_term_that_is_not_used_is_named_and_an_inflected_one_is_used():
    terms = [Entry("council", "Rat"), Entry("district", "Bezirk")]
    source = "The district council met."
    assert findings(source, "Der Rat des Bezirks tagte.", terms=terms) == []
    assert findings(source, "Das Gremium des Bezirks tagte.", terms=terms) == [
        Finding(Check.TERMS, ("Rat",))
    ]
    assert findings("It rained.", "Es regnete.", reused=True) == [Finding(Check.REUSED)]
