"""What the shape of a run's candidates gives away, with labels drawn by the estimate."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from annotation.stats.shape import Shapes, best_rule, halves_figures
from benchmarks.table import Figure
from generation.nlp.balancing import paraphrase_shares
from generation.nlp.rewrites import Outcome

DRAWS = 10


def shape_figures(name: str, texts: Sequence[str], outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Yield expected shares of paraphrases by shape, and the points of the best rule.

    Rules are fitted to the candidates of every other sentence and tested on the others.
    """
    rows = [
        (place, text, rewrite)
        for place, (text, outcome) in enumerate(zip(texts, outcomes, strict=True))
        for rewrite in outcome.rewrites
    ]
    shares = np.array([rewrite.paraphrase or 0.0 for _, _, rewrite in rows])
    shapes = Shapes.measure(
        [(text, rewrite.text) for _, text, rewrite in rows],
        [0] * len(rows),
        kinds=[rewrite.kind for _, _, rewrite in rows],
    )
    is_rotation = map(bool, shapes.features["rotation"])
    for shape, (number, share) in paraphrase_shares(
        zip(is_rotation, shares.tolist(), strict=True)
    ).items():
        yield Figure(f"{name}: {shape}", number)
        yield Figure(f"{name}: {shape}, expected paraphrases", 100 * share, "%")
    random = np.random.default_rng(0)
    is_second = [place % 2 == 1 for place, _, _ in rows]
    points = []
    for _ in range(DRAWS):
        labels = (random.random(len(rows)) < shares).astype(np.int8)
        points.append(
            best_rule(halves_figures(replace(shapes, labels=labels), is_second))["points"]
        )
    yield Figure(f"{name}: best rule above the majority", 100 * fmean(points), "points")
