"""Metrics of a tagger on annotated corpora: tag accuracy and spans of names."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from generation.nlp.adapters.spacy_component import NAMES as SPANS
from generation.nlp.training import treebanks
from generation.nlp.training.tagger_corpora import NAMES, Corpus
from generation.nlp.training.treebanks import AnnotatedSentence

Annotated = list[tuple[AnnotatedSentence, Doc]]


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall of spans."""

    found: int
    wanted: int
    right: int

    @property
    def precision(self) -> float:
        """Share of found spans that are correct."""
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Share of gold spans that were found."""
        return self.right / max(self.wanted, 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.right / max(self.found + self.wanted, 1)


def annotate(nlp: Language, corpus: Corpus) -> Annotated:
    """Run the pipeline on the corpus's tokenisation."""
    docs = nlp.pipe(Doc(nlp.vocab, words=list(s.words)) for s in corpus.sentences)
    return list(zip(corpus.sentences, docs, strict=True))


def accuracy(annotated: Annotated) -> tuple[float, float]:
    """Return the shares of words with the correct universal tag and the correct Penn tag."""
    hits = np.array(
        [
            (token.pos_ == pos, token.tag_ == tag)
            for sentence, doc in annotated
            for token, (pos, tag) in zip(doc, sentence.tags or (), strict=True)
        ]
    )
    universal, penn = hits.mean(axis=0)
    return float(universal), float(penn)


def spans(
    annotated: Annotated,
    *,
    typed: bool = False,
    misc: bool = True,
    threshold: float = 0.0,
) -> Score:
    """Score exact spans of at least this probability, with or without comparing types.

    Without `misc`, spans found as MISC are ignored: for corpora that do not annotate them.
    """
    found = wanted = right = 0
    for sentence, doc in annotated:
        gold = {_key(*span, typed=typed) for span in _gold(sentence)}
        guess = {
            _key(start, end, label, typed=typed)
            for start, end, label, probability in _found(doc)
            if probability >= threshold and (misc or label != "MISC")
        }
        found, wanted, right = found + len(guess), wanted + len(gold), right + len(gold & guess)
    return Score(found, wanted, right)


def outcomes(
    annotated: Annotated,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the probability of each span found, and whether it is correct."""
    rows = [
        (probability, (start, end) in {(a, b) for a, b, _ in _gold(sentence)})
        for sentence, doc in annotated
        for start, end, _, probability in _found(doc)
    ]
    probabilities, hits = zip(*rows, strict=True)
    return np.array(probabilities), np.array(hits)


def _gold(sentence: AnnotatedSentence) -> list[tuple[int, int, str]]:
    return [(a, b, NAMES[label]) for a, b, label in treebanks.spans(sentence.iob or ())]


def _found(doc: Doc) -> Iterator[tuple[int, int, str, float]]:
    group = doc.spans[SPANS]
    for span, score in zip(group, group.attrs["scores"], strict=True):
        yield span.start, span.end, span.label_, score


def _key(start: int, end: int, label: str, *, typed: bool) -> tuple[int, int, str]:
    return start, end, label if typed else ""
