"""Measure a tagger: python -m generation.nlp.training.tagger_evaluation DATA_DIR MODEL_DIR."""

import argparse
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from generation.nlp.adapters import spacy_component  # noqa: F401  (registers the factory)
from generation.nlp.adapters.spacy_component import NAMES as SPANS
from generation.nlp.training import tagger_corpora
from generation.nlp.training.tagger_corpora import NAMES, AnnotatedSentence, Corpus

Annotated = list[tuple[AnnotatedSentence, Doc]]

THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
ROUNDS = 3
Rows = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall of spans."""

    found: int
    wanted: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.wanted, 1)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.found + self.wanted, 1)


def annotate(nlp: Language, corpus: Corpus) -> Annotated:
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
    annotated: Annotated, *, typed: bool = False, misc: bool = True, threshold: float = 0.0
) -> Score:
    """Score exact spans of at least this probability, with or without comparing types.

    Without `misc`, spans found as MISC are ignored: for corpora that do not annotate them.
    """
    found = wanted = right = 0
    for sentence, doc in annotated:
        gold = {(start, end, typed and label) for start, end, label in _gold(sentence)}
        guess = {
            (start, end, typed and label)
            for start, end, label, probability in _found(doc)
            if probability >= threshold and (misc or label != "MISC")
        }
        found, wanted, right = found + len(guess), wanted + len(gold), right + len(gold & guess)
    return Score(found, wanted, right)


def outcomes(annotated: Annotated) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the probability of each span found, and whether it is correct."""
    rows = [
        (probability, (start, end) in {(a, b) for a, b, _ in _gold(sentence)})
        for sentence, doc in annotated
        for start, end, _, probability in _found(doc)
    ]
    probabilities, hits = zip(*rows, strict=True)
    return np.array(probabilities), np.array(hits)


def _gold(sentence: AnnotatedSentence) -> list[tuple[int, int, str]]:
    return [(a, b, NAMES[label]) for a, b, label in tagger_corpora.spans_of(sentence.iob or ())]


def _found(doc: Doc) -> Iterator[tuple[int, int, str, float]]:
    group = doc.spans[SPANS]
    for span, score in zip(group, group.attrs["scores"], strict=True):
        yield span.start, span.end, span.label_, score


def report(data: Path, model: Path) -> str:
    """Return Markdown tables of tag accuracy, name spans, precision by probability, and speed."""
    nlp = spacy.load(model)
    tests = [(corpus, annotate(nlp, corpus)) for corpus in tagger_corpora.test(data)]
    tagged = [test for test in tests if test[0].sentences[0].iob is None]
    named = [test for test in tests if test[0].sentences[0].iob is not None]
    parts = [tags(tagged), names(named), thresholds(named), speed(nlp, tests[0][0])]
    return "\n\n".join(parts)


def tags(tests: Sequence[tuple[Corpus, Annotated]]) -> str:
    rows: Rows = [("corpus", "words", "universal tag", "Penn tag")]
    for corpus, annotated in tests:
        words = sum(len(doc) for _, doc in annotated)
        universal, penn = accuracy(annotated)
        rows.append((corpus.name, str(words), _percent(universal), _percent(penn)))
    return table(rows)


def names(tests: Sequence[tuple[Corpus, Annotated]]) -> str:
    """Return a table of exact spans: of any type, of annotated types, and with the correct type."""
    rows: Rows = [("corpus", "names", "precision", "recall", "F1", "F1 in its types", "typed F1")]
    for corpus, annotated in tests:
        every = spans(annotated)
        own = spans(annotated, misc=corpus.misc)
        typed = spans(annotated, misc=corpus.misc, typed=True)
        figures = every.precision, every.recall, every.f1, own.f1, typed.f1
        rows.append((corpus.name, str(every.wanted), *map(_percent, figures)))
    return table(rows)


def thresholds(tests: Sequence[tuple[Corpus, Annotated]]) -> str:
    """Return a table of precision / recall of spans above each probability threshold."""
    rows: Rows = [("probability", *(corpus.name for corpus, _ in tests))]
    for threshold in THRESHOLDS:
        scores = [
            spans(annotated, misc=corpus.misc, threshold=threshold) for corpus, annotated in tests
        ]
        cells = (f"{_percent(each.precision)} / {_percent(each.recall)}" for each in scores)
        rows.append((f">= {threshold}", *cells))
    return table(rows)


def speed(nlp: Language, corpus: Corpus) -> str:
    """Measure words and sentences per processor second, from text to tags; best of ROUNDS runs."""
    texts = [" ".join(sentence.words) for sentence in corpus.sentences]
    words = sum(len(nlp.make_doc(text)) for text in texts)
    seconds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        deque(nlp.pipe(texts, batch_size=128), maxlen=0)
        seconds.append(time.process_time() - began)
    best = min(seconds)
    return f"{words / best:,.0f} words and {len(texts) / best:,.0f} sentences per processor second"


def table(rows: Rows) -> str:
    ruled = [rows[0], tuple("---" for _ in rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in ruled)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a tagger on the test parts.")
    parser.add_argument("data", type=Path, help="folder with treebanks.tar.xz")
    parser.add_argument("model", type=Path, help="folder of the pipeline")
    options = parser.parse_args()
    print(report(options.data, options.model))


if __name__ == "__main__":
    main()
