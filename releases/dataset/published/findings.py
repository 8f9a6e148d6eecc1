"""What the tables of a published set tell: sizes, labels, and what is remarkable.

Findings are facts about what others published; nothing is refused or changed for them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from releases.dataset.manifest import table_counts
from releases.dataset.published.files import tables
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.rows import SPLITS
from releases.dataset.shared_words import measure_overlap
from releases.dataset.texts import same

# More different labels than this are not counted one by one.
MOST_LABELS = 100


@dataclass(frozen=True, slots=True)
class Findings:
    """Numbers of pairs by split, and of sentences by two splits such as "train, test".

    `equal` are pairs of exactly equal sentences. `repeated` are pairs whose two texts, in any
    order, an earlier pair has with the same label; `contradicting`, with another label. There texts
    are compared by `same`.
    """

    equal: dict[str, int]
    repeated: dict[str, int]
    contradicting: dict[str, int]
    shared: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def find(pairs: Iterable[PublishedPair]) -> Findings:
    equal, repeated, contradicting = Counter[str](), Counter[str](), Counter[str]()
    first_labels: dict[tuple[str, str], int | None] = {}
    sentences = defaultdict[str, set[str]](set)
    for pair in pairs:
        equal[pair.split] += pair.text1 == pair.text2
        one, other = same(pair.text1), same(pair.text2)
        sentences[pair.split] |= {one, other}
        texts = (one, other) if one < other else (other, one)
        if texts not in first_labels:
            first_labels[texts] = pair.label
        elif first_labels[texts] == pair.label:
            repeated[pair.split] += 1
        else:
            contradicting[pair.split] += 1
    shared = {
        f"{one}, {other}": len(sentences[one] & sentences[other])
        for one, other in combinations(SPLITS, 2)
    }
    counts = (equal, repeated, contradicting, Counter(shared))
    return Findings(*({name: n for name, n in count.items() if n} for count in counts))


def counts_of(pairs: Sequence[PublishedPair], language: str) -> dict[str, Any]:
    """Return what the tables alone tell."""
    overlap = measure_overlap(pairs, language)  # type: ignore[arg-type]
    return counts_without_words(pairs) | ({"overlap": overlap} if overlap else {})


def counts_without_words(pairs: Sequence[PublishedPair]) -> dict[str, Any]:
    """Return what the tables alone tell, but for how words overlap."""
    by_table: Counter[tuple[str, str, int | None]] = Counter(
        (*pair.place, pair.label) for pair in pairs
    )
    return {
        "subsets": table_counts(by_table, tables()),
        "published_labels": _count_labels(pairs),
        "findings": find(pairs).to_dict(),
    }


def _count_labels(pairs: Iterable[PublishedPair]) -> Mapping[str, Mapping[str, int]]:
    """Count the published labels of each split; none if they are too many to list."""
    numbers = Counter((pair.split, pair.published_label) for pair in pairs)
    if len(numbers) > MOST_LABELS:
        return {}
    counts: dict[str, dict[str, int]] = {}
    for (split, label), number in sorted(numbers.items()):
        counts.setdefault(split, {})[label] = number
    return counts
