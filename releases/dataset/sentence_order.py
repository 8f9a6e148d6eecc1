"""Orders the sentences of a pair: "randomly flipped to mask their provenance" (PAWS 4)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from common.draws import shuffled

Parents = Mapping[str, str | None]


class TwoSided(Protocol):
    """Anything with an id and two sentences."""

    @property
    def id(self) -> str: ...
    @property
    def sentence1(self) -> str: ...
    @property
    def sentence2(self) -> str: ...


def sides(
    pairs: Iterable[TwoSided], *, rewritten_from: Parents, seed: int
) -> Iterator[tuple[str, str]]:
    """Yield both sentences of each pair in released order.

    `rewritten_from` maps the id of each sentence to that of its origin. Of the pairs in which one
    sentence derives from the other, a random half (rounded down) has the original first. Of the
    other pairs, a random half has the smaller id first, so that their order reveals nothing either.
    The order in which sentences are given has no effect.
    """
    ids: list[str] = []
    ordered: list[tuple[str, str]] = []
    related: list[str] = []
    others: list[str] = []
    for pair in pairs:
        both = original_first(pair, rewritten_from)
        ids.append(pair.id)
        ordered.append(both)
        (related if descends(both[1], both[0], rewritten_from) else others).append(pair.id)
    kept = first_half(related, seed=seed) | first_half(others, seed=seed)
    for key, (original, rewrite) in zip(ids, ordered, strict=True):
        yield (original, rewrite) if key in kept else (rewrite, original)


def original_first(pair: TwoSided, rewritten_from: Parents) -> tuple[str, str]:
    """Return the original first; if neither sentence is one, the smaller id first."""
    lesser, greater = sorted((pair.sentence1, pair.sentence2))
    return (greater, lesser) if descends(lesser, greater, rewritten_from) else (lesser, greater)


def descends(sentence: str, original: str, rewritten_from: Parents) -> bool:
    """Return whether a sentence derives from another by one or more rewrites."""
    parent = rewritten_from.get(sentence)
    while parent is not None:
        if parent == original:
            return True
        parent = rewritten_from.get(parent)
    return False


def first_half(keys: Iterable[str], *, seed: int) -> set[str]:
    """Return a random half. Adding a key moves at most one other key in or out."""
    order = shuffled(keys, seed=seed, purpose="sides")
    return set(order[: len(order) // 2])
