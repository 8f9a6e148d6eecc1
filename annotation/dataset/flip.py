"""Which sentence of a pair stands first: "randomly flipped to mask their provenance" (PAWS 4)."""

from collections.abc import Iterable, Mapping

from annotation.dataset.draws import shuffled

Sides = tuple[str, str]


def sides(
    pairs: Mapping[str, Sides], *, rewritten_from: Mapping[str, str | None], seed: int
) -> dict[str, Sides]:
    """Both sentences of each pair, by its id, in released order.

    `rewritten_from` tells, by id, what each sentence is a rewrite of. Of the pairs in which one
    sentence comes from the other, a random half (the lesser, if odd) has the original first.
    Likewise of the other pairs with the sentence of the lesser id, so that their order tells
    nothing either. The order in which sentences are given has no effect.
    """
    ordered = {key: original_first(pair, rewritten_from) for key, pair in pairs.items()}
    related = {key for key, (one, other) in ordered.items() if descends(other, one, rewritten_from)}
    kept = first_half(related, seed=seed) | first_half(ordered.keys() - related, seed=seed)
    return {key: pair if key in kept else pair[::-1] for key, pair in ordered.items()}


def original_first(pair: Sides, rewritten_from: Mapping[str, str | None]) -> Sides:
    """The pair with the original first; where neither is one, with the lesser id first."""
    lesser, greater = sorted(pair)
    return (greater, lesser) if descends(lesser, greater, rewritten_from) else (lesser, greater)


def descends(sentence: str, original: str, rewritten_from: Mapping[str, str | None]) -> bool:
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
