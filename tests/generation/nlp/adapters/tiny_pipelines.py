"""spaCy pipelines that are made in a moment, with the parts that a test names."""

from pathlib import Path

import spacy
from spacy.language import Language
from spacy.training import Example

TEXT = "Marie Curie left Warsaw for Paris."
ENTITIES = [(0, 11, "PERSON"), (17, 23, "GPE"), (28, 33, "GPE")]
MORE = ("Paris misses Marie Curie.", [(0, 5, "GPE"), (13, 24, "PERSON")])
TAGS = ["NNP", "NNP", "VBD", "NNP", "IN", "NNP", "."]


def with_tagger() -> Language:
    """Tags that were learnt from one sentence."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    _train(nlp, [example(nlp, TEXT, {"tags": TAGS})], steps=20)
    return nlp


def with_recogniser(*, steps: int = 40) -> Language:
    """Tags, and a transition-based recogniser that has seen two sentences so often."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("ner", config={"model": {"hidden_width": 16}})
    more = example(nlp, MORE[0], {"entities": MORE[1], "tags": ["NNP", "VBZ", "NNP", "NNP", "."]})
    both = [example(nlp, TEXT, {"entities": ENTITIES, "tags": TAGS}), more]
    _train(nlp, both, steps=steps)
    return nlp


def with_span_categoriser() -> Language:
    """Tags, and a span categoriser that has seen one sentence."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("spancat", config={"spans_key": "found", "threshold": 0.3})
    spans = {"found": ENTITIES}
    _train(nlp, [example(nlp, TEXT, {"spans": spans, "tags": TAGS})], steps=60)
    return nlp


def with_rules() -> Language:
    """Tags, and names from a list."""
    nlp = with_tagger()
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "GPE", "pattern": "Paris"}])  # type: ignore[attr-defined]
    return nlp


def saved(nlp: Language, folder: Path) -> Path:
    """The folder, with the pipeline in it."""
    folder.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder)
    return folder


def example(nlp: Language, text: str, annotations: dict[str, object]) -> Example:
    """A text with what a pipeline should say of it."""
    return Example.from_dict(nlp.make_doc(text), annotations)


def _train(nlp: Language, examples: list[Example], *, steps: int) -> None:
    spacy.util.fix_random_seed(0)
    nlp.initialize(lambda: examples)
    for _ in range(steps):
        nlp.update(examples)
