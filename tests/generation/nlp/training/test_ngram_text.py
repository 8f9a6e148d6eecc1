import lzma
from pathlib import Path

from generation.nlp.training import ngram_text
from generation.nlp.vocabulary import SPECIAL


def test_a_text_is_cut_into_words_as_the_tagger_cuts_it(tmp_path: Path) -> None:
    path = tmp_path / "text.xz"
    path.write_bytes(lzma.compress(b"John's dog  barks.\nWell, no.\n"))
    assert list(ngram_text.tokenised(path)) == [
        ["John", "'s", "dog", "barks", "."],
        ["Well", ",", "no", "."],
    ]


def test_the_vocabulary_holds_the_most_frequent_words_and_endings_of_the_others() -> None:
    text = ngram_text.read([["the", "The", "swapping", "sing", "the", "on"]])
    vocabulary = ngram_text.choose_vocabulary(text, size=5, ending_count=2)
    assert vocabulary.words == (*SPECIAL, "<-ing>", "the")


def test_numbers_of_one_shape_are_one_word_of_the_vocabulary() -> None:
    text = ngram_text.read([["1947", "2014", "in"]])
    vocabulary = ngram_text.choose_vocabulary(text, size=10, ending_count=10)
    assert vocabulary.words == (*SPECIAL, "0000", "in")


def test_an_encoded_text_marks_where_sentences_begin_and_end() -> None:
    text = ngram_text.read([["a", "b"], ["b"]])
    vocabulary = ngram_text.choose_vocabulary(text, size=10, ending_count=10)
    words = [vocabulary.words[number] for number in ngram_text.encode(text, vocabulary)]
    assert words == ["<s>", "a", "b", "</s>", "<s>", "b", "</s>"]
