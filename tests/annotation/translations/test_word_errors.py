"""Word error rates are those that jiwer computes, and those that one counts by hand."""

from random import Random

import jiwer
import pytest

from annotation.translations.stats.word_errors import (
    Errors,
    by_character,
    errors_of_rejected,
    rate,
    rates,
    word_errors,
)
from generation.nlp.words import tokens

VOCABULARY = [*"abcdeABC,.()„“", "Hund", "Straße", "1849"]


def edits(one, other):
    """The edit distance, from its definition."""
    row = list(range(len(other) + 1))
    for number, left in enumerate(one, 1):
        diagonal, row[0] = row[0], number
        for place, right in enumerate(other, 1):
            best = min(diagonal + (left != right), row[place] + 1, row[place - 1] + 1)
            diagonal, row[place] = row[place], best
    return row[-1]


def some_pairs(number):
    draw = Random(17)
    for _ in range(number):
        reference = draw.choices(VOCABULARY, k=draw.randint(1, 30))
        changed = [draw.choice(VOCABULARY) if draw.random() < 0.2 else word for word in reference]
        yield reference, [word for word in changed if draw.random() > 0.1]


def test_errors_are_those_of_jiwer_and_of_the_definition():
    references, hypotheses = zip(*some_pairs(500), strict=True)
    counted = [
        word_errors(" ".join(one), " ".join(other), by_character=False)
        for one, other in zip(references, hypotheses, strict=True)
    ]
    for one, other, errors in zip(references, hypotheses, counted, strict=True):
        assert errors == Errors(edits(one, other), len(one))
        assert errors.errors / errors.words == jiwer.wer(" ".join(one), " ".join(other))
    overall = jiwer.wer([*map(" ".join, references)], [*map(" ".join, hypotheses)])
    assert rate(counted).value == overall


def test_marks_are_words_and_case_counts():
    assert word_errors("Der Hund, der bellt.", "der Hund der bellt", by_character=False) == Errors(
        3, 6
    )
    text = "Es war 1849 – „ein (altes) Haus“!"
    assert word_errors(text, text, by_character=False).words == len(tokens(text))


def test_chinese_is_compared_by_character_and_a_hindi_word_is_one_word():
    assert by_character("zh")
    assert by_character("zh-Hant-TW")
    assert by_character("TH")
    assert not any(map(by_character, ["ko", "vi", "de-AT", "yo"]))
    assert word_errors("他住在 柏林。", "她住在柏林。", by_character=True) == Errors(1, 6)
    assert word_errors("हिन्दी में लिखो", "हिन्दी मे लिखो", by_character=False) == Errors(1, 3)


def test_one_of_twenty_words_is_not_below_five_percent():
    right = " ".join(f"wort{number}" for number in range(20))
    one_wrong = rate([word_errors(right, right.replace("wort7", "Wort"), by_character=False)])
    assert (one_wrong.value, one_wrong.is_below(0.05)) == (0.05, False)
    longer = rate([Errors(1, 20), Errors(0, 1)])
    assert longer.is_below(0.05)


def test_a_rejected_translation_is_wrong_in_every_word():
    assert errors_of_rejected("Ganz falsch.", by_character=False) == Errors(3, 3)
    assert errors_of_rejected("完全错。", by_character=True) == Errors(4, 4)


def test_an_empty_reference_has_errors_but_no_rate():
    empty = word_errors("", "zwei Wörter", by_character=False)
    assert empty == Errors(2, 0)
    assert rate([empty]).value is None
    assert not rate([empty]).is_below(1.0)
    assert rate([]).value is None
    assert rate([empty, Errors(0, 8)]).value == 0.25


def test_a_translator_has_a_rate_and_an_interval_over_their_own_sentences():
    good, bad = [Errors(0, 10)] * 30 + [Errors(1, 10)] * 10, [Errors(2, 10), Errors(0, 10)] * 20
    overall, of = rates([("ana", one) for one in good] + [("ben", one) for one in bad])
    assert overall.sentences == 80
    assert (of["ana"].value, of["ben"].value) == (0.025, 0.1)
    low, high = of["ben"].interval
    assert low < 0.1 < high
    # The normal approximation: every sentence has ten words, and 0 or 2 errors.
    assert (low, high) == pytest.approx(
        (0.1 - 1.96 * 0.1 / 40**0.5, 0.1 + 1.96 * 0.1 / 40**0.5), abs=0.01
    )
    assert rates([("ana", one) for one in good])[0] == of["ana"]
    assert rate(good[:9]).interval is None
