"""Where labelled pairs stand in a release: subset, balance and split, one after the other."""

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
    """Connected pairs of labeled_final and where they went.

    `text` is one of their sentences. Pairs of two equal sentences do not count. Families in which a
    pair of labeled_swap stands are for train alone.
    """

    text: str
    pairs: int
    paraphrases: int
    split: Split
    train_only: bool


@dataclass(frozen=True, slots=True)
class Placing:
    """What became of the families, and of the wishes.

    `splits` holds the split of each family by the least of its texts. `wanted` says what dev and
    test were to hold, `families` how many hold pairs of labeled_final, `largest` which of them hold
    most, and `drawable` how many pairs those hold that might have come into dev or test.
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

    Gives the place of each pair by its id, and how it came to that.

    Pairs of equal sentences leave dev and test. Annotators sometimes fix a swapped sentence back to
    its source, and such pairs serve for training only (PAWS, footnote 6). Where a share of
    paraphrases is asked for, train then gives up what brings it back.

    Raises ValueError for sizes beyond the number of pairs, or a share of paraphrases that cannot be
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
    """Subset and split of each pair; equal places are one object, since there are so few."""
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
    """Take pairs out of labeled_final until the share of paraphrases is met; returns how many."""
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
    """The families of labeled_final, and the keys of those in which a labeled_swap pair stands."""
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
    """The split of each pair of a subset that is split."""
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
    """Take pairs of equal sentences out of dev and test; whether there were any."""
    for pair in pairs:
        is_trivial = texts[pair.sentence1] == texts[pair.sentence2]
        if is_trivial and split_of.get(pair.id, TRAIN) != TRAIN:
            chosen[pair.id] = None
            left_out[LeftOut.EQUAL] += 1
    return left_out[LeftOut.EQUAL] > 0


def largest(
    final: Iterable[Family], splits: Mapping[str, Split], train_only: Container[str]
) -> tuple[PlacedFamily, ...]:
    """The families with most pairs; of equal size, in an order of their own."""
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
