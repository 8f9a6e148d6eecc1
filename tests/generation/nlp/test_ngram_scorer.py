"""Likelihoods of whole texts by the embedded n-gram model."""

import pytest

from generation.nlp import ngram
from generation.nlp.ngram_scorer import NgramLanguageModel
from tests.generation.nlp import toy

TEXTS = (
    ("Ada's dogs don't bark.", "Ada 's dogs do n't bark ."),
    ("It cost 1,000 crowns, they’ve said.", "It cost 1,000 crowns , they ’ve said ."),
)


def test_a_text_is_as_likely_as_its_words_in_a_search():
    model = NgramLanguageModel(ngram.load_embedded())
    [scores] = model.log_likelihoods([[text for text, _ in TEXTS]])
    for (_, words), score in zip(TEXTS, scores, strict=True):
        fillers = words.split()
        places = range(len(fillers))
        puzzle = toy.puzzle(fillers, [(place,) for place in places], tuple(places))
        [beam] = model.search([puzzle], width=1)
        assert score == pytest.approx(beam.totals[0, -1])
