"""spaCy pipelines that are made in a moment, with the parts that a test names."""

from functools import cache

import spacy
from spacy.training import Example

TEXT = "Marie Curie left Warsaw for Paris."
ENTITIES = [(0, 11, "PERSON"), (17, 23, "GPE"), (28, 33, "GPE")]
TAGS = ["NNP", "NNP", "VBD", "NNP", "IN", "NNP", "."]


@cache
def with_tagger():
    return _trained(_with_tagger(), {}, steps=20)


@cache
def with_recogniser(steps=1):
    nlp = _with_tagger()
    nlp.add_pipe("ner", config={"model": {"hidden_width": 16}})
    return _trained(nlp, {"entities": ENTITIES}, steps)


def saved(nlp, folder):
    folder.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder)
    return folder


def _with_tagger():
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    return nlp


def _trained(nlp, facts, steps):
    examples = [Example.from_dict(nlp.make_doc(TEXT), facts | {"tags": TAGS})]
    spacy.util.fix_random_seed(0)
    nlp.initialize(lambda: examples)
    for _ in range(steps):
        nlp.update(examples)
    return nlp
