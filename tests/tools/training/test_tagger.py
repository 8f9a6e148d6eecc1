"""The training of the tagger writes what the product reads."""

import numpy as np
import spacy
from spacy.tokens import Doc

from generation.nlp.adapters.name_spans import Calibration
from generation.nlp.adapters.spacy_component import Labels
from generation.nlp.adapters.spacy_pipelines import TAGS_AND_NAMES
from tools.training import tagger
from tools.training.word_vectors import quantise

WORDS = ("she", "sang", "Oslo")
LABELS = Labels(tags=(("VERB", "VBD"), ("PROPN", "NNP"), ("PRON", "PRP")), names=("PERSON",))


def predicted(component, vocab):
    doc = Doc(vocab, words=[*WORDS, "Tromso"])
    return component.model.predict([doc])[0]


def test_a_tagger_predicts_the_same_once_it_is_written_and_loaded(tmp_path):
    nlp, component = tagger.pipeline()
    vectors = quantise(WORDS, np.eye(3, dtype=np.float32))
    vectors.install(nlp.vocab)
    component.set_labels(LABELS)
    component.calibration, component.threshold = Calibration(slope=0.5, intercept=0.1), 0.25
    component.model.initialize(X=[Doc(nlp.vocab, words=list(WORDS))])
    component.model.layers[-1].layers[0].set_param("b", np.arange(6, dtype=np.float32))
    tagger.write(nlp, component, vectors, tmp_path / "tagger")
    pipeline = spacy.load(tmp_path / "tagger")
    loaded = pipeline.get_pipe(TAGS_AND_NAMES)
    assert (loaded.scheme, loaded.calibration, loaded.threshold) == (
        *(LABELS, component.calibration, 0.25),
    )
    before, after = predicted(component, nlp.vocab), predicted(loaded, pipeline.vocab)
    np.testing.assert_allclose(after, before, atol=0.02)  # weights are stored in 16 bits
