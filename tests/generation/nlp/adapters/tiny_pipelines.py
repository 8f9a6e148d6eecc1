"""spaCy pipelines that are made in a moment, with the parts that a test names."""

from functools import cache

import spacy
from spacy.training import Example

TEXT = "Marie Curie left Warsaw for Paris."
ENTITIES = [(0, 11, "PERSON"), (17, 23, "GPE"), (28, 33, "GPE")]
TAGS = ["NNP", "NNP", "VBD", "NNP", "IN", "NNP", "."]


@cache
def with_tagger():
    """Tags that were learnt from one sentence."""
    return _trained(_with_tagger(), [(TEXT, {"tags": TAGS})], steps=20)


@cache
def with_recogniser(steps=1):
    """Tags, and a transition-based recogniser that has seen a sentence so often."""
    nlp = _with_tagger()
    nlp.add_pipe("ner", config={"model": {"hidden_width": 16}})
    return _trained(nlp, [(TEXT, {"entities": ENTITIES, "tags": TAGS})], steps)


@cache
def with_span_categoriser():
    """Tags, and a span categoriser that has seen a sentence."""
    nlp = _with_tagger()
    nlp.add_pipe("spancat", config={"spans_key": "found", "threshold": 0.3})
    return _trained(nlp, [(TEXT, {"spans": {"found": ENTITIES}, "tags": TAGS})], steps=60)


def with_rules():
    """Tags, and names from a list."""
    nlp = _trained(_with_tagger(), [(TEXT, {"tags": TAGS})], steps=1)
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "Paris"}])
    return nlp


def saved(nlp, folder):
    folder.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder)
    return folder


def _with_tagger():
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    return nlp


def _trained(nlp, annotated, steps):
    examples = [Example.from_dict(nlp.make_doc(text), facts) for text, facts in annotated]
    spacy.util.fix_random_seed(0)
    nlp.initialize(lambda: examples)
    for _ in range(steps):
        nlp.update(examples)
    return nlp
