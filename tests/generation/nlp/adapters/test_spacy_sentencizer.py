"""Running text is split by rules that know abbreviations."""

import pytest

from generation.nlp.adapters import spacy_sentencizer
from generation.nlp.adapters.spacy_sentencizer import split_sentences


def test_abbreviations_do_not_end_a_sentence() -> None:
    text = "Dr. Weir met the U.S. team. It rained!"

    assert list(split_sentences(text)) == ["Dr. Weir met the U.S. team.", "It rained!"]


def test_a_long_passage_is_cut_at_a_space_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spacy_sentencizer, "LONGEST_PART", 20)
    text = "one two three four five six seven eight nine ten"

    parts = list(split_sentences(text))

    assert len(parts) == 3
    assert " ".join(parts) == text


def test_a_long_word_is_cut_where_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_sentencizer, "LONGEST_PART", 20)

    assert "".join(split_sentences("x" * 50)) == "x" * 50


def test_another_language_has_its_own_rules() -> None:
    assert len(list(split_sentences("Er kam z.B. nie. Sie auch.", language="de"))) == 2
