from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.nlp import ngram_file
from generation.nlp.ngram import NgramModel
from generation.nlp.training.ngram_rounding import rounded_together
from tests.generation.nlp.trained import KEEP_ALL, arrays, model, texts, words_of


def every_trigram(trained: NgramModel) -> np.ndarray:
    """All contexts that can come and all words that can follow."""
    words = range(len(trained.vocabulary))
    contexts = [(u, v) for u, v in product(words, words) if v != trained.bos or u == trained.bos]
    return np.array([(u, v, w) for u, v in contexts for w in words if w != trained.bos])


def sums_of_probabilities(trained: NgramModel) -> np.ndarray:
    followers = len(trained.vocabulary) - 1
    return np.exp(trained.log_probs(every_trigram(trained))).reshape(-1, followers).sum(axis=1)


@settings(deadline=None, max_examples=40)
@given(texts)
def test_probabilities_sum_to_one_after_every_context(sentences: list[list[str]]) -> None:
    assert sums_of_probabilities(model(sentences)) == pytest.approx(1)


@settings(deadline=None, max_examples=40)
@given(texts, st.floats(min_value=0, max_value=3), st.integers(min_value=1, max_value=3))
def test_a_pruned_model_still_sums_to_one(
    sentences: list[list[str]], worth: float, trigram_count: int
) -> None:
    pruned = model(sentences, worth=worth, trigram_count=trigram_count)
    assert sums_of_probabilities(pruned) == pytest.approx(1)


def test_a_rounded_model_sums_to_one_within_its_steps() -> None:
    vocabulary, exact = arrays(words_of(), worth=0.1)
    rounded = NgramModel(vocabulary, rounded_together(exact))
    assert sums_of_probabilities(rounded) == pytest.approx(1, rel=ngram_file.GAIN_STEP / 2)


@settings(deadline=None, max_examples=40)
@given(texts, st.sampled_from([KEEP_ALL, 0.3]), st.data())
def test_the_table_holds_what_log_probs_gives(
    sentences: list[list[str]], worth: float, data: st.DataObject
) -> None:
    trained = model(sentences, worth=worth)
    known = range(len(trained.vocabulary))[2:]
    ids = np.array(data.draw(st.lists(st.sampled_from(known), min_size=1, unique=True)))
    m, contexts, lasts = len(ids), np.append(ids, trained.bos), np.append(ids, trained.eos)
    cells = [(i, j, k) for i, j, k in product(range(m + 1), repeat=3) if j < m or i == m]
    trigrams = np.array([(contexts[i], contexts[j], lasts[k]) for i, j, k in cells])
    table = trained.table(ids)
    assert table.shape == (m + 1, m + 1, m + 1)
    assert table[tuple(np.array(cells).T)] == pytest.approx(trained.log_probs(trigrams))


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    vocabulary, exact = arrays(words_of())
    stored = rounded_together(exact)
    path = tmp_path / "model.npz"
    ngram_file.save(path, vocabulary.words, stored)
    loaded, kept = NgramModel.load(path), NgramModel(vocabulary, stored)
    trigrams = every_trigram(kept)
    assert loaded.vocabulary.words == vocabulary.words
    assert loaded.log_probs(trigrams).tolist() == kept.log_probs(trigrams).tolist()


def test_a_file_keeps_kept_trigrams_within_half_a_step(tmp_path: Path) -> None:
    vocabulary, exact = arrays(words_of())
    path = tmp_path / "model.npz"
    ngram_file.save(path, vocabulary.words, rounded_together(exact))
    row = np.array([vocabulary.ids(["cat", "saw", "the"])])
    before = NgramModel(vocabulary, exact).log_probs(row)
    after = NgramModel.load(path).log_probs(row)
    assert after == pytest.approx(before, abs=ngram_file.GAIN_STEP / 2 + 1e-9)


def test_the_same_model_is_written_as_the_same_bytes(tmp_path: Path) -> None:
    vocabulary, exact = arrays(words_of())
    for name in ("a.npz", "b.npz"):
        ngram_file.save(tmp_path / name, vocabulary.words, exact)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_loaded_model_is_known_by_name_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    vocabulary, exact = arrays(words_of())
    ngram_file.save(path, vocabulary.words, exact)
    identity = NgramModel.load(path).identity
    assert (identity["name"], len(identity["sha256"])) == ("model.npz", 64)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    np.savez(path, words=np.zeros(3))
    with pytest.raises(ValueError, match="not a model in the format"):
        NgramModel.load(path)
