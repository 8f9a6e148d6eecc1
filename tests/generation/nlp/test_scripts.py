"""Measures work in every script: with and without spaces, and with combining marks."""

import re
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.pairs.differences import TOKEN
from annotation.stats.overlap import jaccard, words_of
from annotation.translations.stats.checks import matched_terms, phrases
from annotation.translations.stats.word_errors import word_errors
from evaluation.ranking import scorers
from generation.flashcards import Card, fault_of, twin_key
from generation.nlp import definitions
from generation.nlp.measures import likeness, words_kept
from generation.nlp.near_duplicates import are_near, shingles
from generation.nlp.near_equal import near_equal, plain_text
from generation.nlp.words import has_spaces, pieces, tokens, words

ASCII = st.text(st.characters(max_codepoint=127), max_size=60)
# Two clauses of each language.
CLAUSES = {
    "zh": ("磨坊在一九四七年的夏天烧毁了", "新的桥在河的另一边建成了"),
    "ja": ("水車小屋は一九四七年の夏に焼け落ちた", "新しい橋が川の向こう岸に架けられた"),
    "th": ("โรงสีเก่าถูกไฟไหม้ในฤดูร้อนปีนั้น", "สะพานใหม่ถูกสร้างขึ้นที่อีกฝั่งของแม่น้ำ"),
    "ar": ("احترقت الطاحونة القديمة في صيف ذلك العام", "بُنِيَ جسر جديد على الضفة الأخرى من النهر"),
    "hi": ("पुरानी चक्की उस साल की गर्मियों में जल गई", "नदी के दूसरे किनारे पर नया पुल बनाया गया"),
    "fa": ("آسیاب قدیمی در تابستان آن سال می‌سوخت", "پل تازه‌ای در آن سوی رودخانه ساخته شد"),
}


@pytest.mark.parametrize("language", CLAUSES)
def test_order_and_repeats_are_measured_in_every_script(language):
    first, second = CLAUSES[language]
    space = " " if has_spaces(language) else ""
    text, turned = f"{first}{space}{second}", f"{second}{space}{first}"
    assert words(text) == pieces(text) == [*words(first), *words(second)]
    assert (len(words(text)) == len(text.split())) is has_spaces(language)

    similarity, inversions = likeness(text, turned)
    assert (similarity, words_kept(text, turned)) == (1.0, 1.0)
    assert 0.2 < inversions < 0.8
    assert likeness(first, second)[0] < 0.9 > words_kept(first, second)

    longer = f"{text}{space}{words(second)[0]}"
    assert are_near(shingles(text), shingles(longer), threshold=Fraction(7, 10))
    assert not are_near(shingles(first), shingles(second), threshold=Fraction(1, 10))
    assert near_equal(plain_text(first), plain_text(text)) == "contained"

    distinct = words_of(language)
    assert jaccard(distinct(text), distinct(turned)) == 1
    assert scorers.jaccard(text, turned) == scorers.cosine(text, turned) == pytest.approx(1)
    assert 0 < scorers.order(text, turned) < 1
    assert 0 < scorers.jaccard(first, text) < 1
    assert definitions.tfidf([first, second]).any(axis=1).all()
    assert fault_of(Card(1, "x", first), language=language) is None


@given(st.text(max_size=60))
@example("می‌خواهم हिन्दी_ 狗 e\u0301")
def test_no_character_is_lost_among_words_and_marks(text):
    assert "".join(tokens(text)) == "".join(pieces(text)) == "".join(text.split())
    assert "".join(TOKEN.findall(text)) == text
    assert "".join(words(text)) == "".join(w for token in tokens(text) for w in words(token))


@given(ASCII)
@example("Mara's 3,500 dogs -- all_of them (really).")
def test_text_with_spaces_is_runs_of_letters_and_single_marks(text):
    for some in (text, f"{text} é"):
        assert tokens(some) == re.findall(r"\w+|[^\w\s]", some)
        assert words(some) == re.findall(r"[^\W_]+", some)
        assert pieces(some) == some.split()


@dataclass
class Term:
    source: str
    target: str = ""


def test_vowel_signs_belong_to_their_word():
    assert twin_key("कि", "hi") != twin_key("का", "hi")
    assert twin_key("มี", "th") != twin_key("มา", "th")
    assert word_errors("वह कि", "वह का", by_character=False).errors == 1
    assert {"हिन्दी", "में"} < phrases("हिन्दी में")
    assert matched_terms("हिन्दी", [Term("हिन्द")]) == []
    assert len(matched_terms("हिन्द में", [Term("हिन्द")])) == 1
