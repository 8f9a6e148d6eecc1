import numpy as np

from generation.nlp.training.ngram_counts import trigrams_and_bigrams

BOS, EOS, A, B = 0, 1, 3, 4
TEXT = np.array([BOS, A, B, EOS, BOS, A, B, B, EOS], dtype=np.uint16)


def test_bigrams_count_the_words_before_them_and_first_ones_their_occurrences() -> None:
    _, bigrams = trigrams_and_bigrams(TEXT, bos=BOS, eos=EOS)
    rows = np.stack([bigrams.context, bigrams.suffix, bigrams.count], axis=1)
    assert rows.tolist() == [[BOS, A, 2], [A, B, 1], [B, EOS, 2], [B, B, 1]]


def test_trigrams_count_their_occurrences_and_point_at_their_bigrams() -> None:
    trigrams, _ = trigrams_and_bigrams(TEXT, bos=BOS, eos=EOS)
    rows = np.stack([trigrams.context, trigrams.suffix, trigrams.count], axis=1).tolist()
    a_b, b_eos, b_b = 1, 2, 3
    assert rows == [[0, a_b, 2], [a_b, b_eos, 1], [a_b, b_b, 1], [b_b, b_eos, 1]]
