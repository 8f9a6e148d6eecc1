"""Which sentence of a pair stands first: "randomly flipped to mask their provenance" (PAWS 4)."""

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
    """Both sentences of each pair, one pair after the other, in released order.

    `rewritten_from` tells, by id, what each sentence is a rewrite of. Of the pairs in which one
    sentence comes from the other, a random half (the lesser, if odd) has the original first.
    Likewise of the other pairs with the sentence of the lesser id, so that their order tells
    nothing either. The order in which sentences are given has no effect.
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
    """The sentences with the original first; where neither is one, with the lesser id first."""
    lesser, greater = sorted((pair.sentence1, pair.sentence2))
    return (greater, lesser) if descends(lesser, greater, rewritten_from) else (lesser, greater)


def descends(sentence: str, original: str, rewritten_from: Parents) -> bool:
    """Whether a sentence was made from another by one rewrite or several."""
    parent = rewritten_from.get(sentence)
    while parent is not None:
        if parent == original:
            return True
        parent = rewritten_from.get(parent)
    return False


def first_half(keys: Iterable[str], *, seed: int) -> set[str]:
    """A random half. Adding a key moves at most one other in or out."""
    order = shuffled(keys, seed=seed, purpose="sides")
    return set(order[: len(order) // 2])
