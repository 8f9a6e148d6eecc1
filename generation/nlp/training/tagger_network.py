"""The network of the embedded tagger and its training loop."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from thinc.api import Adam, Optimizer, fix_random_seed, set_dropout_rate
from thinc.types import Floats2d

from generation.nlp.adapters.spacy_component import FACTORY, TagsAndNames, stack
from generation.nlp.training import tagger_objective as objective
from generation.nlp.training.tagger_corpora import Corpus, as_tokenised
from generation.nlp.training.tagger_objective import Targets

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
    """Return an untrained English pipeline with the component."""
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
            wanted = objective.targets(sentence, component.scheme, misc=corpus.misc)
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
    wanted = objective.join([targets for _, targets in batch])
    gradient, loss = objective.gradient(stack(outputs), wanted, component.scheme)
    ends = np.cumsum([len(doc) for doc, _ in batch])
    backpropagate(cast("list[Floats2d]", np.split(gradient, ends[:-1])))
    component.model.finish_update(optimizer)
    return loss


def _keep_averages(component: TagsAndNames, optimizer: Optimizer) -> None:
    averages = optimizer.averages or {}
    for node in component.model.walk():
        for name in node.param_names:
            if (node.id, name) in averages:
                node.set_param(name, averages[node.id, name])
