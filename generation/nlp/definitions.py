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
from generation.nlp.near_equal import near_equal, plain_text
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
            outcome
            for part in parts
            for outcome in self._pair_part([texts[place] for place in part])
        ]

    def _pair_part(self, texts: Sequence[str]) -> list[Outcome]:
        rows = VECTORS[self.settings.vectors](texts)
        places_with_vector = np.flatnonzero(rows.any(axis=1))
        outcomes = [Outcome(Reason.UNKNOWN_WORDS)] * len(texts)
        for cluster in self._cluster_places(rows[places_with_vector]):
            places = [int(places_with_vector[place]) for place in cluster]
            cluster_outcomes = self._pair_cluster([texts[place] for place in places])
            for place, outcome in zip(places, cluster_outcomes, strict=True):
                outcomes[place] = outcome
        return outcomes

    def _cluster_places(self, rows: Rows) -> list[list[int]]:
        if not len(rows):
            return []
        k = max(1, int(len(rows) * self.settings.clusters_per_definition))
        labels = k_means(rows, k, seed=self.settings.seed, starts=self.settings.starts).labels
        clusters: list[list[int]] = [[] for _ in range(k)]
        for place, label in enumerate(labels):
            clusters[label].append(place)
        return clusters

    def _pair_cluster(self, texts: Sequence[str]) -> list[Outcome]:
        if len(texts) == 1:
            return [Outcome(Reason.SINGLETON)]
        plain_texts, most = [plain_text(text) for text in texts], self.settings.max_pairs
        partners: list[list[int]] = []
        dropped_by_reason: list[Counter[str]] = []
        for place, text in enumerate(plain_texts):
            reasons = {
                later: near_equal(text, plain_texts[later])
                for later in range(place + 1, len(texts))[:most]
            }
            partners.append([later for later, reason in reasons.items() if reason is None])
            dropped_by_reason.append(Counter(filter(None, reasons.values())))
            if pairs_beyond := max(0, len(texts) - place - 1 - most):
                dropped_by_reason[-1][TOO_MANY] = pairs_beyond
        return _outcomes_of_cluster(texts, partners, dropped_by_reason)


def _outcomes_of_cluster(
    texts: Sequence[str],
    partners: Sequence[Sequence[int]],
    dropped_by_reason: Sequence[Counter[str]],
) -> list[Outcome]:
    second = {partner for partners_of_place in partners for partner in partners_of_place}
    outcomes = []
    for place, partners_of_place in enumerate(partners):
        rewrites = tuple(Rewrite(texts[partner]) for partner in partners_of_place)
        reason = Reason.PAIRED if place in second else Reason.NEAR_DUPLICATE
        outcomes.append(
            Outcome(ACCEPTED if rewrites else reason, rewrites, dropped_by_reason[place])
        )
    return outcomes


def mean_embedded_vectors(texts: Sequence[str]) -> Rows:
    """Return the mean of the embedded vectors of the words of each text, zero if none is known."""
    vectors = vector_likeness.load_embedded()
    return np.stack([vectors.mean(words(text)) for text in texts]).astype(np.float64)


def tfidf(texts: Sequence[str]) -> Rows:
    words_of_texts = _words_of_texts(texts)
    counts = _count_words(words_of_texts, _number_words(words_of_texts))
    texts_with = (counts > 0).sum(axis=0)
    return _scale_to_unit(counts * (np.log((1 + len(texts)) / (1 + texts_with)) + 1))


def ppmi(texts: Sequence[str]) -> Rows:
    """Return the mean of the words' vectors: positive mutual information of neighbours."""
    words_of_texts = _words_of_texts(texts)
    number_of_word = _number_words(words_of_texts)
    counts = _count_words(words_of_texts, number_of_word)
    neighbours = _neighbour_counts(words_of_texts, number_of_word)
    vectors = _scale_to_unit(_positive_information(neighbours))
    means: Rows = counts @ vectors / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return means


def _words_of_texts(texts: Sequence[str]) -> list[list[str]]:
    return [words(text.casefold()) for text in texts]


def _number_words(texts: Sequence[Sequence[str]]) -> dict[str, int]:
    counts = Counter(word for text in texts for word in text)
    kept = sorted(counts, key=lambda word: (-counts[word], word))[:MOST_WORDS]
    return {word: number for number, word in enumerate(kept)}


def _count_words(texts: Sequence[Sequence[str]], number_of_word: dict[str, int]) -> Rows:
    counts = np.zeros((len(texts), len(number_of_word)))
    for row, text in enumerate(texts):
        np.add.at(counts[row], [number_of_word[word] for word in text if word in number_of_word], 1)
    return counts


def _neighbour_counts(texts: Sequence[Sequence[str]], number_of_word: dict[str, int]) -> Rows:
    """Count how often each two words are neighbours."""
    counts = np.zeros((len(number_of_word), len(number_of_word)))
    for text in texts:
        places = [number_of_word.get(word) for word in text]
        for distance in range(1, NEIGHBOURS + 1):
            for column1, column2 in zip(places, places[distance:], strict=False):
                if column1 is not None and column2 is not None:
                    counts[column1, column2] += 1
                    counts[column2, column1] += 1
    return counts


def _positive_information(counts: Rows) -> Rows:
    total, sums = max(counts.sum(), 1.0), np.maximum(counts.sum(axis=0), 1.0)
    with np.errstate(divide="ignore"):
        information: Rows = np.maximum(np.log(counts * total / np.outer(sums, sums)), 0.0)
    return information


def _scale_to_unit(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units


# A method as the setting `vectors` names it.
VECTORS: Mapping[str, Callable[[Sequence[str]], Rows]] = {
    EMBEDDED: mean_embedded_vectors,
    "ppmi": ppmi,
    "tfidf": tfidf,
}
