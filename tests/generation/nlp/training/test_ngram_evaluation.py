import numpy as np
import pytest

from generation.nlp.training import ngram_evaluation, ngram_text
from tests.generation.nlp.trained import model

TRAINING = [["in", "1947"], ["in", "1947"], ["in", "2014"]]


def test_perplexity_is_that_of_all_words_and_ends() -> None:
    trained = model(TRAINING)
    found = ngram_evaluation.perplexity(
        trained, ngram_text.read([["in", "1947"], ["in"]]), ngram_text.read(TRAINING)
    )
    in_, year = trained.ids(["in", "1947"])
    bos, eos = trained.bos, trained.eos
    rows = [(bos, bos, in_), (bos, in_, year), (in_, year, eos), (bos, bos, in_), (bos, in_, eos)]
    assert found.tokens == len(rows)
    assert found.overall == pytest.approx(np.exp(-trained.log_probs(np.array(rows)).mean()))


def test_a_number_spelt_out_pays_for_its_share_of_its_shape() -> None:
    text = ngram_text.read([["1947"]])
    found = ngram_evaluation.perplexity(model(TRAINING), text, ngram_text.read(TRAINING))
    share = (2 + 1) / (3 + 10**4)
    assert found.spelt_out == pytest.approx(found.overall * share ** (-1 / 2))


def test_unknown_words_are_counted_and_left_out_of_the_known() -> None:
    text = ngram_text.read([["in", "fog"]])
    found = ngram_evaluation.perplexity(model(TRAINING), text, ngram_text.read(TRAINING))
    assert found.unknown == pytest.approx(1 / 3)
    assert found.known < found.overall
