"""Adds probabilities of named entities to spaCy pipelines with a transition-based recogniser.

The component writes the entities to `doc.ents` and their probabilities to `doc.spans["names"]`, as
the embedded pipeline does.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from spacy.language import Language
from spacy.pipeline import EntityRecognizer
from spacy.tokens import Doc, Span, SpanGroup

from generation.nlp.adapters.spacy_component import NAMES
from generation.nlp.adapters.spacy_pipelines import BEAM, BEAM_DENSITY, BEAM_WIDTH

Place: TypeAlias = tuple[int, int]
Shares: TypeAlias = dict[Place, dict[str, float]]


def score_names(nlp: Language) -> None:
    """Replace each recogniser by a component that gives its entities probabilities."""
    recognisers = [name for name, pipe in nlp.pipeline if isinstance(pipe, EntityRecognizer)]
    for name in recognisers:
        nlp.add_pipe(BEAM, f"{BEAM}_{name}", before=name, config={"recogniser": name})
        nlp.disable_pipe(name)


@Language.factory(BEAM, assigns=["doc.ents", "doc.spans"])
class BeamRecogniser:
    """Replaces greedy parsing of a transition-based recogniser by a beam parse.

    The entities are those of the best parse. The probability of an entity is the share of the
    beam's normalised scores held by parses that contain its span, whatever its type; its label is
    the one with the largest share. As in spaCy, existing entities are kept and constrain the
    recogniser; they get no probability here.
    """

    def __init__(self, nlp: Language, name: str, recogniser: str) -> None:
        self.recogniser: Any = nlp.get_pipe(recogniser)

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        documents = iter(stream)
        while docs := list(islice(documents, batch_size)):
            self._annotate([doc for doc in docs if len(doc)])
            yield from docs

    def _annotate(self, docs: Sequence[Doc]) -> None:
        if not docs:
            return
        given = [set(map(_place, doc.ents)) for doc in docs]
        beams = self.recogniser.beam_parse(docs, BEAM_WIDTH, beam_density=BEAM_DENSITY)
        self.recogniser.set_annotations(docs, beams)
        for doc, beam, places in zip(docs, beams, given, strict=True):
            shares = shares_of(self.recogniser.moves.get_beam_parses(beam))
            best = [(s, None) if _place(s) in places else _best(s, shares) for s in doc.ents]
            _set_names(doc, best)


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
    known = [*zip(earlier, earlier.attrs["scores"], strict=True)] if earlier else []
    known += [(span, score) for span, score in names if score is not None]
    attrs: dict[str, Any] = {"scores": [score for _, score in known]}
    doc.spans[NAMES] = SpanGroup(doc, name=NAMES, spans=[span for span, _ in known], attrs=attrs)


def _place(span: Span) -> Place:
    return span.start, span.end
