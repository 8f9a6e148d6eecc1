"""Places labelled pairs in a release: subset, then balance, split and sides (PAWS 3.2 and 4)."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from common.draws import BITS_OF_DRAW, draw, shuffled
from releases.dataset.families import (
    Components,
    Family,
    Size,
    families_of,
    split_families,
    wanted_sizes,
)
from releases.dataset.rows import LeftOut, ReleasedPair, Split, Subset
from releases.dataset.settings import ReleaseSettings

TRAIN: Split = "train"
IN_FAMILIES: frozenset[Subset | None] = frozenset({"labeled_final", "labeled_swap"})

Choice = dict[str, Subset | None]


@dataclass(frozen=True, slots=True)
class Placing:
    """How families were placed.

    `splits` holds the split of each family by its key, those of low agreement alone if they are
    dealt, `wanted` the sizes of dev and test, and `families` those of labeled_final. Families in
    `train_only` have a pair in labeled_swap.
    """

    splits: Mapping[str, Split]
    wanted: Mapping[Split, Size]
    families: list[Family]
    train_only: set[str]
    left_out: Counter[LeftOut]


def place_in_subsets(
    pairs: Sequence[ReleasedPair],
    *,
    connected: Components,
    settings: ReleaseSettings,
    deals_low_agreement: bool,
) -> tuple[list[ReleasedPair], Placing]:
    """Choose the subset of each pair, balance labels, split families, and drop trivial pairs.

    Pairs of equal sentences leave dev and test. Annotators sometimes fix a swapped sentence back to
    its source, and such pairs are used for training only (PAWS, footnote 6). If a share of
    paraphrases is set, train then drops pairs to restore it. Pairs of low agreement get the split
    of their family.

    Raises ValueError if sizes exceed the number of pairs, or the share of paraphrases cannot be
    reached.
    """
    subset_of = subset_of_pairs(
        pairs, swap_methods=settings.swap_methods, judgments_per_pair=settings.judgments_per_pair
    )
    left_out = Counter({LeftOut.WAITING: sum(subset is None for subset in subset_of.values())})
    left_out[LeftOut.SURPLUS] = drop_surplus(pairs, subset_of, settings)
    final = families_of(
        (pair for pair in pairs if subset_of[pair.id] == "labeled_final"),
        connected,
        settings.scheme.pair_labels,
    )
    swaps = {connected.find(pair.text1) for pair in pairs if subset_of[pair.id] == "labeled_swap"}
    sizes = wanted_sizes(final, dev=settings.dev, test=settings.test)
    splits = dict.fromkeys(swaps, TRAIN)
    splits |= split_families(final, sizes, seed=settings.seed, train_only=swaps)
    in_families = (pair for pair in pairs if subset_of[pair.id] in IN_FAMILIES)
    split_of = {pair.id: splits[connected.find(pair.text1)] for pair in in_families}
    left_out.update(drop_trivial(pairs, subset_of, split_of, settings))
    if deals_low_agreement:
        low = (pair for pair in pairs if subset_of[pair.id] == "low_agreement")
        family_of_low = {pair.id: connected.find(pair.text1) for pair in low}
        final_splits = (
            split for key, split in split_of.items() if subset_of[key] == "labeled_final"
        )
        splits = deal_families(family_of_low.values(), final_splits, seed=settings.seed) | splits
        split_of |= {key: splits[family] for key, family in family_of_low.items()}
    placing = Placing(splits, wanted=sizes, families=final, train_only=swaps, left_out=left_out)
    return list(place_pairs(pairs, subset_of, split_of)), placing


def drop_trivial(
    pairs: Sequence[ReleasedPair],
    subset_of: Choice,
    split_of: Mapping[str, Split],
    settings: ReleaseSettings,
) -> Counter[LeftOut]:
    """Take pairs of equal sentences out of dev and test; return the numbers that are left out."""
    equal = (pair.id for pair in pairs if pair.text1 == pair.text2)
    trivial = [key for key in equal if split_of.get(key, TRAIN) != TRAIN]
    if not trivial:
        return Counter()
    subset_of |= dict.fromkeys(trivial)
    train = {key for key, split in split_of.items() if split == TRAIN}
    surplus = drop_surplus(pairs, subset_of, settings, droppable=train)
    return Counter({LeftOut.EQUAL: len(trivial), LeftOut.SURPLUS: surplus})


def deal_families(
    keys: Iterable[str], final_splits: Iterable[Split], *, seed: int
) -> dict[str, Split]:
    """Deal families to splits by hash, in the proportions of the splits of labeled_final."""
    pairs_of_split = Counter(final_splits)
    total = pairs_of_split.total()

    def split_of_family(key: str) -> Split:
        place = draw(seed, "low agreement", key) * total >> BITS_OF_DRAW
        if place < pairs_of_split["test"]:
            return "test"
        return "dev" if place < pairs_of_split["test"] + pairs_of_split["dev"] else TRAIN

    return {key: split_of_family(key) for key in keys}


def place_pairs(
    pairs: Iterable[ReleasedPair], chosen: Choice, split_of: Mapping[str, Split]
) -> Iterator[ReleasedPair]:
    for pair in pairs:
        subset = chosen[pair.id]
        yield pair._replace(subset=subset, split=split_of.get(pair.id) if subset else None)


def subset_of_pairs(
    pairs: Sequence[ReleasedPair], *, swap_methods: Sequence[str], judgments_per_pair: int
) -> dict[str, Subset | None]:
    """Return the subset of each pair by its id, before balancing.

    "The set first includes all pairs from back translation"; a swap pair joins them if a kept back
    translation starts or ends at one of its two sentences, because only then the paper's rules
    compose anything from it, and is labeled_swap otherwise. Without any kept back translation, as
    in PAWS-QQP, every kept swap pair is labeled_final. A pair that is not kept is low_agreement
    once it has all of its judgments, and in no subset before. Deciding early changes none of this:
    a pair decided with fewer judgments is kept.
    """
    back_translated_texts = {
        text
        for pair in pairs
        if pair.origin == "judged" and pair.kept and pair.method not in swap_methods
        for text in (pair.text1, pair.text2)
    }

    def subset(pair: ReleasedPair) -> Subset | None:
        if not pair.kept:
            return "low_agreement" if sum(pair.votes or ()) >= judgments_per_pair else None
        if not back_translated_texts or pair.method not in swap_methods:
            return "labeled_final"
        has_counterpart = pair.text1 in back_translated_texts or pair.text2 in back_translated_texts
        return "labeled_final" if has_counterpart else "labeled_swap"

    return {pair.id: subset(pair) for pair in pairs}


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
    dropped = surplus_ids(
        (pair for pair in pairs if chosen[pair.id] == "labeled_final"),
        paraphrase_share=settings.paraphrase_share,
        seed=settings.seed,
        droppable=droppable,
    )
    chosen |= dict.fromkeys(dropped)
    return len(dropped)


def surplus_ids(
    pairs: Iterable[ReleasedPair],
    *,
    paraphrase_share: float,
    seed: int,
    droppable: Container[str] | None = None,
) -> set[str]:
    """Return the ids of random pairs to drop to reach the given share of paraphrases.

    All pairs of one label are kept, and as many of the other as possible without exceeding the
    share. If `droppable` is given, only those pairs are dropped.

    Raises ValueError if there are only paraphrases, or only non-paraphrases.
    """
    ids_by_label: tuple[list[str], list[str]] = ([], [])
    for pair in pairs:
        ids_by_label[1 if pair.label else 0].append(pair.id)
    negatives, positives = ids_by_label
    if not negatives or not positives:
        raise ValueError("pairs of one label cannot be brought to a share of paraphrases")
    # From the decimal text: 0.3 is three tenths, not the nearest binary fraction.
    share = Fraction(str(paraphrase_share))
    odds = share / (1 - share)
    most_of_label = {0: floor(len(positives) / odds), 1: floor(len(negatives) * odds)}
    dropped: set[str] = set()
    for label, ids in enumerate(ids_by_label):
        order = shuffled(ids, seed=seed, purpose="balance")
        droppable_ids = [key for key in order if droppable is None or key in droppable]
        dropped.update(
            droppable_ids[max(0, len(droppable_ids) - max(0, len(ids) - most_of_label[label])) :]
        )
    return dropped


def order_sides(
    pairs: Sequence[ReleasedPair],
    *,
    rewritten_from: Mapping[str, str | None],
    seed: int,
    directed: bool,
) -> Iterator[ReleasedPair]:
    """Yield the pairs in released order: "randomly flipped to mask their provenance" (PAWS 4).

    Pairs of a `directed` study stay as they were judged.

    `rewritten_from` maps the id of each sentence to that of its origin. Of the pairs in which one
    sentence derives from the other, a random half (rounded down) has the original first. Of the
    other pairs, a random half has the smaller id first, so that their order reveals nothing either.
    The order in which sentences are given has no effect.
    """
    if directed:
        yield from pairs
        return
    related: list[str] = []
    unrelated: list[str] = []
    original_is_first: list[bool] = []
    for pair in pairs:
        first, second = pair.sentence1, pair.sentence2
        is_original = is_rewritten_from(second, first, rewritten_from)
        is_rewrite = is_rewritten_from(first, second, rewritten_from)
        (related if is_original or is_rewrite else unrelated).append(pair.id)
        original_is_first.append(is_original or (not is_rewrite and first <= second))
    original_first_ids = first_half(related, seed=seed) | first_half(unrelated, seed=seed)
    for pair, is_original_first in zip(pairs, original_is_first, strict=True):
        yield pair if is_original_first == (pair.id in original_first_ids) else flipped(pair)


def flipped(pair: ReleasedPair) -> ReleasedPair:
    return pair._replace(
        sentence1=pair.sentence2, sentence2=pair.sentence1, text1=pair.text2, text2=pair.text1
    )


def is_rewritten_from(
    sentence: str, original: str, rewritten_from: Mapping[str, str | None]
) -> bool:
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
