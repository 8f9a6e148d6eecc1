"""PAWS 5, BOW: the cosine of two bags of unigrams and bigrams, above .5 for a paraphrase.

A text is the sum of tanh(projected vector) over its unigrams and bigrams; the loss is the cross
entropy of w(cos - .5), w > 0 learned. Numpy alone, so that it runs where torch is not installed.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaluation import measures
from evaluation.contract import Pretrainable, Scores, Tell, check_learnable, silent, tells_in_turn
from evaluation.data import Pairs
from evaluation.vectors import Floats, Ints, Vectors, number_words

# The weights of unigrams and bigrams, a bias as the last row of each; the logarithm of w.
Weights: TypeAlias = list[Floats]

HIDDEN = 100
FIRST_WEIGHT = 5.0
SCORED_TOGETHER = 256
TINY = np.float32(1e-12)


@dataclass(frozen=True, slots=True)
class Settings:
    """How bags are trained: with Adam, until `patience` epochs bring nothing better on dev."""

    epochs: int = 20
    batch: int = 64
    rate: float = 1e-3
    patience: int = 3

    def steps(self, pairs: int) -> int:
        return self.epochs * -(-pairs // self.batch)


@dataclass(frozen=True)
class Bow(Pretrainable):
    """A bag of words and pairs of neighbouring words."""

    vectors: Vectors = field(default_factory=Vectors)
    settings: Settings = Settings()

    @property
    def identity(self) -> dict[str, str]:
        settings = {name: str(value) for name, value in asdict(self.settings).items()}
        return {"name": "bow", "vectors": self.vectors.identity} | settings

    def fit_in_turn(
        self, trains: Sequence[Pairs], dev: Pairs, *, seed: int, tell: Tell = silent
    ) -> "FittedBow":
        for train in trains:
            check_learnable(train, dev)
        random = np.random.default_rng(seed)
        dev_bags = Bags.from_pairs(dev, self.vectors)
        weights = first_weights(dev_bags.table.shape[1], random)
        tell_of_train = tells_in_turn(tell, [self.settings.steps(len(train)) for train in trains])
        for train, tell_one in zip(trains, tell_of_train, strict=True):
            weights = self._train(weights, train, dev_bags, dev.labels, random, tell_one)
        return FittedBow(weights, self.vectors)

    def _train(
        self,
        weights: Weights,
        train: Pairs,
        dev_bags: "Bags",
        dev_labels: NDArray[np.int8],
        random: np.random.Generator,
        tell: Tell,
    ) -> Weights:
        """Return the weights of the epoch that is best on dev."""
        train_bags = Bags.from_pairs(train, self.vectors)
        most_steps = self.settings.steps(len(train))
        adam = Adam(weights, self.settings.rate)
        best_quality, best_epoch, best_weights = (-1.0, 0.0), 0, weights
        for epoch in range(self.settings.epochs):
            for places in self._batches(random.permutation(len(train))):
                adam.step(gradients(weights, train_bags.batch(places), train.labels[places]))
                tell(adam.steps, most_steps)
            quality = measures.accuracy_and_likelihood(dev_labels, _scores(weights, dev_bags))
            if quality > best_quality:
                best_quality, best_epoch = quality, epoch
                best_weights = [matrix.copy() for matrix in weights]
            if best_quality[0] == 1.0 or epoch - best_epoch >= self.settings.patience:
                break
        tell(most_steps, most_steps)
        return best_weights

    def _batches(self, order: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        size = self.settings.batch
        return [order[start : start + size] for start in range(0, len(order), size)]


@dataclass(frozen=True, eq=False)
class FittedBow:
    """Fitted projections of unigrams and bigrams."""

    weights: Weights
    vectors: Vectors

    @property
    def parameters(self) -> int:
        return sum(matrix.size for matrix in self.weights)

    def scores(self, pairs: Pairs) -> Scores:
        return (
            _scores(self.weights, Bags.from_pairs(pairs, self.vectors))
            if len(pairs)
            else np.empty(0)
        )


@dataclass(frozen=True, eq=False)
class Batch:
    """The n-grams of a batch, each once, with how often each text has them.

    `counts` have shape (2 * pairs, n-grams), first texts first; `inputs` (n-grams, width + 1).
    """

    inputs: list[Floats]
    counts: list[Floats]


@dataclass(frozen=True, eq=False)
class Bags:
    """Pairs as numbers of words, and a table of the words' vectors."""

    first: Sequence[Ints]
    second: Sequence[Ints]
    table: Floats

    @classmethod
    def from_pairs(cls, pairs: Pairs, vectors: Vectors) -> "Bags":
        rows, types = number_words((*pairs.first, *pairs.second))
        return cls(rows[: len(pairs)], rows[len(pairs) :], vectors.table(types))

    def batch(self, places: NDArray[np.intp]) -> Batch:
        texts = [side[place] for side in (self.first, self.second) for place in places]
        unigrams, counts = _count_ngrams([text[:, None] for text in texts])
        bigrams, pair_counts = _count_ngrams([np.column_stack([t[:-1], t[1:]]) for t in texts])
        return Batch([self._inputs(unigrams), self._inputs(bigrams)], [counts, pair_counts])

    def _inputs(self, grams: Ints) -> Floats:
        width = grams.shape[1] * self.table.shape[1]
        vectors = self.table[grams].reshape(len(grams), width)
        return np.column_stack([vectors, np.ones(len(grams), dtype=np.float32)])


def _count_ngrams(texts: Sequence[Ints]) -> tuple[Ints, Floats]:
    """Return the distinct n-grams, and how often each text has each of them."""
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    ngrams = np.concatenate(texts)
    # One number a row sorts faster than rows do.
    base = int(ngrams.max(initial=0)) + 1
    codes = ngrams @ (base ** np.arange(ngrams.shape[1]))
    _, places, inverse = np.unique(codes, return_index=True, return_inverse=True)
    counts = np.zeros((len(texts), len(places)), dtype=np.float32)
    np.add.at(counts, (rows, inverse), 1)
    return ngrams[places], counts


def first_weights(width: int, random: np.random.Generator) -> Weights:
    sizes = (width, 2 * width)
    matrices = [random.uniform(-1, 1, (size + 1, HIDDEN)) / np.sqrt(size) for size in sizes]
    return [
        *(matrix.astype(np.float32) for matrix in matrices),
        np.log(np.array([FIRST_WEIGHT], dtype=np.float32)),
    ]


def _scores(weights: Weights, bags: Bags) -> Scores:
    count = len(bags.first)
    logits = [
        forward(weights, bags.batch(np.arange(start, min(start + SCORED_TOGETHER, count))))[0]
        for start in range(0, count, SCORED_TOGETHER)
    ]
    return _sigmoid(np.concatenate(logits)).astype(np.float64)


def forward(weights: Weights, batch: Batch) -> tuple[Floats, list[Floats], Floats]:
    """Return logits, tanh of the projected n-grams, and the encodings of all texts."""
    hidden = [np.tanh(rows @ m) for rows, m in zip(batch.inputs, weights[:2], strict=True)]
    sums = sum(counts @ h for counts, h in zip(batch.counts, hidden, strict=True))
    encoded = np.asarray(sums, dtype=np.float32)
    u, v = np.split(encoded, 2)
    cosine = (u * v).sum(1) / np.sqrt((u * u).sum(1) * (v * v).sum(1) + TINY)
    return np.exp(weights[2]) * (cosine - np.float32(0.5)), hidden, encoded


def gradients(weights: Weights, batch: Batch, labels: NDArray[np.int8]) -> Weights:
    """Return the gradients of the mean cross entropy, in the order of the weights."""
    logits, hidden, encoded = forward(weights, batch)
    error = (_sigmoid(logits) - labels) / np.float32(len(labels))
    u, v = np.split(encoded, 2)
    size1, size2 = (u * u).sum(1, keepdims=True) + TINY, (v * v).sum(1, keepdims=True) + TINY
    cosine = logits / np.exp(weights[2]) + np.float32(0.5)
    by_cosine = (error * np.exp(weights[2]))[:, None]
    product = np.sqrt(size1 * size2)
    by_u = by_cosine * (v / product - cosine[:, None] * u / size1)
    by_v = by_cosine * (u / product - cosine[:, None] * v / size2)
    by_text = np.concatenate([by_u, by_v])
    projected = [
        rows.T @ ((counts.T @ by_text) * (1 - h * h))
        for rows, counts, h in zip(batch.inputs, batch.counts, hidden, strict=True)
    ]
    return [*projected, np.array([error @ logits], dtype=np.float32)]


class Adam:
    """Changes weights in place (Kingma and Ba 2015, algorithm 1)."""

    def __init__(self, weights: Weights, rate: float) -> None:
        self._weights, self._rate, self.steps = weights, rate, 0
        self._means = [np.zeros_like(matrix) for matrix in weights]
        self._squares = [np.zeros_like(matrix) for matrix in weights]

    def step(self, gradients: Weights) -> None:
        self.steps += 1
        # Both corrections of the bias together (the end of section 2 there).
        rate = self._rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, gradient, mean, square in zip(
            self._weights, gradients, self._means, self._squares, strict=True
        ):
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            weight -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), dtype=np.float32)
