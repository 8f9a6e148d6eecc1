"""Pairs of definitions of one entity that say something similar (PARADE 3.2).

The definitions are clustered, and every two of one cluster are a pair, unless they nearly repeat
each other.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

import numpy as np

from generation.nlp import definition_vectors
from generation.nlp.clustering import k_means
from generation.nlp.definition_vectors import Rows
from generation.nlp.near_equal import near_equal, plain
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import Settings, _, setting

EMBEDDED = "embedded"
VECTORS: Mapping[str, Callable[[Sequence[str]], Rows]] = {
    EMBEDDED: definition_vectors.embedded,
    "ppmi": definition_vectors.ppmi,
    "tfidf": definition_vectors.tfidf,
}
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
        """Return an outcome for each definition of an entity, in order.

        The candidates of a definition are later ones of its cluster; `dropped` counts the pairs
        that were left out, by why.
        """
        if len(texts) < self.settings.min_definitions:
            return [Outcome(Reason.FEW_DEFINITIONS)] * len(texts)
        parts = np.array_split(np.arange(len(texts)), -(-len(texts) // MOST_TOGETHER))
        return [each for part in parts for each in self._part([texts[place] for place in part])]

    def _part(self, texts: Sequence[str]) -> list[Outcome]:
        rows = VECTORS[self.settings.vectors](texts)
        known = np.flatnonzero(rows.any(axis=1))
        outcomes = [Outcome(Reason.UNKNOWN_WORDS)] * len(texts)
        for cluster in self._clusters(rows[known]):
            places = [int(known[place]) for place in cluster]
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
        """Pair each definition of a cluster with the later ones."""
        if len(texts) == 1:
            return [Outcome(Reason.SINGLETON)]
        plains, most = [plain(text) for text in texts], self.settings.max_pairs
        partners: list[list[int]] = []
        dropped: list[Counter[str]] = []
        for place, one in enumerate(plains):
            found = {n: near_equal(one, plains[n]) for n in range(place + 1, len(texts))[:most]}
            partners.append([n for n, reason in found.items() if reason is None])
            dropped.append(Counter(filter(None, found.values())))
            if beyond := max(0, len(texts) - place - 1 - most):
                dropped[-1][TOO_MANY] = beyond
        return _outcomes(texts, partners, dropped)


def _outcomes(
    texts: Sequence[str], partners: Sequence[Sequence[int]], dropped: Sequence[Counter[str]]
) -> list[Outcome]:
    second = {other for others in partners for other in others}
    outcomes = []
    for place, others in enumerate(partners):
        rewrites = tuple(Rewrite(texts[other]) for other in others)
        without = Reason.PAIRED if place in second else Reason.NEAR_DUPLICATE
        outcomes.append(Outcome(ACCEPTED if rewrites else without, rewrites, dropped[place]))
    return outcomes
