"""Pairs of definitions on one core: time to import, cluster and pair, and k-means by its side.

The definitions are words drawn from the sentences of the file: 13 of each entity, as PARADE has on
average, and 1,000 of one. scikit-learn clusters the same vectors, from as many starts.
"""

import os
import time
from collections.abc import Callable
from random import Random
from typing import Any

from benchmarks.generation.embedded.place import ONE_THREAD, fresh_installation, texts
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, Goal
from support.workers import work_until_idle

ENTITIES, DEFINITIONS, LARGEST = 700, 13, 1_000
WORDS = (4, 24)
# For 10,000 definitions, in core-seconds; and of scikit-learn's inertia.
MOST_SECONDS, MOST_INERTIA = 60, 1.01


def figures(options: Options) -> list[Figure]:
    """Core-seconds of each step, and the inertia of both over all entities."""
    os.environ |= ONE_THREAD  # before numpy is loaded
    with fresh_installation():
        cards = _random_cards(options)
        return [*_run_figures(cards, options.seed), *_k_means_figures(cards, options.seed)]


def _random_cards(options: Options) -> dict[str, list[str]]:
    random = Random(options.seed)
    words = [word for text in texts(options.file) for word in text.split()]
    sizes = [DEFINITIONS] * ENTITIES + [LARGEST]
    return {
        f"entity {number}": [
            " ".join(random.choices(words, k=random.randint(*WORDS))) for _ in range(size)
        ]
        for number, size in enumerate(sizes)
    }


def _run_figures(cards: dict[str, list[str]], seed: int) -> list[Figure]:
    from generation.flashcards import Card
    from generation.models import Candidate
    from generation.services import corpora, flashcards, runs

    lines = [Card(1, entity, text) for entity, texts in cards.items() for text in texts]
    corpus = corpora.open_corpus("Flashcards")
    began = time.process_time()
    report = flashcards.import_flashcards(lines, corpus=corpus)
    imported_at = time.process_time()
    run = runs.start(corpus, method="definitions", seed=seed)
    work_until_idle(run)
    paired_at = time.process_time()
    pairs = Candidate.objects.filter(run=run).count()
    return [
        Figure("import of flashcards", imported_at - began, f"core-s, of {report.added:,}"),
        Figure(
            "definitions clustered and paired",
            paired_at - imported_at,
            f"core-s, {pairs:,} pairs",
            goal=Goal(MOST_SECONDS, at_least=False),
        ),
    ]


def _k_means_figures(cards: dict[str, list[str]], seed: int) -> list[Figure]:
    from generation.nlp import definitions

    sets = [definitions.mean_embedded_vectors(texts) for texts in cards.values()]
    (seconds, inertia), (sklearn_seconds, sklearn_inertia) = (
        _cluster_all(sets, cluster, seed) for cluster in (_our_inertia, _sklearn_inertia)
    )
    tight = Goal(MOST_INERTIA, at_least=False, of_ratio=True)
    return [
        Figure("k-means, beside scikit-learn's", seconds, "core-s", sklearn_seconds),
        Figure("its inertia", inertia, f"over {len(sets)} entities", sklearn_inertia, tight),
    ]


def _cluster_all(sets: list[Any], cluster: Callable[..., float], seed: int) -> tuple[float, float]:
    began = time.process_time()
    inertia = sum(cluster(rows, len(rows) // 2, seed) for rows in sets)
    return time.process_time() - began, inertia


def _our_inertia(rows: Any, k: int, seed: int) -> float:
    from generation.nlp.clustering import k_means

    return k_means(rows, k, seed=seed).inertia


def _sklearn_inertia(rows: Any, k: int, seed: int) -> float:
    from sklearn.cluster import KMeans

    return float(KMeans(k, n_init=3, random_state=seed).fit(rows).inertia_)
