"""Assigns pairs to subsets and balances labels (PAWS 3.2 and 4)."""

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor

from common.draws import shuffled
from releases.dataset.rows import ReleasedPair, Subset


def subsets(
    pairs: Sequence[ReleasedPair],
    *,
    texts: Mapping[str, str],
    swap_methods: Sequence[str],
    annotators_per_pair: int,
) -> dict[str, Subset | None]:
    """Return the subset of each pair by its id, before balancing.

    "The set first includes all pairs from back translation"; a swap pair joins them if a kept back
    translation starts or ends at one of its two sentences, because only then the paper's rules
    compose anything from it, and is labeled_swap otherwise. Without any kept back translation, as
    in PAWS-QQP, every kept swap pair is labeled_final. A pair that is not kept is low_agreement
    once it has all of its judgments, and in no subset before. Deciding early changes none of this:
    a pair decided with fewer judgments is kept.
    """
    translated = {
        texts[sentence]
        for pair in pairs
        if pair.origin == "judged" and pair.kept and pair.method not in swap_methods
        for sentence in (pair.sentence1, pair.sentence2)
    }

    def subset(pair: ReleasedPair) -> Subset | None:
        if not pair.kept:
            return "low_agreement" if sum(pair.votes or ()) >= annotators_per_pair else None
        if not translated or pair.method not in swap_methods:
            return "labeled_final"
        has_counterpart = texts[pair.sentence1] in translated or texts[pair.sentence2] in translated
        return "labeled_final" if has_counterpart else "labeled_swap"

    return {pair.id: subset(pair) for pair in pairs}


def surplus(
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
    by_label: tuple[list[str], list[str]] = ([], [])
    for pair in pairs:
        by_label[1 if pair.label else 0].append(pair.id)
    negatives, positives = by_label
    if not negatives or not positives:
        raise ValueError("pairs of one label cannot be brought to a share of paraphrases")
    # From the decimal text: 0.3 is three tenths, not the nearest binary fraction.
    share = Fraction(str(paraphrase_share))
    odds = share / (1 - share)
    most = {0: floor(len(positives) / odds), 1: floor(len(negatives) * odds)}
    dropped: set[str] = set()
    for label, ids in enumerate(by_label):
        order = shuffled(ids, seed=seed, purpose="balance")
        free = [key for key in order if droppable is None or key in droppable]
        dropped.update(free[max(0, len(free) - max(0, len(ids) - most[label])) :])
    return dropped
