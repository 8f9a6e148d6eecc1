import pytest

from generation.nlp.vocabulary import SPECIAL, Vocabulary, normal_form


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("Born", "born"),
        ("1947", "0000"),
        ("3,500", "0,000"),
        ("\N{RIGHT SINGLE QUOTATION MARK}s", "'s"),
    ],
)
def test_words_are_counted_in_their_normal_form(word: str, form: str) -> None:
    assert normal_form(word) == form


def test_spellings_of_one_normal_form_share_a_number() -> None:
    vocabulary = Vocabulary([*SPECIAL, "in", "0000"])
    assert vocabulary.ids(["In", "1947", "in", "2014"]).tolist() == [3, 4, 3, 4]


def test_an_unknown_word_counts_as_the_class_of_its_longest_known_ending() -> None:
    vocabulary = Vocabulary([*SPECIAL, "<-ing>", "<-g>"])
    assert vocabulary.ids(["swapping", "dog", "cat"]).tolist() == [3, 4, vocabulary.unk]


def test_a_word_that_looks_like_a_sentences_end_is_unknown() -> None:
    vocabulary = Vocabulary([*SPECIAL, "a"])
    assert vocabulary.ids(["<s>", "</s>"]).tolist() == [vocabulary.unk] * 2


def test_a_vocabulary_must_begin_with_the_special_words() -> None:
    with pytest.raises(ValueError, match="begins with"):
        Vocabulary(["a", *SPECIAL])
