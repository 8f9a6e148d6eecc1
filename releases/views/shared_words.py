"""How many words the sentences of a release share: figures and a chart (PARADE 4.4, Figure 1)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from annotation.projects import charts
from annotation.projects.charts import Panel
from annotation.stats.overlap import BINS, is_english
from generation.nlp.words import has_spaces

# Of the chart, in pixels; every second edge of its bars has a number.
HEIGHT, LABELLED_TICKS = 110, 2


class Bin(NamedTuple):
    """A row of the table: the similarities from `low` to `high`, and the pairs of each label."""

    low: float
    high: float
    positives: int
    negatives: int


class Edge(NamedTuple):
    """A mark below the panels, with its number if it has one."""

    x: str
    number: float | None


def shared_words(counts: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """Return the figures with the geometry of their chart, if any."""
    if not (figures := counts.get("overlap")):
        return None
    positives, negatives = figures["positives"], figures["negatives"]
    panels = _panels(positives, negatives)
    total = positives["pairs"] + negatives["pairs"]
    test = counts["subsets"]["labeled_final"]["test"]
    tables = zip(positives["bins"], negatives["bins"], strict=True)
    return dict(figures) | {
        "is_english": is_english(language),
        "by_character": not has_spaces(language),
        "panels": panels,
        "edges": [
            Edge(f"{100 * number // BINS}%", None if number % LABELLED_TICKS else number / BINS)
            for number in range(BINS + 1)
        ],
        "bins": [
            Bin(number / BINS, (number + 1) / BINS, *pairs) for number, pairs in enumerate(tables)
        ],
        "chance": positives["pairs"] / total,
        "chance_on_test": test["paraphrases"] / test["pairs"] if test["pairs"] else None,
    }


def _panels(*parts: Mapping[str, Any]) -> dict[str, Panel]:
    shares = [_shares(part) for part in parts]
    scale = charts.axis(0, max(0.1, *shares[0], *shares[1]))
    drawn = (charts.bars(share, height=HEIGHT, scale=scale) for share in shares)
    return dict(zip(("positives", "negatives"), drawn, strict=True))


def _shares(part: Mapping[str, Any]) -> Sequence[float]:
    return [pairs / (part["pairs"] or 1) for pairs in part["bins"]]
