"""What the shape of pairs gives away: figures of a manifest, and a section of its card."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.stats.shape import LIST, REMARKS, Shapes, remark_values, rule_figures
from releases.dataset.rows import ReleasedPair

# With fewer pairs to fit rules to, or to test them on, their figures say nothing.
FEWEST = 20


def measure_shape(
    pairs: Iterable[ReleasedPair], language: str, *, sees_lists: bool = True
) -> dict[str, Any]:
    """Return the figures of rules fitted to train and tested on test; empty with too few pairs.

    Labels are two sides. Before the fifth layout of releases, no rule sees lists.
    """
    final = [pair for pair in pairs if pair.subset == "labeled_final"]
    train, test = ([pair for pair in final if pair.split == split] for split in ("train", "test"))
    if min(len(train), len(test)) < FEWEST:
        return {}
    shapes = [_shapes(pairs_of_split, language) for pairs_of_split in (train, test)]
    if not sees_lists:
        shapes = [shape.without(LIST) for shape in shapes]
    return rule_figures((shapes[0], shapes[1]))


def _shapes(pairs: list[ReleasedPair], language: str) -> Shapes:
    return Shapes.measure(
        ((pair.text1, pair.text2) for pair in pairs),
        [pair.label or 0 for pair in pairs],
        language,
        kinds=[pair.kind or "" for pair in pairs],
    )


def shape_remark(counts: Mapping[str, Any]) -> str:
    """Return the section of the card; empty in releases without these figures."""
    if not (figures := counts.get("shape")):
        return ""
    return REMARKS[figures["verdict"]] % remark_values(figures)
