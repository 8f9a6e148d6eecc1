"""What the shape of a run's candidates gives away, with labels drawn by the estimate."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from annotation.stats.shape import Shapes, best_rule, halves_figures
from benchmarks.table import Figure
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
        "en",
        kinds=[rewrite.kind for _, _, rewrite in rows],
    )
    is_rotation = np.array(shapes.features["rotation"], bool)
    for shape, is_of_shape in (("rotations", is_rotation), ("exchanges", ~is_rotation)):
        yield Figure(f"{name}: {shape}", int(is_of_shape.sum()))
        if is_of_shape.any():
            share = 100 * float(shares[is_of_shape].mean())
            yield Figure(f"{name}: {shape}, expected paraphrases", share, "%")
    random = np.random.default_rng(0)
    is_second = [place % 2 == 1 for place, _, _ in rows]
    points = []
    for _ in range(DRAWS):
        labels = (random.random(len(rows)) < shares).astype(np.int8)
        points.append(
            best_rule(halves_figures(replace(shapes, labels=labels), is_second))["points"]
        )
    yield Figure(f"{name}: best rule above the majority", 100 * fmean(points), "points")
