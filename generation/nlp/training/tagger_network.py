"""The network of the embedded tagger, its objective and its training loop."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from thinc.api import Adam, Optimizer, fix_random_seed, set_dropout_rate
from thinc.types import Floats2d

from generation.nlp.adapters.spacy_component import FACTORY, Labels, TagsAndNames, softmax, stack
from generation.nlp.training.tagger_corpora import NAMES, AnnotatedSentence, Corpus, as_tokenised

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


Example = tuple[Doc, Targets]


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """Network architecture and training settings.

    `repeats` is how many times per epoch a small corpus is used.
    """

    width: int = 128
    depth: int = 4
    rows: tuple[tuple[str, int], ...] = (
        ("NORM", 2500),
        ("PREFIX", 500),
        ("SUFFIX", 2000),
        ("SHAPE", 500),
    )
    epochs: int = 6
    batch_words: int = 1200
    learn_rate: float = 0.002
    warm_up_words: int = 50_000
    dropout: float = 0.15
    repeats: tuple[tuple[str, int], ...] = (("wikigold", 3),)
    seed: int = 0


def pipeline(settings: NetworkSettings) -> tuple[Language, TagsAndNames]:
    nlp = spacy.blank("en")
    embed = {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": settings.width,
        "attrs": [attribute for attribute, _ in settings.rows],
        "rows": [rows for _, rows in settings.rows],
        "include_static_vectors": True,
    }
    encode = {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": settings.width,
        "window_size": 1,
        "maxout_pieces": 3,
        "depth": settings.depth,
    }
    model = {
        "@architectures": "pawsmith.TagsAndNames.v1",
        "width": settings.width,
        "tok2vec": {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode},
    }
    return nlp, cast("TagsAndNames", nlp.add_pipe(FACTORY, config={"model": model}))


def examples(
    nlp: Language, component: TagsAndNames, corpora: Sequence[Corpus], settings: NetworkSettings
) -> list[Example]:
    """Return documents with the tokenizer's words, and their targets."""
    repeats = dict(settings.repeats)
    found: list[Example] = []
    for corpus in corpora:
        split = as_tokenised(corpus, lambda word: [token.text for token in nlp.tokenizer(word)])
        for sentence in split.sentences:
            wanted = targets(sentence, component.scheme, misc=corpus.misc)
            example = Doc(nlp.vocab, words=list(sentence.words)), wanted
            found.extend([example] * repeats.get(corpus.name, 1))
    return found


def train(
    component: TagsAndNames, shown: Sequence[Example], settings: NetworkSettings
) -> Iterator[float]:
    """Train in place and yield the mean loss of each epoch; finally set the averaged weights."""
    fix_random_seed(settings.seed)
    component.model.initialize(X=[shown[0][0]])
    optimizer = Adam(
        settings.learn_rate, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0, use_averages=True
    )
    set_dropout_rate(component.model, settings.dropout)
    schedule = _Schedule(settings, total=settings.epochs * sum(len(doc) for doc, _ in shown))
    for epoch in range(settings.epochs):
        losses = []
        for batch in _batches(shown, settings, seed=settings.seed + epoch):
            optimizer.learn_rate = schedule.after(batch)
            losses.append(_step(component, batch, optimizer))
        yield float(np.mean(losses))
    set_dropout_rate(component.model, 0.0)
    _keep_averages(component, optimizer)


class _Schedule:
    """Learning rate that rises during warm-up and then falls linearly to near zero."""

    def __init__(self, settings: NetworkSettings, *, total: int) -> None:
        self.settings, self.total, self.seen = settings, total, 0

    def after(self, batch: Sequence[Example]) -> float:
        self.seen += sum(len(doc) for doc, _ in batch)
        climbing, falling = self.seen / self.settings.warm_up_words, 1 - self.seen / self.total
        return self.settings.learn_rate * max(0.02, min(1.0, climbing, falling))


def _batches(
    shown: Sequence[Example], settings: NetworkSettings, *, seed: int
) -> Iterator[list[Example]]:
    shuffled = random.Random(seed).sample(shown, len(shown))
    batch: list[Example] = []
    for example in shuffled:
        batch.append(example)
        if sum(len(doc) for doc, _ in batch) >= settings.batch_words:
            yield batch
            batch = []


def _step(component: TagsAndNames, batch: Sequence[Example], optimizer: Optimizer) -> float:
    outputs, backpropagate = component.model.begin_update([doc for doc, _ in batch])
    wanted = join([targets for _, targets in batch])
    slope, loss = gradient(stack(outputs), wanted, component.scheme)
    ends = np.cumsum([len(doc) for doc, _ in batch])
    backpropagate(cast("list[Floats2d]", np.split(slope, ends[:-1])))
    component.model.finish_update(optimizer)
    return loss


def _keep_averages(component: TagsAndNames, optimizer: Optimizer) -> None:
    averages = optimizer.averages or {}
    for node in component.model.walk():
        for name in node.param_names:
            if (node.id, name) in averages:
                node.set_param(name, averages[node.id, name])
