"""Pairs of definitions of one entity that say something similar (PARADE 3.2).

The definitions are clustered, and every two of one cluster are a pair, unless they nearly repeat
each other. They are compared as vectors: means of word vectors, or weighted counts of words. The
word vectors are the embedded ones, or are counted in these definitions alone, so that the vectors
of an entity do not depend on what else its corpus holds.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from generation.nlp import vector_likeness
from generation.nlp.clustering import k_means
from generation.nlp.near_equal import near_equal, plain
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import Settings, _, setting
from generation.nlp.words import words

Rows = NDArray[np.float64]

# Rarer words of an entity with many definitions have no column.
MOST_WORDS = 2_000
# Words at most this far apart count as neighbours.
NEIGHBOURS = 2

EMBEDDED = "embedded"
# Definitions that are clustered together. An entity with more is cut into equal parts, so that the
# time grows with their number, not with its square.
MOST_TOGETHER = 1_000


class Reason(StrEnum):
    """Why a definition is not the first sentence of a pair."""

    FEW_DEFINITIONS = "few_definitions"
    UNKNOWN_WORDS = "unknown_words"
    SINGLETON = "singleton"
    NEAR_DUPLICATE = "near_duplicate"
    PAIRED = "paired"


# Why a pair was dropped, besides the reasons of near_equal.
TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionSettings(Settings):
    """How definitions become pairs; PARADE 3.2 where it states a value.

    PARADE clusters word2vec vectors of 300 columns, trained on its definitions. The seed draws the
    first centres of the clusters.
    """

    SUBJECT: ClassVar[str] = "definitions"

    vectors: str = setting(
        EMBEDDED,
        _("Word vectors"),
        _("The built-in vectors find pairs with few common words. English only."),
        choices={
            EMBEDDED: _("built in"),
            "ppmi": _("computed from the definitions (PPMI)"),
            "tfidf": _("word counts (TF-IDF)"),
        },
    )
    clusters_per_definition: float = setting(
        0.5,
        _("Clusters per definition"),
        _("0.5: two definitions to a cluster on average. Fewer clusters give more pairs."),
        bounds=(0.01, 1.0),
    )
    starts: int = setting(
        3,
        _("Clustering attempts"),
        _("The tightest clustering is used. More attempts take longer."),
        bounds=(1, 100),
    )
    min_definitions: int = setting(
        5,
        _("Minimum definitions per entity"),
        _("Entities with fewer definitions are skipped."),
        bounds=(1, 1_000),
    )
    max_pairs: int = setting(
        20,
        _("Maximum comparisons per definition"),
        _("A definition is compared with this many later ones of its cluster."),
        bounds=(1, 1_000),
    )
    seed: int = 0


@dataclass(frozen=True, slots=True)
class DefinitionPairer:
    """Pairs the definitions of one entity at a time."""

    settings: DefinitionSettings
    identities: dict[str, dict[str, str]] = field(default_factory=dict)

    def outcomes(self, texts: Sequence[str]) -> list[Outcome]:
        """Pair each definition of an entity with the later ones of its cluster."""
        if len(texts) < self.settings.min_definitions:
            return [Outcome(Reason.FEW_DEFINITIONS)] * len(texts)
        parts = np.array_split(np.arange(len(texts)), -(-len(texts) // MOST_TOGETHER))
        return [
            outcome for part in parts for outcome in self._part([texts[place] for place in part])
        ]

    def _part(self, texts: Sequence[str]) -> list[Outcome]:
        rows = VECTORS[self.settings.vectors](texts)
        places_with_vector = np.flatnonzero(rows.any(axis=1))
        outcomes = [Outcome(Reason.UNKNOWN_WORDS)] * len(texts)
        for cluster in self._clusters(rows[places_with_vector]):
            places = [int(places_with_vector[place]) for place in cluster]
            made = self._pairs([texts[place] for place in places])
            for place, outcome in zip(places, made, strict=True):
                outcomes[place] = outcome
        return outcomes

    def _clusters(self, rows: Rows) -> list[list[int]]:
        if not len(rows):
            return []
        k = max(1, int(len(rows) * self.settings.clusters_per_definition))
        labels = k_means(rows, k, seed=self.settings.seed, starts=self.settings.starts).labels
        clusters: list[list[int]] = [[] for _ in range(k)]
        for place, label in enumerate(labels):
            clusters[label].append(place)
        return clusters

    def _pairs(self, texts: Sequence[str]) -> list[Outcome]:
        if len(texts) == 1:
            return [Outcome(Reason.SINGLETON)]
        plains, most = [plain(text) for text in texts], self.settings.max_pairs
        partners: list[list[int]] = []
        dropped: list[Counter[str]] = []
        for place, one in enumerate(plains):
            reasons = {n: near_equal(one, plains[n]) for n in range(place + 1, len(texts))[:most]}
            partners.append([n for n, reason in reasons.items() if reason is None])
            dropped.append(Counter(filter(None, reasons.values())))
            if beyond := max(0, len(texts) - place - 1 - most):
                dropped[-1][TOO_MANY] = beyond
        return _outcomes(texts, partners, dropped)


def _outcomes(
    texts: Sequence[str], partners: Sequence[Sequence[int]], dropped: Sequence[Counter[str]]
) -> list[Outcome]:
    second = {partner for partners_of_place in partners for partner in partners_of_place}
    outcomes = []
    for place, partners_of_place in enumerate(partners):
        rewrites = tuple(Rewrite(texts[partner]) for partner in partners_of_place)
        without = Reason.PAIRED if place in second else Reason.NEAR_DUPLICATE
        outcomes.append(Outcome(ACCEPTED if rewrites else without, rewrites, dropped[place]))
    return outcomes


def embedded(texts: Sequence[str]) -> Rows:
    """Return the mean of the embedded vectors of the words of each text, zero if none is known."""
    vectors = vector_likeness.embedded()
    return np.stack([vectors.mean(words(text)) for text in texts]).astype(np.float64)


def tfidf(texts: Sequence[str]) -> Rows:
    words_of_texts = _words(texts)
    counts = _counts(words_of_texts, _numbers(words_of_texts))
    texts_with = (counts > 0).sum(axis=0)
    return _unit(counts * (np.log((1 + len(texts)) / (1 + texts_with)) + 1))


def ppmi(texts: Sequence[str]) -> Rows:
    """Return the mean of the words' vectors: positive mutual information of neighbours."""
    words_of_texts = _words(texts)
    counts = _counts(words_of_texts, numbers := _numbers(words_of_texts))
    vectors = _unit(_information(_near(words_of_texts, numbers)))
    means: Rows = counts @ vectors / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return means


def _words(texts: Sequence[str]) -> list[list[str]]:
    return [words(text.casefold()) for text in texts]


def _numbers(texts: Sequence[Sequence[str]]) -> dict[str, int]:
    counts = Counter(word for text in texts for word in text)
    kept = sorted(counts, key=lambda word: (-counts[word], word))[:MOST_WORDS]
    return {word: number for number, word in enumerate(kept)}


def _counts(texts: Sequence[Sequence[str]], numbers: dict[str, int]) -> Rows:
    counts = np.zeros((len(texts), len(numbers)))
    for row, text in enumerate(texts):
        np.add.at(counts[row], [numbers[word] for word in text if word in numbers], 1)
    return counts


def _near(texts: Sequence[Sequence[str]], numbers: dict[str, int]) -> Rows:
    """Count how often each two words are neighbours."""
    near = np.zeros((len(numbers), len(numbers)))
    for text in texts:
        places = [numbers.get(word) for word in text]
        for apart in range(1, NEIGHBOURS + 1):
            for column1, column2 in zip(places, places[apart:], strict=False):
                if column1 is not None and column2 is not None:
                    near[column1, column2] += 1
                    near[column2, column1] += 1
    return near


def _information(counts: Rows) -> Rows:
    total, sums = max(counts.sum(), 1.0), np.maximum(counts.sum(axis=0), 1.0)
    with np.errstate(divide="ignore"):
        information: Rows = np.maximum(np.log(counts * total / np.outer(sums, sums)), 0.0)
    return information


def _unit(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units


# A method as the setting `vectors` names it.
VECTORS: Mapping[str, Callable[[Sequence[str]], Rows]] = {
    EMBEDDED: embedded,
    "ppmi": ppmi,
    "tfidf": tfidf,
}
