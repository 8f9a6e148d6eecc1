"""The trigram model: trained on the spot, its probabilities, its file, its scores."""

import lzma
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import ngram
from generation.nlp.ngram import SPECIAL, NgramModel
from generation.nlp.ngram_scorer import NgramLanguageModel
from tests.generation.nlp.toy import puzzle
from tools.training import ngram as training
from tools.training.ngram import round_together

WORDS = ("the", "cat", "saw", "a", "dog", ".")
TEXT = "the cat saw a dog . the dog saw the cat . a dog saw a cat . the cat saw the dog . a cat ."
SENTENCES = [[*part.split(), "."] for part in TEXT.split(".")[:-1]]
texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=12)


def arrays(sentences=SENTENCES, *, least=1):
    """The vocabulary and the numbers of a model of trigrams that occur at least this often."""
    text = training.number_text(sentences)
    vocabulary = training.choose_vocabulary(text, size=1000, ending_count=1000)
    encoded = training.encode(text, vocabulary)
    return vocabulary, training.estimate(encoded, vocabulary, least_count=least)


def model(sentences=SENTENCES, **options):
    return NgramModel(*arrays(sentences, **options))


def test_an_unpruned_model_is_interpolated_modified_kneser_ney():
    # Probabilities straight from the formulas; the discounts of the letters' trigrams are those of
    # Chen and Goodman 1998, equation 26, which has no solution for the sentences: 0.5, 1 and 1.5.
    letters = [["abcd"[int(digit) % 4] for digit in str(7919 * n**3)] for n in range(1, 30)]
    for sentences, expected in (
        (SENTENCES, {"<s> <s> the": 0.3697115384615385, "the cat saw": 0.4515224358974359}),
        (SENTENCES, {"dog dog cat": 0.06971153846153846, "saw a the": 0.03485576923076923}),
        (SENTENCES, {"a cat </s>": 0.025240384615384616, "cat . </s>": 0.7752403846153846}),
        (letters, {"<s> <s> a": 0.09267241379310345, "<s> a b": 0.1234999769670168}),
        (letters, {"a b c": 0.13280502535399924, "d d d": 0.24755130597014927}),
        (letters, {"b a </s>": 0.052631578947368425, "c a a": 0.3365792564953013}),
    ):
        trained = model(sentences)
        rows = [[trained.vocabulary.words.index(w) for w in event.split()] for event in expected]
        found = np.exp(trained.log_probs(np.array(rows)))
        assert found == pytest.approx([*expected.values()])


def every_trigram(trained):
    words = range(len(trained.vocabulary))
    contexts = [
        (u, v)
        for u, v in product(words, words)
        if v != trained.vocabulary.bos or u == trained.vocabulary.bos
    ]
    return np.array([(u, v, w) for u, v in contexts for w in words if w != trained.vocabulary.bos])


def sums_of_probabilities(trained):
    followers = len(trained.vocabulary) - 1
    return np.exp(trained.log_probs(every_trigram(trained))).reshape(-1, followers).sum(axis=1)


@given(texts, st.integers(1, 3))
def test_probabilities_sum_to_one_after_every_context_however_much_is_left_out(texts, least):
    assert sums_of_probabilities(model(texts, least=least)) == pytest.approx(1)
    once, twice = (arrays(least=least)[1] for least in (1, 2))
    assert len(once.trigram_gain) > len(twice.trigram_gain) > 0
    assert len(once.bigram_gain) == len(twice.bigram_gain)


def test_a_model_comes_back_rounded_from_its_file_which_is_always_the_same(tmp_path):
    vocabulary, exact = arrays()
    stored, paths = round_together(exact), [tmp_path / "a.npz", tmp_path / "b.npz"]
    for path in paths:
        ngram.save_arrays(path, vocabulary.words, stored)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    loaded, kept = NgramModel.load(paths[0]), NgramModel(vocabulary, stored)
    trigrams = every_trigram(kept)
    assert loaded.vocabulary.words == vocabulary.words
    assert loaded.log_probs(trigrams).tolist() == kept.log_probs(trigrams).tolist()
    assert (loaded.identity["name"], len(loaded.identity["sha256"])) == ("a.npz", 64)
    step = ngram.GAIN_STEP / 2
    row = np.array([vocabulary.ids(["cat", "saw", "the"])])
    before = NgramModel(vocabulary, exact).log_probs(row)
    assert loaded.log_probs(row) == pytest.approx(before, abs=step + 1e-9)
    vocabulary, pruned = arrays(least=2)
    rounded = NgramModel(vocabulary, round_together(pruned))
    assert sums_of_probabilities(rounded) == pytest.approx(1, rel=step)
    np.savez(tmp_path / "other.npz", words=np.zeros(3))
    with pytest.raises(ValueError, match="not a model in the format"):
        NgramModel.load(tmp_path / "other.npz")


def scores(trained, sentences):
    """The natural-log probability of each sentence, end included."""
    bos, eos = trained.vocabulary.bos, trained.vocabulary.eos
    for sentence in sentences:
        ids = [bos, bos, *trained.vocabulary.ids(sentence).tolist(), eos]
        yield trained.log_probs(np.array(list(zip(ids, ids[1:], ids[2:], strict=False)))).sum()


def test_the_totals_of_a_search_are_the_scores_of_its_sentences_their_words_and_their_end():
    trained = model()
    found = list(scores(trained, [["the", "cat", "saw", "a", "cat", "."], ["a"]]))
    assert found == pytest.approx([-4.890009470248414, -4.989712270270453])
    words = ["the cat", "a dog", "saw", ".", "unseen"]
    choices = [[0, 1, 4], [2], [0, 1, 4], [3], [0, 1, 4]]
    puzzles = [puzzle(words, choices, order) for order in ([0, 2, 1, 3, 4], [4, 2, 1, 3, 0])]
    beams = NgramLanguageModel(trained).search(puzzles, width=10)
    for one, found in zip(puzzles, beams, strict=True):
        sentences = [one.template.words(row) for row in found.fillings.tolist()]
        assert found.totals[:, -1] == pytest.approx(list(scores(trained, sentences)))
        assert len(sentences) == 6


def test_training_text_is_cut_into_words_and_numbered_by_the_most_frequent(tmp_path):
    path = tmp_path / "text.xz"
    path.write_bytes(lzma.compress(b"John's dog  barks.\nWell, no.\n"))
    words = [["John", "'s", "dog", "barks", "."], ["Well", ",", "no", "."]]
    assert list(training.read_tokens(path)) == words
    for words, size, endings, expected in (
        (["the", "The", "swapping", "sing", "the", "on"], 5, 2, ["<-ing>", "the"]),
        (["1947", "2014", "in"], 10, 10, ["0000", "in"]),
    ):
        text = training.number_text([words])
        vocabulary = training.choose_vocabulary(text, size=size, ending_count=endings)
        assert vocabulary.words == (*SPECIAL, *expected)
