"""Train the embedded English tagger: python -m generation.nlp.training.tagger DATA_DIR OUT_DIR.

DATA_DIR holds treebanks.tar.xz and wikipedia-train.txt.xz. The pipeline is written to OUT_DIR and
measured on the test sets. Uses one thread; the same seed gives the same model.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tqdm import tqdm

from generation.nlp.adapters.name_spans import Calibration, Floats, logit
from generation.nlp.adapters.spacy_component import WordVectors
from generation.nlp.training import (
    tagger_corpora,
    tagger_evaluation,
    tagger_network,
    tagger_vectors,
)
from generation.nlp.training.tagger_corpora import Corpus

VERSION = "1.0.0"
THRESHOLD = 0.5
STEPS = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument(
        "data", type=Path, help="folder with treebanks.tar.xz and wikipedia-train.txt.xz"
    )
    parser.add_argument("out", type=Path, help="folder for the pipeline")
    options = parser.parse_args()
    with threadpool_limits(1):
        train(options.data, options.out)
    print(tagger_evaluation.report(options.data, options.out))


def train(data: Path, out: Path) -> None:
    """Train word vectors and network, calibrate, and write the pipeline."""
    settings = tagger_network.NetworkSettings()
    corpora = tagger_corpora.training(data)
    nlp, component = tagger_network.pipeline(settings)
    nlp.meta |= {"name": "pawsmith_tagger", "version": VERSION}
    component.set_vectors(
        WordVectors.quantise(*tagger_vectors.train(data, tagger_vectors.VectorSettings()))
    )
    component.set_labels(tagger_corpora.labels(corpora))
    shown = tagger_network.examples(nlp, component, corpora, settings)
    for loss in tqdm(tagger_network.train(component, shown, settings), total=settings.epochs):
        tqdm.write(f"loss {loss:.4f}")
    component.calibration = calibrate(nlp, tagger_corpora.held_out(data))
    component.threshold = THRESHOLD
    nlp.to_disk(out, exclude=["vocab"])


def calibrate(nlp: Language, corpora: list[Corpus]) -> Calibration:
    """Fit probabilities to the share of correct spans on the calibration sentences."""
    named = [corpus for corpus in corpora if corpus.sentences[0].iob is not None]
    pairs = [tagger_evaluation.outcomes(tagger_evaluation.annotate(nlp, c)) for c in named]
    raw, right = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    return platt(logit(raw), right)


def platt(scores: Floats, right: NDArray[np.bool_]) -> Calibration:
    """Logistic regression of one variable by Newton's method (Platt 1999)."""
    design = np.column_stack([scores, np.ones_like(scores)])
    weights = np.array([1.0, 0.0])
    for _ in range(STEPS):
        probability = 1 / (1 + np.exp(-design @ weights))
        curvature = design.T @ (design * (probability * (1 - probability))[:, None])
        weights += np.linalg.solve(curvature, design.T @ (right - probability))
    return Calibration(slope=float(weights[0]), intercept=float(weights[1]))


if __name__ == "__main__":
    main()
