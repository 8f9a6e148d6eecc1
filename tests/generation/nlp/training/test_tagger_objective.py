"""What the network is told about each token."""

import numpy as np
import pytest
from numpy.typing import NDArray

from generation.nlp.adapters.spacy_component import Labels, softmax
from generation.nlp.training import tagger_objective as objective
from generation.nlp.training.tagger_objective import OPEN, UNKNOWN, Targets
from generation.nlp.training.treebanks import AnnotatedSentence

LABELS = Labels(
    tags=(("NOUN", "NN"), ("VERB", "VB")), names=("PERSON", "LOCATION", "ORGANISATION", "MISC")
)


def _gradient(tag: int, name: int) -> NDArray[np.float32]:
    logits = np.random.default_rng(0).normal(size=(1, LABELS.width)).astype(np.float32)
    wanted = Targets(np.array([tag]), np.array([name]))
    gradient, _ = objective.gradient(logits, wanted, LABELS)
    return gradient.ravel()


def test_tags_and_names_become_columns() -> None:
    sentence = AnnotatedSentence(
        ("Ann", "ran"), tags=(("NOUN", "NN"), ("X", "FW")), iob=("B-PER", "O")
    )
    wanted = objective.targets(sentence, LABELS, misc=True)
    assert wanted.tags.tolist() == [0, UNKNOWN]
    assert wanted.names.tolist() == [1, 0]


def test_outside_is_open_where_a_corpus_knows_no_other_names() -> None:
    sentence = AnnotatedSentence(("Oslo", "fell"), iob=("I-LOC", "O"))
    wanted = objective.targets(sentence, LABELS, misc=False)
    assert wanted.tags.tolist() == [UNKNOWN, UNKNOWN]
    assert wanted.names.tolist() == [4, OPEN]


def test_the_gradient_is_that_of_the_cross_entropy() -> None:
    logits = np.random.default_rng(1).normal(size=(1, LABELS.width)).astype(np.float32)
    wanted = Targets(np.array([1]), np.array([3]))
    gradient, loss = objective.gradient(logits, wanted, LABELS)
    tags, names = softmax(logits[:, :2])[0], softmax(logits[:, 2:])[0]
    assert loss == pytest.approx(-np.log(tags[1]) - np.log(names[3]), rel=1e-5)
    assert gradient[0, :2] == pytest.approx(tags - [0, 1], abs=1e-6)
    assert gradient[0, 5] == pytest.approx(names[3] - 1, abs=1e-6)


def test_a_token_without_annotation_teaches_nothing() -> None:
    assert not _gradient(UNKNOWN, UNKNOWN).any()


def test_an_open_token_is_pushed_away_from_known_names_only() -> None:
    persons, others = _gradient(UNKNOWN, OPEN)[3:9], _gradient(UNKNOWN, OPEN)[9:11]
    assert (persons > 0).all()
    assert (others < 0).all()
