"""Training targets for each token, and the gradient of the cross-entropy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.nlp.adapters.spacy_component import Labels, softmax
from generation.nlp.training.tagger_corpora import NAMES
from generation.nlp.training.treebanks import AnnotatedSentence

UNKNOWN = -1
OPEN = -2  # outside any name, or in a name of a type that the corpus does not annotate

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Targets:
    """Per token: the column of its tag pair and of its name state, or UNKNOWN or OPEN."""

    tags: NDArray[np.intp]
    names: NDArray[np.intp]


def targets(sentence: AnnotatedSentence, labels: Labels, *, misc: bool) -> Targets:
    """Return the targets of a sentence; `misc` is True if its corpus annotates all name types."""
    columns = {pair: column for column, pair in enumerate(labels.tags)}
    tags = [columns.get(pair, UNKNOWN) for pair in sentence.tags or ()]
    names = [_state(iob, labels, misc=misc) for iob in sentence.iob or ()]
    unknown = [UNKNOWN] * len(sentence.words)
    return Targets(np.array(tags or unknown, np.intp), np.array(names or unknown, np.intp))


def join(parts: Sequence[Targets]) -> Targets:
    """Concatenate the targets of sentences."""
    return Targets(
        np.concatenate([part.tags for part in parts]),
        np.concatenate([part.names for part in parts]),
    )


def gradient(logits: Floats, wanted: Targets, labels: Labels) -> tuple[Floats, float]:
    """Return the gradient of the per-token cross-entropy by the logits, and the loss."""
    count = len(labels.tags)
    tag_gradient, tag_loss = _gradient(softmax(logits[:, :count]), wanted.tags, [])
    misc = 1 + 2 * labels.names.index("MISC")
    name_gradient, name_loss = _gradient(
        softmax(logits[:, count:]), wanted.names, [0, misc, misc + 1]
    )
    both = np.hstack([tag_gradient, name_gradient]) / np.float32(len(logits))
    return both, tag_loss + name_loss


def _gradient(
    predicted: Floats, columns: NDArray[np.intp], either: list[int]
) -> tuple[Floats, float]:
    wanted = np.zeros_like(predicted)
    known, open_ = np.flatnonzero(columns >= 0), np.flatnonzero(columns == OPEN)
    wanted[known, columns[known]] = 1.0
    if either and len(open_):
        # If several columns are correct, only their joint probability counts.
        where = np.ix_(open_, np.array(either))
        wanted[where] = predicted[where] / predicted[where].sum(axis=1, keepdims=True)
    counted = columns != UNKNOWN
    hit = np.where(wanted > 0, predicted, 0).sum(axis=1)[counted]
    loss = float(-np.log(hit + 1e-9).sum() / max(len(hit), 1))
    return np.where(counted[:, None], predicted - wanted, 0).astype(np.float32), loss


def _state(iob: str, labels: Labels, *, misc: bool) -> int:
    prefix, _, label = iob.partition("-")
    if prefix == "O":
        return 0 if misc else OPEN
    return 1 + 2 * labels.names.index(NAMES[label]) + (prefix == "I")
