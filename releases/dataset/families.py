"""Families of connected sentences, and their split into train, dev and test (PAWS 4).

Pairs are split by whole families, so that no sentence is in two splits.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import le, sub

from common.draws import shuffled
from releases.dataset.rows import ReleasedPair, SentenceRow, Split


class Components:
    """Sets of connected texts; adding a link takes nearly constant time."""

    def __init__(self, links: Iterable[tuple[str, str]] = ()) -> None:
        self._parents: dict[str, str] = {}
        for one, other in links:
            self.link(one, other)

    def link(self, one: str, other: str) -> None:
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parents[max(first, second)] = min(first, second)

    def find(self, text: str) -> str:
        """Return the smallest text connected to this one; the order of links has no effect."""
        parents = self._parents
        while (parent := parents.setdefault(text, text)) != text:
            parents[text] = parents[parent]
            text = parents[text]
        return text


def draw_pairs(
    sides: Sequence[tuple[str, str]], most: int | None, *, seed: int, purpose: str
) -> list[int]:
    """Return the places of at most `most` pairs (None: all), in whole families of texts."""
    if most is None or most >= len(sides):
        return list(range(len(sides)))
    connected = Components(sides)
    families = defaultdict[str, list[int]](list)
    for place, (sentence, _) in enumerate(sides):
        families[connected.find(sentence)].append(place)
    places: list[int] = []
    for key in shuffled(families, seed=seed, purpose=purpose):
        if len(places) + len(families[key]) <= most:
            places += families[key]
    return sorted(places)


@dataclass(frozen=True, slots=True)
class Family:
    """Pairs whose sentences are connected, counted by outcome.

    Pairs of equal sentences do not count, because dev and test drop them.
    """

    key: str
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Size:
    """The number of pairs of each outcome wanted in a split."""

    counts: tuple[int, ...]

    @property
    def pairs(self) -> int:
        return sum(self.counts)


def stratified(size: int, families: Collection[Family]) -> Size:
    """Divide a size among the outcomes in their proportions; the first one takes the rest."""
    totals = [sum(counts) for counts in zip(*(family.counts for family in families), strict=True)]
    total = sum(totals)
    rest, counts = size, list[int]()
    for pairs in totals[1:]:
        counts.append(min(rest, round(size * pairs / total)) if total else 0)
        rest -= counts[-1]
    return Size((rest, *counts))


def connections(
    sentences: Iterable[SentenceRow], pairs: Iterable[ReleasedPair], texts: Mapping[str, str]
) -> Components:
    """Connect texts that must stay in one split; `texts` has the sentences by their ids."""
    components = Components()
    connect(components, sentences, texts)
    for pair in pairs:
        components.link(pair.text1, pair.text2)
    return components


def connect(
    components: Components, sentences: Iterable[SentenceRow], texts: Mapping[str, str]
) -> None:
    groups: dict[str, str] = {}
    for row in sentences:
        components.link(row.text, texts[row.source])
        components.link(row.text, texts[row.rewritten_from or row.source])
        if row.group:
            components.link(row.text, groups.setdefault(row.group, row.text))


def sentences_with_ancestors(
    sentences: Iterable[SentenceRow], ids: Iterable[str]
) -> Iterator[SentenceRow]:
    """Yield, in their order, the sentences with the ids, and all that they were rewritten from."""
    rows = {row.id: row for row in sentences}
    ids_to_yield: set[str] = set()
    for key in ids:
        ancestor: str | None = key
        while ancestor is not None and ancestor not in ids_to_yield:
            ids_to_yield.add(ancestor)
            ancestor = rows[ancestor].rewritten_from
    return (row for row in rows.values() if row.id in ids_to_yield)


def families_of(
    pairs: Iterable[ReleasedPair], connected: Components, labels: Sequence[int | None] = (0, 1)
) -> list[Family]:
    """Return the families of pairs that have these labels, counted in this order."""
    places = {label: place for place, label in enumerate(labels)}
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(labels))
    for pair in pairs:
        counts[connected.find(pair.text1)][places[pair.label]] += pair.text1 != pair.text2
    return [Family(key, tuple(count)) for key, count in counts.items()]


def split_families(
    families: Sequence[Family],
    sizes: Mapping[Split, Size],
    *,
    seed: int,
    train_only: Container[str] = frozenset(),
) -> dict[str, Split]:
    """Return the split of each family by its key; those in `train_only` are not drawn.

    Test and dev are filled with whole families in random order, never beyond their size; the rest
    is train. So each drawable family left there is larger than what dev or test still lacks.
    """
    splits: dict[str, Split] = {family.key: "train" for family in families}
    families_left = in_random_order(
        [family for family in families if family.key not in train_only], seed=seed
    )
    for split, size in sizes.items():
        chosen = choose_families(families_left, size)
        splits.update(dict.fromkeys(chosen, split))
        families_left = [family for family in families_left if family.key not in chosen]
    return splits


def wanted_sizes(
    families: Sequence[Family], *, dev: int | float, test: int | float
) -> dict[Split, Size]:
    """Return the sizes of test and dev: numbers of pairs, or shares if float. Raises ValueError."""
    total = sum(family.size for family in families)
    # Test is drawn first, so that another size of dev leaves it as it is.
    sizes: dict[Split, int] = {"test": number(test, total), "dev": number(dev, total)}
    if isinstance(dev, float) and isinstance(test, float) and dev + test <= 1:
        # Both may have been rounded up.
        sizes["dev"] = min(sizes["dev"], total - sizes["test"])
    if sum(sizes.values()) > total:
        raise ValueError(
            f"Dev and test cannot have {in_words(dev)} and {in_words(test)}: the number of "
            f"labelled pairs is only {total:,}. Choose smaller numbers."
        )
    return {split: stratified(size, families) for split, size in sizes.items()}


def choose_families(families: Iterable[Family], size: Size) -> set[str]:
    """Return families that fit into a size: first those whose labels fit, then by pairs alone."""
    families = [family for family in families if family.size]
    chosen: set[str] = set()
    left = size.counts
    for fit_labels in (True, False):
        for family in families:
            fits = all(map(le, family.counts, left)) if fit_labels else family.size <= sum(left)
            if fits and family.key not in chosen:
                chosen.add(family.key)
                left = tuple(map(sub, left, family.counts))
    return chosen


def in_random_order(families: Iterable[Family], *, seed: int) -> list[Family]:
    """Return families in random order; adding one does not change the order of the others."""
    by_key = {family.key: family for family in families}
    return [by_key[key] for key in shuffled(by_key, seed=seed, purpose="split")]


def in_words(size: int | float) -> str:
    """Return a size for a message: "8,000 pairs" or "10 %"."""
    return f"{100 * size:g} %" if isinstance(size, float) else f"{size:,} pairs"


def number(size: int | float, total: int) -> int:
    return round(size * total) if isinstance(size, float) else size
