"""Loads spaCy pipelines, reads their documents, and computes the probabilities of names."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

import spacy
from spacy.language import Language
from spacy.pipeline import EntityRecognizer
from spacy.tokens import Doc, Span, SpanGroup
from thinc.api import use_ops

from generation.nlp.adapters.spacy_component import NAMES, Component
from generation.nlp.adapters.spacy_pipelines import BEAM, BEAM_DENSITY, BEAM_WIDTH
from generation.nlp.tagging import Entity, TaggedSentence, Token

UNUSED = ("parser", "lemmatizer", "textcat", "senter")

# Maps the labels of all pipelines to one vocabulary; OntoNotes labels are more detailed.
LABELS = {
    "PER": "PERSON",
    "LOC": "LOCATION",
    "GPE": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANISATION",
    "NORP": "MISC",
    "EVENT": "MISC",
    "WORK_OF_ART": "MISC",
    "PRODUCT": "MISC",
    "LANGUAGE": "MISC",
    "LAW": "MISC",
}
# Not names: dates are found by their pattern, numbers by their tags.
NO_NAMES = frozenset(["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY"])
Place: TypeAlias = tuple[int, int]
Shares: TypeAlias = dict[Place, dict[str, float]]


@cache
def load(source: str) -> Language:
    """Raise OSError if it does not exist, ValueError if it sets no tags or cannot be built."""
    # numpy multiplies matrices faster than BLIS, which thinc uses by default.
    with use_ops("numpy", use_blis=False):
        nlp = spacy.load(source, exclude=UNUSED)
    if not any("token.tag" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise ValueError(f"the spaCy pipeline {source} sets no tags")
    score_names(nlp)
    return nlp


def tagged_sentence(doc: Doc, text: str) -> TaggedSentence:
    """Convert an annotated document to plain values, with the words as in a text of its length.

    Whitespace tokens are appended to the previous word; before the first word they are dropped.
    """
    words = [token for token in doc if not token.is_space]
    ends = [word.idx + len(word) for word in words]
    stops = [*(word.idx for word in words[1:]), len(text)]
    tokens = tuple(
        Token(text[word.idx : end], word.tag_, word.pos_, text[end:stop])
        for word, end, stop in zip(words, ends, stops, strict=False)
    )
    return TaggedSentence(tokens, tuple(_entities(doc, [word.i for word in words])))


def _entities(doc: Doc, token_of_word: list[int]) -> Iterator[Entity]:
    """Yield the names by the words that they consist of; `token_of_word` ascends."""
    scores = _scores(doc)
    for span in doc.ents:
        # A span counts tokens, with white space among them, and may begin or end at one.
        start, end = bisect_left(token_of_word, span.start), bisect_left(token_of_word, span.end)
        if start < end and span.label_ not in NO_NAMES:
            label = LABELS.get(span.label_, span.label_)
            yield Entity(start, end, label, scores.get((span.start, span.end)))


def _scores(doc: Doc) -> dict[Place, float]:
    group = doc.spans.get(NAMES)
    if group is None:
        return {}
    scores = group.attrs.get("scores", ())
    return {(name.start, name.end): score for name, score in zip(group, scores, strict=False)}


def score_names(nlp: Language) -> None:
    recognisers = [name for name, pipe in nlp.pipeline if isinstance(pipe, EntityRecognizer)]
    for name in recognisers:
        nlp.add_pipe(BEAM, f"{BEAM}_{name}", before=name, config={"recogniser": name})
        nlp.disable_pipe(name)


@Language.factory(BEAM, assigns=["doc.ents", "doc.spans"])
class BeamRecogniser(Component):
    """Replaces greedy parsing of a transition-based recogniser by a beam parse.

    The entities are those of the best parse. The probability of an entity is the share of the
    beam's normalised scores held by parses that contain its span, whatever its type; its label is
    the one with the largest share. As in spaCy, existing entities are kept and constrain the
    recogniser; they get no probability here.
    """

    def __init__(self, nlp: Language, name: str, recogniser: str) -> None:
        self.recogniser: Any = nlp.get_pipe(recogniser)

    def annotate(self, docs: Sequence[Doc]) -> None:
        places_before = [set(map(_place, doc.ents)) for doc in docs]
        beams = self.recogniser.beam_parse(docs, BEAM_WIDTH, beam_density=BEAM_DENSITY)
        self.recogniser.set_annotations(docs, beams)
        for doc, beam, places in zip(docs, beams, places_before, strict=True):
            shares = shares_of(self.recogniser.moves.get_beam_parses(beam))
            scored_names = [
                (span, None) if _place(span) in places else _best(span, shares) for span in doc.ents
            ]
            _set_names(doc, scored_names)


def shares_of(parses: Sequence[tuple[float, list[tuple[int, int, str]]]]) -> Shares:
    """Return the score share of the parses with each entity, by its place and label."""
    shares: Shares = defaultdict(lambda: defaultdict(float))
    whole = sum(score for score, _ in parses)
    for score, entities in parses:
        for start, end, label in entities:
            shares[start, end][label] += score / whole
    return shares


def _best(span: Span, shares: Shares) -> tuple[Span, float]:
    labels = shares[_place(span)]
    best = max(sorted(labels), key=lambda label: labels[label])
    return Span(span.doc, span.start, span.end, label=best), min(sum(labels.values()), 1.0)


def _set_names(doc: Doc, names: Sequence[tuple[Span, float | None]]) -> None:
    """Set the entities; those without a score keep the one of an earlier recogniser."""
    doc.ents = tuple(span for span, _ in names)
    earlier = doc.spans.get(NAMES)
    scores_of_spans = [*zip(earlier, earlier.attrs["scores"], strict=True)] if earlier else []
    scores_of_spans += [(span, score) for span, score in names if score is not None]
    attrs: dict[str, Any] = {"scores": [score for _, score in scores_of_spans]}
    doc.spans[NAMES] = SpanGroup(
        doc, name=NAMES, spans=[span for span, _ in scores_of_spans], attrs=attrs
    )


def _place(span: Span) -> Place:
    return span.start, span.end
