"""The pairs that a release shows on its page: a draw that its draft shows as well."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from common.draws import shuffled
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.rows import ReleasedPair, Split, Subset

SIZE = 10
# Of each split of a published set.
FIRST = 3
# Of each label, where the split has as many.
LEAST_OF_LABEL = 2
# Only the first pairs of a split are drawn from, so that the page of a large release is fast.
MOST_DRAWN_FROM = 20_000
BEST_FIRST: tuple[Split, ...] = ("test", "dev", "train")
PURPOSE = "sample"


@dataclass(frozen=True, slots=True)
class SampledPair:
    """A pair with what its row on the page shows."""

    split: Split
    text1: str
    text2: str
    label: int | None
    votes: tuple[int, ...] | None
    grade: int | None
    method: str
    published_label: str = ""


def draw(label_by_id: Mapping[str, int | None], number: int, *, seed: int) -> list[str]:
    """Return ids in random order."""
    ids = shuffled(label_by_id, seed=seed, purpose=PURPOSE)
    first = [
        key
        for label in set(label_by_id.values())
        for key in islice((key for key in ids if label_by_id[key] == label), LEAST_OF_LABEL)
    ]
    drawn = set(list(dict.fromkeys([*first, *ids]))[:number])
    return [key for key in ids if key in drawn]


def draw_pairs(
    pairs: Iterable[ReleasedPair | PublishedPair], subset: Subset, *, seed: int
) -> tuple[SampledPair, ...]:
    """Draw pairs of the best split of a subset that has any, from pairs in the order of files."""
    in_subset = [pair for pair in pairs if pair.subset == subset]
    for split in BEST_FIRST:
        in_split = (pair for pair in in_subset if pair.split == split)
        pair_by_id = {pair.id: pair for pair in islice(in_split, MOST_DRAWN_FROM)}
        if pair_by_id:
            label_by_id = {key: pair.label for key, pair in pair_by_id.items()}
            ids = draw(label_by_id, SIZE, seed=seed)
            return tuple(_sampled(pair_by_id[key], split) for key in ids)
    return ()


def first_pairs(pairs: Iterable[PublishedPair]) -> Iterator[SampledPair]:
    """Yield the first pairs of each split, from pairs in the order of files."""
    numbers = Counter[Split]()
    for pair in pairs:
        numbers[pair.split] += 1
        if numbers[pair.split] <= FIRST:
            yield _sampled(pair, pair.split)


def _votes(pair: ReleasedPair | PublishedPair) -> tuple[int, ...] | None:
    """Return the votes of two sides, or the answers by label."""
    if isinstance(pair, PublishedPair) or pair.grade is not None:
        return pair.votes
    return pair.label_votes


def _sampled(pair: ReleasedPair | PublishedPair, split: Split) -> SampledPair:
    return SampledPair(
        split=split,
        text1=pair.text1,
        text2=pair.text2,
        label=pair.label,
        votes=_votes(pair),
        grade=pair.grade,
        method=pair.method or "",
        published_label=pair.published_label if isinstance(pair, PublishedPair) else "",
    )
