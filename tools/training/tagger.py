"""Train the embedded English tagger: python -m tools.training.tagger DATA_DIR OUT_DIR.

DATA_DIR holds treebanks.tar.xz and wikipedia-train.txt.xz. The pipeline is written to OUT_DIR and
measured on the test sets. Uses one thread; the same seed gives the same model.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias, cast

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from thinc.api import Adam, Optimizer, fix_random_seed, set_dropout_rate
from thinc.types import Floats2d
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tqdm import tqdm

from generation.nlp.adapters.name_spans import Calibration, logit
from generation.nlp.adapters.spacy_component import NAMES as SPANS
from generation.nlp.adapters.spacy_component import (
    Labels,
    TagsAndNames,
    WordVectors,
    parameters,
    softmax,
    stack,
)
from generation.nlp.adapters.spacy_pipelines import TAGS_AND_NAMES
from tools.training import treebanks, word_vectors
from tools.training.treebanks import NAMES, AnnotatedSentence, Corpus, resplit, spans_of

VERSION = "1.0.0"
WIDTH, DEPTH = 128, 4
ROWS = {"NORM": 2500, "PREFIX": 500, "SUFFIX": 2000, "SHAPE": 500}
EPOCHS = 6
BATCH_WORDS = 1200
LEARN_RATE = 0.002
WARM_UP_WORDS = 50_000
DROPOUT = 0.15
SEED = 0
THRESHOLD = 0.5
PLATT_STEPS = 50

UNKNOWN = -1
OPEN = -2  # outside any name, or in a name of a type that the corpus does not annotate

Floats: TypeAlias = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the embedded tagger, and measure it.")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    with threadpool_limits(1):
        nlp, component = pipeline()
        vectors = word_vectors.train(options.data)
        vectors.install(nlp.vocab)
        corpora = treebanks.training(options.data)
        component.set_labels(treebanks.labels(corpora))
        averages = train(component, examples(nlp, component.scheme, corpora))
        with component.model.use_params(averages):
            component.calibration = calibrate(nlp, treebanks.held_out(options.data))
            component.threshold = THRESHOLD
            write(nlp, component, vectors, options.out)
            for corpus in treebanks.test(options.data):
                print(report(nlp, corpus))


def pipeline() -> tuple[Language, TagsAndNames]:
    nlp = spacy.blank("en")
    nlp.meta |= {"name": "pawsmith_tagger", "version": VERSION}
    embed = {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": WIDTH,
        "attrs": [*ROWS],
        "rows": [*ROWS.values()],
        "include_static_vectors": True,
    }
    encode = {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": WIDTH,
        "window_size": 1,
        "maxout_pieces": 3,
        "depth": DEPTH,
    }
    model = {
        "@architectures": "pawsmith.TagsAndNames.v1",
        "width": WIDTH,
        "tok2vec": {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode},
    }
    return nlp, cast("TagsAndNames", nlp.add_pipe(TAGS_AND_NAMES, config={"model": model}))


@dataclass(frozen=True, slots=True)
class Targets:
    """Per token: the column of its tag pair and of its name state, or UNKNOWN or OPEN."""

    tags: NDArray[np.intp]
    names: NDArray[np.intp]


Example: TypeAlias = tuple[Doc, Targets]


def examples(nlp: Language, labels: Labels, corpora: Sequence[Corpus]) -> list[Example]:
    """Return documents with the tokenizer's words, and their targets."""
    documents: list[Example] = []
    for corpus in corpora:
        for sentence in corpus.sentences:
            pieces = [[token.text for token in nlp.tokenizer(word)] for word in sentence.words]
            split = resplit(sentence, pieces)
            doc = Doc(nlp.vocab, words=list(split.words))
            documents.append((doc, targets(split, labels, misc=corpus.misc)))
    return documents


def targets(sentence: AnnotatedSentence, labels: Labels, *, misc: bool) -> Targets:
    """Return the targets of a sentence; `misc` is True if its corpus annotates all name types."""
    columns = {pair: column for column, pair in enumerate(labels.tags)}
    tags = [columns.get(pair, UNKNOWN) for pair in sentence.tags]
    names = [_state(iob, labels, misc=misc) for iob in sentence.iob]
    unknown = [UNKNOWN] * len(sentence.words)
    return Targets(np.array(tags or unknown, np.intp), np.array(names or unknown, np.intp))


def _state(iob: str, labels: Labels, *, misc: bool) -> int:
    prefix, _, label = iob.partition("-")
    if prefix == "O":
        return 0 if misc else OPEN
    return 1 + 2 * labels.names.index(NAMES[label]) + (prefix == "I")


def train(component: TagsAndNames, examples: Sequence[Example]) -> dict[tuple[int, str], Any]:
    """Train in place and return the averaged weights; print the mean loss of each epoch.

    The learning rate rises during warm-up and then falls linearly to near zero.
    """
    fix_random_seed(SEED)
    component.model.initialize(X=[examples[0][0]])
    optimizer = Adam(LEARN_RATE, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0, use_averages=True)
    set_dropout_rate(component.model, DROPOUT)
    words, total = 0, EPOCHS * sum(len(doc) for doc, _ in examples)
    for epoch in tqdm(range(EPOCHS)):
        losses = []
        for batch in _batches(examples, seed=SEED + epoch):
            words += sum(len(doc) for doc, _ in batch)
            rate = max(0.02, min(1.0, words / WARM_UP_WORDS, 1 - words / total))
            optimizer.learn_rate = LEARN_RATE * rate
            losses.append(_step(component, batch, optimizer))
        tqdm.write(f"loss {fmean(losses):.4f}")
    set_dropout_rate(component.model, 0.0)
    return optimizer.averages or {}


def _batches(examples: Sequence[Example], *, seed: int) -> Iterator[list[Example]]:
    batch: list[Example] = []
    for example in random.Random(seed).sample(examples, len(examples)):
        batch.append(example)
        if sum(len(doc) for doc, _ in batch) >= BATCH_WORDS:
            yield batch
            batch = []


def _step(component: TagsAndNames, batch: Sequence[Example], optimizer: Optimizer) -> float:
    docs, targets_of_batch = zip(*batch, strict=True)
    outputs, backpropagate = component.model.begin_update(list(docs))
    slope, loss = gradient(stack(outputs), targets_of_batch, component.scheme)
    ends = np.cumsum([len(doc) for doc in docs])
    backpropagate(cast("list[Floats2d]", np.split(slope, ends[:-1])))
    component.model.finish_update(optimizer)
    return loss


def gradient(logits: Floats, targets: Sequence[Targets], labels: Labels) -> tuple[Floats, float]:
    """Return the gradient of the per-token cross-entropy by the logits, and the loss."""
    count, misc = len(labels.tags), 1 + 2 * labels.names.index("MISC")
    tags = np.concatenate([target.tags for target in targets])
    names = np.concatenate([target.names for target in targets])
    tag_slope, tag_loss = _gradient(softmax(logits[:, :count]), tags, [])
    name_slope, name_loss = _gradient(softmax(logits[:, count:]), names, [0, misc, misc + 1])
    slopes = np.hstack([tag_slope, name_slope]) / np.float32(len(logits))
    return slopes, tag_loss + name_loss


def _gradient(
    predicted: Floats, columns: NDArray[np.intp], open_columns: list[int]
) -> tuple[Floats, float]:
    target = np.zeros_like(predicted)
    labelled, open_ = np.flatnonzero(columns >= 0), np.flatnonzero(columns == OPEN)
    target[labelled, columns[labelled]] = 1.0
    if len(open_):
        # If several columns are correct, only their joint probability counts.
        open_cells = np.ix_(open_, np.array(open_columns))
        target[open_cells] = predicted[open_cells] / predicted[open_cells].sum(
            axis=1, keepdims=True
        )
    is_counted = columns != UNKNOWN
    hit = np.where(target > 0, predicted, 0).sum(axis=1)[is_counted]
    loss = float(-np.log(hit + 1e-9).sum() / max(len(hit), 1))
    return np.where(is_counted[:, None], predicted - target, 0).astype(np.float32), loss


def calibrate(nlp: Language, corpora: Sequence[Corpus]) -> Calibration:
    """Fit probabilities to the share of correct spans.

    Logistic regression of one variable by Newton's method (Platt 1999).
    """
    spans = [span for corpus in corpora for span in names_found(nlp, corpus)]
    raw, right = (np.array(column) for column in zip(*spans, strict=True))
    design = np.column_stack([logit(raw), np.ones_like(raw)])
    weights = np.array([1.0, 0.0])
    for _ in range(PLATT_STEPS):
        probability = 1 / (1 + np.exp(-design @ weights))
        curvature = design.T @ (design * (probability * (1 - probability))[:, None])
        weights += np.linalg.solve(curvature, design.T @ (right - probability))
    return Calibration(slope=float(weights[0]), intercept=float(weights[1]))


def write(nlp: Language, component: TagsAndNames, vectors: WordVectors, folder: Path) -> None:
    """Write the pipeline, with labels, calibration, word vectors and weights in 16 bits."""
    nlp.to_disk(folder, exclude=["vocab"])
    component_folder = folder / component.name
    component_folder.mkdir(exist_ok=True)
    settings = {
        "labels": asdict(component.scheme),
        "calibration": asdict(component.calibration),
        "threshold": component.threshold,
    }
    (component_folder / "settings.json").write_text(
        json.dumps(settings, indent=1), encoding="utf-8"
    )
    (component_folder / "words.txt").write_text("\n".join(vectors.words), encoding="utf-8")
    np.save(component_folder / "vectors.npy", vectors.rows)
    weights: dict[str, Any] = {
        key: np.asarray(layer.get_param(name)).astype(np.float16)
        for key, layer, name in parameters(component.model)
    }
    np.savez(component_folder / "weights.npz", **weights)


def annotate(nlp: Language, corpus: Corpus) -> Iterator[tuple[AnnotatedSentence, Doc]]:
    docs = nlp.pipe(Doc(nlp.vocab, words=list(s.words)) for s in corpus.sentences)
    return zip(corpus.sentences, docs, strict=True)


def names_found(nlp: Language, corpus: Corpus) -> list[tuple[float, bool]]:
    """Return the probability of each span found, and whether its boundaries are correct."""
    spans = []
    for sentence, doc in annotate(nlp, corpus):
        group, correct = (
            doc.spans[SPANS],
            {(start, end) for start, end, _ in spans_of(sentence.iob)},
        )
        for span, score in zip(group, group.attrs["scores"], strict=True):
            spans.append((score, (span.start, span.end) in correct))
    return spans


def report(nlp: Language, corpus: Corpus) -> str:
    """Return the share of words with the right Penn tag, or precision and recall of names."""
    if corpus.sentences[0].iob:
        right = [is_right for _, is_right in names_found(nlp, corpus)]
        names = sum(len(spans_of(sentence.iob)) for sentence in corpus.sentences)
        precision, recall = sum(right) / max(len(right), 1), sum(right) / names
        return f"{corpus.name}: names, precision {precision:.1%}, recall {recall:.1%}"
    hits = [
        token.tag_ == tag
        for sentence, doc in annotate(nlp, corpus)
        for token, (_, tag) in zip(doc, sentence.tags, strict=True)
    ]
    return f"{corpus.name}: tags, {fmean(hits):.1%} right"


if __name__ == "__main__":
    main()
