"""Places labelled pairs in a release: subset, then balance, then split."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from releases.dataset.connected_texts import Components
from releases.dataset.rows import LeftOut, ReleasedPair, Split, Subset
from releases.dataset.selection import subsets, surplus
from releases.dataset.settings import ReleaseSettings
from releases.dataset.split import Family, Size, families, split_families, wanted_sizes

LARGEST = 10
TRAIN: Split = "train"
SPLIT: frozenset[Subset | None] = frozenset({"labeled_final", "labeled_swap"})

Place = tuple[Subset | None, Split | None]
Texts = Mapping[str, str]
Choice = dict[str, Subset | None]


@dataclass(frozen=True, slots=True)
class PlacedFamily:
    """A family of connected pairs of labeled_final, and its split.

    `text` is one of their sentences. Pairs of two equal sentences do not count. Families that
    contain a labeled_swap pair are for train only.
    """

    text: str
    pairs: int
    paraphrases: int
    split: Split
    train_only: bool


@dataclass(frozen=True, slots=True)
class Placing:
    """How the families were placed, and the wanted sizes.

    `splits` holds the split of each family by its smallest text. `wanted` are the sizes of dev and
    test, `families` is the number of families of labeled_final, `largest` are those with most
    pairs, and `drawable` counts the pairs of families that could have gone to dev or test.
    """

    splits: Mapping[str, Split]
    wanted: Mapping[Split, Size]
    families: int
    largest: tuple[PlacedFamily, ...]
    drawable: int
    left_out: Mapping[LeftOut, int]


def place(
    pairs: Sequence[ReleasedPair], *, texts: Texts, connected: Components, settings: ReleaseSettings
) -> tuple[dict[str, Place], Placing]:
    """Choose the subset of each pair, balance labels, split families, and drop trivial pairs.

    Returns the place of each pair by its id, and how the families were placed.

    Pairs of equal sentences leave dev and test. Annotators sometimes fix a swapped sentence back to
    its source, and such pairs are used for training only (PAWS, footnote 6). If a share of
    paraphrases is set, train then drops pairs to restore it.

    Raises ValueError if sizes exceed the number of pairs, or the share of paraphrases cannot be
    reached.
    """
    chosen = subsets(
        pairs,
        texts=texts,
        swap_methods=settings.swap_methods,
        annotators_per_pair=settings.annotators_per_pair,
    )
    left_out = Counter({LeftOut.WAITING: sum(subset is None for subset in chosen.values())})
    left_out[LeftOut.SURPLUS] = drop_surplus(pairs, chosen, settings)
    final, swaps = families_of(pairs, chosen, texts, connected)
    wanted = wanted_sizes(final, dev=settings.dev, test=settings.test)
    splits = dict.fromkeys(swaps, TRAIN)
    splits |= split_families(final, wanted, seed=settings.seed, train_only=swaps)
    split_of = pair_splits(pairs, chosen, splits, texts, connected)
    if drop_trivial(pairs, chosen, split_of, texts, left_out):
        train = {key for key, split in split_of.items() if split == TRAIN}
        left_out[LeftOut.SURPLUS] += drop_surplus(pairs, chosen, settings, droppable=train)
    return joined(chosen, split_of), Placing(
        splits=splits,
        wanted=wanted,
        families=len(final),
        largest=largest(final, splits, swaps),
        drawable=sum(family.size for family in final if family.key not in swaps),
        left_out=+left_out,
    )


def joined(chosen: Choice, split_of: Mapping[str, Split]) -> dict[str, Place]:
    """Return the subset and split of each pair; equal places share one object."""
    places: dict[Place, Place] = {}
    joined: dict[str, Place] = {}
    for key, subset in chosen.items():
        place = (subset, split_of.get(key) if subset else None)
        joined[key] = places.setdefault(place, place)
    return joined


def drop_surplus(
    pairs: Iterable[ReleasedPair],
    chosen: Choice,
    settings: ReleaseSettings,
    *,
    droppable: Container[str] | None = None,
) -> int:
    """Remove pairs from labeled_final to reach the share of paraphrases; return how many."""
    if settings.paraphrase_share is None:
        return 0
    dropped = surplus(
        (pair for pair in pairs if chosen[pair.id] == "labeled_final"),
        paraphrase_share=settings.paraphrase_share,
        seed=settings.seed,
        droppable=droppable,
    )
    chosen |= dict.fromkeys(dropped)
    return len(dropped)


def families_of(
    pairs: Iterable[ReleasedPair], chosen: Choice, texts: Texts, connected: Components
) -> tuple[list[Family], set[str]]:
    """Return the families of labeled_final, and the keys of families with a labeled_swap pair."""
    final: list[tuple[str, str, str, int]] = []
    swaps: set[str] = set()
    for pair in pairs:
        text1, text2 = texts[pair.sentence1], texts[pair.sentence2]
        if chosen[pair.id] == "labeled_final":
            final.append((connected.find(text1), text1, text2, pair.label or 0))
        elif chosen[pair.id] == "labeled_swap":
            swaps.add(connected.find(text1))
    return families(final), swaps


def pair_splits(
    pairs: Iterable[ReleasedPair],
    chosen: Choice,
    splits: Mapping[str, Split],
    texts: Texts,
    connected: Components,
) -> dict[str, Split]:
    """Return the split of each pair whose subset is split."""
    return {
        pair.id: splits[connected.find(texts[pair.sentence1])]
        for pair in pairs
        if chosen[pair.id] in SPLIT
    }


def drop_trivial(
    pairs: Iterable[ReleasedPair],
    chosen: Choice,
    split_of: Mapping[str, Split],
    texts: Texts,
    left_out: Counter[LeftOut],
) -> bool:
    """Remove pairs of equal sentences from dev and test; return whether there were any."""
    for pair in pairs:
        is_trivial = texts[pair.sentence1] == texts[pair.sentence2]
        if is_trivial and split_of.get(pair.id, TRAIN) != TRAIN:
            chosen[pair.id] = None
            left_out[LeftOut.EQUAL] += 1
    return left_out[LeftOut.EQUAL] > 0


def largest(
    final: Iterable[Family], splits: Mapping[str, Split], train_only: Container[str]
) -> tuple[PlacedFamily, ...]:
    """Return the families with most pairs; families of equal size are ordered by key."""
    return tuple(
        PlacedFamily(
            text=family.key,
            pairs=family.size,
            paraphrases=family.positives,
            split=splits[family.key],
            train_only=family.key in train_only,
        )
        for family in nlargest(LARGEST, final, key=lambda family: (family.size, family.key))
    )
