"""The large set that nobody judged: "simply treat all pairs from word swapping as non-paraphrases
and all pairs from back translation as paraphrase" (PAWS 4, unlabeled data)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.dataset.components import Components
from annotation.dataset.flip import sides
from annotation.dataset.recombination import JudgedPair, ends, recombine
from annotation.dataset.rows import RECOMBINED, CandidateRow, SentenceRow, SilverPair, Split
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.split import families, fill, in_random_order, number


@dataclass(frozen=True, slots=True)
class Silver:
    """The pairs, ordered by id, and how many were left out.

    Left out is what would let a source cross a split, and two texts that two methods label both
    ways: a back translation may come to the very sentence from which its source was swapped.
    """

    pairs: tuple[SilverPair, ...] = ()
    left_out: int = 0


def plan_silver(
    candidates: Sequence[CandidateRow],
    *,
    sentences: Iterable[SentenceRow],
    texts: Mapping[str, str],
    rewritten_from: Mapping[str, str | None],
    connections: Components,
    splits: Mapping[str, Split],
    settings: ReleaseSettings,
) -> Silver:
    """Label candidates by their methods, recombine them as judged pairs are, and split them.

    `sentences` are those of the judged part, the final texts of candidates among them; `texts` and
    `rewritten_from` hold sentences and candidates. `connections` are those of the
    judged part and are added to, `splits` says where its families went. A family of candidates
    follows the judged family that it is connected to: into train or dev, and out of the set for
    test, or where it would connect two splits. Free families fill dev up to `unlabeled_dev`, the
    rest is train. Pairs of equal sentences are left out of dev.
    """
    made = noisy_pairs(candidates, sentences, texts, settings)
    pairs = without_contradictions(made, texts)
    for pair in pairs:
        connections.link(texts[pair.sentence1], texts[pair.sentence2])
    keys = [connections.find(texts[pair.sentence1]) for pair in pairs]
    split_of = silver_splits(pairs, keys, texts, connections, splits, settings)
    placed = [
        (pair, split)
        for pair, key in zip(pairs, keys, strict=True)
        if (split := split_of.get(key))
        and (split == "train" or texts[pair.sentence1] != texts[pair.sentence2])
    ]
    released = in_released_order(placed, rewritten_from, settings.seed)
    return Silver(tuple(released), left_out=len(made) - len(placed))


def noisy_pairs(
    candidates: Iterable[CandidateRow],
    sentences: Iterable[SentenceRow],
    texts: Mapping[str, str],
    settings: ReleaseSettings,
) -> list[JudgedPair]:
    """A pair for each candidate whose method gives a label, and those composed, ordered by id."""
    pairs = [labelled(row, settings) for row in candidates if row.method in settings.noisy_labels]
    if settings.recombine:
        made = recombine(
            [*pairs, *corrected(sentences, pairs, texts, settings)],
            texts=texts,
            swap_methods=settings.swap_methods,
            reach=settings.recombination_reach,
        )
        pairs += (
            JudgedPair(pair.id, pair.sentence1, pair.sentence2, RECOMBINED, pair.label)
            for pair in made.pairs
        )
    return sorted(pairs, key=lambda pair: pair.id)


def corrected(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[JudgedPair],
    texts: Mapping[str, str],
    settings: ReleaseSettings,
) -> Iterator[JudgedPair]:
    """The pairs that people changed: from them others are composed, themselves are not machines'.

    What was rewritten further is the corrected sentence, so its back translations lead over the
    corrected pair to the source.
    """
    known = {ends(texts[pair.sentence1], texts[pair.sentence2]) for pair in pairs}
    for row in sentences:
        if row.rewritten_from is None or row.method not in settings.noisy_labels:
            continue
        if ends(texts[row.rewritten_from], row.text) not in known:
            yield labelled(row, settings)


def labelled(row: CandidateRow | SentenceRow, settings: ReleaseSettings) -> JudgedPair:
    """A rewrite and what it was rewritten from, with the label that its method gives."""
    origin, method = row.rewritten_from or "", row.method or ""
    return JudgedPair(row.id, origin, row.id, method, settings.noisy_labels[method])


def without_contradictions(
    pairs: Sequence[JudgedPair], texts: Mapping[str, str]
) -> list[JudgedPair]:
    """The pairs, but for texts that stand in pairs of both labels."""
    labels: defaultdict[tuple[str, str], set[int | None]] = defaultdict(set)
    for pair in pairs:
        labels[ends(texts[pair.sentence1], texts[pair.sentence2])].add(pair.label)
    return [
        pair
        for pair in pairs
        if len(labels[ends(texts[pair.sentence1], texts[pair.sentence2])]) == 1
    ]


def silver_splits(
    pairs: Sequence[JudgedPair],
    keys: Sequence[str],
    texts: Mapping[str, str],
    connections: Components,
    splits: Mapping[str, Split],
    settings: ReleaseSettings,
) -> dict[str, Split]:
    """Train or dev for each family that may be released."""
    taken: defaultdict[str, set[Split]] = defaultdict(set)
    for key, split in splits.items():
        taken[connections.find(key)].add(split)
    all_families = families(
        (key, texts[pair.sentence1], texts[pair.sentence2], pair.label or 0)
        for key, pair in zip(keys, pairs, strict=True)
    )
    placed: dict[str, Split] = {}
    for family in all_families:
        if not taken[family.key] & {"test"} and len(taken[family.key]) < 2:
            placed[family.key] = next(iter(taken[family.key]), "train")
    free = [f for f in all_families if f.key in placed and not taken[f.key]]
    already = sum(f.size for f in all_families if placed.get(f.key) == "dev")
    size = max(0, number(settings.unlabeled_dev, sum(f.size for f in all_families)) - already)
    positives = round(size * sum(f.positives for f in free) / (sum(f.size for f in free) or 1))
    drawn = fill(in_random_order(free, seed=settings.seed), size, positives=positives)
    return placed | dict.fromkeys(drawn, "dev")


def in_released_order(
    placed: Sequence[tuple[JudgedPair, Split]],
    rewritten_from: Mapping[str, str | None],
    seed: int,
) -> Iterator[SilverPair]:
    """The pairs with their sentences on the sides that chance gave them."""
    released = sides((pair for pair, _ in placed), rewritten_from=rewritten_from, seed=seed)
    for (pair, split), both in zip(placed, released, strict=True):
        yield SilverPair(pair.id, *both, pair.method, pair.label or 0, split)
