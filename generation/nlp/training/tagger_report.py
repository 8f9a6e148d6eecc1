"""Measure a tagger: python -m generation.nlp.training.tagger_report DATA_DIR MODEL_DIR."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import spacy
from spacy.language import Language

from generation.nlp.adapters import spacy_component  # noqa: F401  (registers the factory)
from generation.nlp.training import tagger_corpora, tagger_evaluation
from generation.nlp.training.tagger_corpora import Corpus
from generation.nlp.training.tagger_evaluation import Annotated, Score

THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
ROUNDS = 3

Rows = list[tuple[str, ...]]


def main() -> None:
    """Print the report of one pipeline."""
    parser = argparse.ArgumentParser(description="Measure a tagger on the test parts.")
    parser.add_argument("data", type=Path, help="folder with treebanks.tar.xz")
    parser.add_argument("model", type=Path, help="folder of the pipeline")
    options = parser.parse_args()
    print(report(options.data, options.model))


def report(data: Path, model: Path) -> str:
    """Return Markdown tables of tag accuracy, name spans, precision by probability, and speed."""
    nlp = spacy.load(model)
    tests = [
        (corpus, tagger_evaluation.annotate(nlp, corpus)) for corpus in tagger_corpora.test(data)
    ]
    tagged = [test for test in tests if test[0].sentences[0].iob is None]
    named = [test for test in tests if test[0].sentences[0].iob is not None]
    parts = [tags(tagged), names(named), thresholds(named), speed(nlp, tests[0][0])]
    return "\n\n".join(parts)


def tags(tests: Sequence[tuple[Corpus, Annotated]]) -> str:
    """Return a table of the accuracy of universal and Penn tags."""
    rows: Rows = [("corpus", "words", "universal tag", "Penn tag")]
    for corpus, annotated in tests:
        words = sum(len(doc) for _, doc in annotated)
        universal, penn = tagger_evaluation.accuracy(annotated)
        rows.append((corpus.name, str(words), _percent(universal), _percent(penn)))
    return table(rows)


def names(tests: Sequence[tuple[Corpus, Annotated]]) -> str:
    """Return a table of exact spans: of any type, of annotated types, and with the correct type."""
    rows: Rows = [("corpus", "names", "precision", "recall", "F1", "F1 in its types", "typed F1")]
    for corpus, annotated in tests:
        every = tagger_evaluation.spans(annotated)
        own = tagger_evaluation.spans(annotated, misc=corpus.misc)
        typed = tagger_evaluation.spans(annotated, misc=corpus.misc, typed=True)
        figures = every.precision, every.recall, every.f1, own.f1, typed.f1
        rows.append((corpus.name, str(every.wanted), *map(_percent, figures)))
    return table(rows)


def thresholds(tests: Sequence[tuple[Corpus, Annotated]]) -> str:
    """Return a table of precision / recall of spans above each probability threshold."""
    rows: Rows = [("probability", *(corpus.name for corpus, _ in tests))]
    for threshold in THRESHOLDS:
        scores = [
            tagger_evaluation.spans(annotated, misc=corpus.misc, threshold=threshold)
            for corpus, annotated in tests
        ]
        rows.append((f">= {threshold}", *map(_precision_and_recall, scores)))
    return table(rows)


def speed(nlp: Language, corpus: Corpus) -> str:
    """Measure words and sentences per processor second, from text to tags; best of ROUNDS runs."""
    texts = [" ".join(sentence.words) for sentence in corpus.sentences]
    words = sum(len(nlp.make_doc(text)) for text in texts)
    best = min(_seconds(nlp, texts) for _ in range(ROUNDS))
    return f"{words / best:,.0f} words and {len(texts) / best:,.0f} sentences per processor second"


def _seconds(nlp: Language, texts: Sequence[str]) -> float:
    begun = time.process_time()
    for _ in nlp.pipe(texts, batch_size=128):
        pass
    return time.process_time() - begun


def table(rows: Rows) -> str:
    """Format rows as a Markdown table; the first row is the header."""
    ruled = [rows[0], tuple("---" for _ in rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in ruled)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _precision_and_recall(score: Score) -> str:
    return f"{_percent(score.precision)} / {_percent(score.recall)}"


if __name__ == "__main__":
    main()
