from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.nlp.ngram_scorer import NgramLanguageModel
from generation.nlp.vocabulary import BOS, EOS
from tests.generation.nlp.kneser_ney import KneserNey
from tests.generation.nlp.toy import puzzle
from tests.generation.nlp.trained import WORDS, model, words_of

MODEL = model(words_of())
LANGUAGE_MODEL = NgramLanguageModel(MODEL)
phrases = st.lists(st.sampled_from([*WORDS, "unseen"]), min_size=1, max_size=4).map(tuple)


def test_a_sentence_scores_the_sum_of_its_words_and_its_end() -> None:
    sentence = ["the", "cat", "saw", "a", "cat", "."]
    reference = KneserNey(words_of(), MODEL.vocabulary.words[1:])
    padded = [BOS, BOS, *sentence, EOS]
    expected = sum(
        np.log(reference.probability((padded[i], padded[i + 1]), padded[i + 2]))
        for i in range(len(sentence) + 1)
    )
    assert LANGUAGE_MODEL.score([sentence, ["a"]])[0] == pytest.approx(expected)


def test_no_sentences_have_no_scores() -> None:
    assert LANGUAGE_MODEL.score([]).shape == (0,)


@settings(deadline=None, max_examples=40)
@given(st.lists(phrases, min_size=1, max_size=8, unique=True), st.randoms())
def test_scoring_phrase_by_phrase_gives_the_sentences_score(parts, random) -> None:
    order = random.sample(range(len(parts)), len(parts))
    scorer = LANGUAGE_MODEL.scorer(parts)
    total = 0.0
    for phrase in order:
        total += scorer.peek(np.array([phrase]))[0, 0]
        scorer.advance(np.array([0]), np.array([phrase]))
    sentence = list(chain.from_iterable(parts[phrase] for phrase in order))
    assert total + scorer.finish()[0] == pytest.approx(LANGUAGE_MODEL.score([sentence])[0])


def test_new_rows_extend_the_rows_that_they_name() -> None:
    scorer = LANGUAGE_MODEL.scorer([("the",), ("cat",), ("a", "dog")])
    scorer.advance(np.array([0, 0]), np.array([0, 2]))
    scorer.advance(np.array([1, 0]), np.array([1, 1]))
    followed = scorer.finish()
    scorer = LANGUAGE_MODEL.scorer([("the",), ("cat",), ("a", "dog")])
    scorer.advance(np.array([0]), np.array([2]))
    scorer.advance(np.array([0]), np.array([1]))
    assert followed[0] == scorer.finish()[0]
    assert followed[0] != followed[1]


def test_the_totals_of_a_search_are_the_scores_of_its_sentences() -> None:
    words = ["the cat", "a dog", "saw", "."]
    one, other = (
        puzzle(words, [[0, 1], [2], [0, 1], [3]], s) for s in ([0, 2, 1, 3], [1, 2, 0, 3])
    )
    for found in LANGUAGE_MODEL.search([one, other], width=10):
        sentences = [one.template.words(row) for row in found.fillings.tolist()]
        assert found.totals[:, -1] == pytest.approx(LANGUAGE_MODEL.score(sentences))
        assert len(sentences) == 2


def test_peek_gives_a_row_of_the_beam_by_phrases() -> None:
    scorer = LANGUAGE_MODEL.scorer([("the",), ("cat",), ("a", "dog")])
    scorer.advance(np.array([0, 0]), np.array([0, 2]))
    assert scorer.peek(np.array([2, 1])).shape == (2, 2)
