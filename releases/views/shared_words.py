"""The figure of shared words on the page of a release (PARADE 4.4, Figure 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.projects import charts
from annotation.projects.charts import Panel
from annotation.stats.overlap import BINS, is_english
from generation.nlp.words import has_spaces

HEIGHT = 110
LABELLED_TICKS = 2


@dataclass(frozen=True, slots=True)
class Bin:
    """A row of the table: the similarities from `low` to `high`, and the pairs of each label."""

    low: float
    high: float
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A mark below the panels, with its number if it has one."""

    x: str
    number: float | None


def drawn(counts: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """Return the figures of a manifest with the geometry of their chart; None without figures."""
    if not (figures := counts.get("overlap")):
        return None
    positives, negatives = figures["positives"], figures["negatives"]
    panels = _panels(positives, negatives)
    total = positives["pairs"] + negatives["pairs"]
    tables = zip(positives["bins"], negatives["bins"], strict=True)
    return dict(figures) | {
        "is_english": is_english(language),
        "by_character": not has_spaces(language),
        "panels": panels,
        "edges": [Edge(f"{100 * n // BINS}%", _numbered(n)) for n in range(BINS + 1)],
        "bins": [Bin(n / BINS, (n + 1) / BINS, *pairs) for n, pairs in enumerate(tables)],
        "chance": positives["pairs"] / total,
        "chance_on_test": _chance_on_test(counts),
    }


def _chance_on_test(counts: Mapping[str, Any]) -> float | None:
    test = counts["subsets"].get("labeled_final", {}).get("test")
    return test["paraphrases"] / test["pairs"] if test and test["pairs"] else None


def _numbered(edge: int) -> float | None:
    return None if edge % LABELLED_TICKS else edge / BINS


def _panels(*parts: Mapping[str, Any]) -> dict[str, Panel]:
    """Return a panel for paraphrases and one for other pairs, in shares on the same axis."""
    shares = [_shares(part) for part in parts]
    scale = charts.axis(0, max(0.1, *shares[0], *shares[1]))
    drawn = (charts.bars(share, height=HEIGHT, scale=scale) for share in shares)
    return dict(zip(("positives", "negatives"), drawn, strict=True))


def _shares(part: Mapping[str, Any]) -> Sequence[float]:
    return [pairs / (part["pairs"] or 1) for pairs in part["bins"]]
