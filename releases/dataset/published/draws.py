"""Draws the splits that a published set lacks out of train, by whole families of sentences."""

from collections.abc import Sequence

from releases.dataset.families import Components, Family, split_families, wanted_sizes
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.published.settings import Choices, UnusableSet

TRAIN = "train"


def draw_splits(pairs: Sequence[PublishedPair], choices: Choices) -> list[PublishedPair]:
    """Return the pairs with the drawn splits. Raises UnusableSet.

    Connected are pairs with a sentence in common, and pairs of one entity.
    """
    if not choices.draw:
        return list(pairs)
    _refuse_splits(pairs, choices)
    drawable = [pair for pair in pairs if pair.split == TRAIN]
    connected = Components((pair.text1, pair.text2) for pair in drawable)
    for pair in drawable:
        if pair.entity:
            connected.link(pair.text1, f"\t{pair.entity}")  # no sentence has a tab
    families = _families(drawable, connected)
    sizes = {"dev": choices.draw.get("dev", 0), "test": choices.draw.get("test", 0)}
    try:
        splits = split_families(families, wanted_sizes(families, **sizes), seed=choices.seed)
    except ValueError as error:
        raise UnusableSet(str(error), "draw", "Correct --draw.") from error
    drawn = [
        pair._replace(split=splits[connected.find(pair.text1)]) if pair.split == TRAIN else pair
        for pair in pairs
    ]
    _refuse_empty(drawn, choices)
    return drawn


def _families(pairs: Sequence[PublishedPair], connected: Components) -> list[Family]:
    sizes: dict[str, list[int]] = {}
    for pair in pairs:
        counts = sizes.setdefault(connected.find(pair.text1), [0, 0])
        if pair.label is not None:
            counts[pair.label] += 1
    return [Family(key, tuple(counts)) for key, counts in sizes.items()]


def _refuse_splits(pairs: Sequence[PublishedPair], choices: Choices) -> None:
    splits = {pair.split for pair in pairs}
    for split in choices.draw:
        if split in splits or split == TRAIN:
            raise UnusableSet(
                f"The set has a split {split}.",
                "draw",
                "Draw only dev or test, and only if the set lacks that split: --draw.",
            )


def _refuse_empty(pairs: Sequence[PublishedPair], choices: Choices) -> None:
    splits = {pair.split for pair in pairs}
    for split, size in choices.draw.items():
        if split not in splits:
            raise UnusableSet(
                f"No family of connected sentences fits into {split}, of {size}.",
                "draw",
                f"Choose a larger size: --draw {split}=0.2.",
            )
