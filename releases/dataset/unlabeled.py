"""The large set that nobody judged: "simply treat all pairs from word swapping as non-paraphrases
and all pairs from back translation as paraphrase" (PAWS 4, unlabeled data)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from releases.dataset.connected_texts import Components
from releases.dataset.recombination import Ends, JudgedPair, ends, recombine
from releases.dataset.rows import RECOMBINED, CandidateRow, LeftOut, SentenceRow, SilverPair, Split
from releases.dataset.sentence_order import sides
from releases.dataset.settings import ReleaseSettings
from releases.dataset.split import Family, Size, families, fill, in_random_order, number

# What a family of candidates comes to: a split, or why it is left out.
Fate = Split | LeftOut


@dataclass(frozen=True, slots=True)
class Silver:
    """The pairs, ordered by id, what dev was to hold, and how many were left out for which reason.

    Left out is what would let a source cross a split, and two texts that two methods label both
    ways: a back translation may come to the very sentence from which its source was swapped.
    """

    pairs: tuple[SilverPair, ...] = ()
    wanted: Size = Size(0, 0)
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)


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
    left_out = Counter({LeftOut.NOISY_CONFLICT: len(made) - len(pairs)})
    for pair in pairs:
        connections.link(texts[pair.sentence1], texts[pair.sentence2])
    fates, wanted = family_fates(pairs, texts, connections, splits, settings)
    placed: list[tuple[JudgedPair, Split]] = []
    for pair in pairs:
        text1, text2 = texts[pair.sentence1], texts[pair.sentence2]
        fate = fates[connections.find(text1)]
        if fate == "dev" and text1 == text2:
            fate = LeftOut.NOISY_EQUAL
        if isinstance(fate, LeftOut):
            left_out[fate] += 1
        else:
            placed.append((pair, fate))
    released = in_released_order(placed, rewritten_from, settings.seed)
    return Silver(tuple(released), wanted, +left_out)


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
    said: tuple[set[Ends], set[Ends]] = (set(), set())
    for pair in pairs:
        said[pair.label or 0].add(ends(texts[pair.sentence1], texts[pair.sentence2]))
    both = said[0] & said[1]
    if not both:
        return list(pairs)
    return [p for p in pairs if ends(texts[p.sentence1], texts[p.sentence2]) not in both]


def family_fates(
    pairs: Sequence[JudgedPair],
    texts: Mapping[str, str],
    connections: Components,
    splits: Mapping[str, Split],
    settings: ReleaseSettings,
) -> tuple[dict[str, Fate], Size]:
    """What each family comes to, and how many pairs dev is to hold."""
    judged: defaultdict[str, set[Split]] = defaultdict(set)
    for key, split in splits.items():
        judged[connections.find(key)].add(split)
    some = families(
        (connections.find(texts[p.sentence1]), texts[p.sentence1], texts[p.sentence2], p.label or 0)
        for p in pairs
    )
    fates = {family.key: fate_of(judged.get(family.key, ())) for family in some}
    free = [family for family in some if family.key not in judged]
    size = number(settings.unlabeled_dev, sum(family.size for family in some))
    lacking = max(0, size - sum(family.size for family in some if fates[family.key] == "dev"))
    drawn = fill(in_random_order(free, seed=settings.seed), stratified(lacking, free))
    return fates | dict.fromkeys(drawn, "dev"), stratified(size, some)


def fate_of(judged: Iterable[Split]) -> Fate:
    """What a family comes to, from the splits of the judged families that it is connected to."""
    connected = {*judged}
    if "test" in connected:
        return LeftOut.NOISY_OF_TEST
    if len(connected) > 1:
        return LeftOut.NOISY_BETWEEN
    return next(iter(connected), "train")


def stratified(size: int, some: Collection[Family]) -> Size:
    """So many pairs, with paraphrases among them as often as in some families."""
    positives = sum(family.positives for family in some)
    return Size.stratified(size, positives, sum(family.size for family in some))


def in_released_order(
    placed: Sequence[tuple[JudgedPair, Split]],
    rewritten_from: Mapping[str, str | None],
    seed: int,
) -> Iterator[SilverPair]:
    """The pairs with their sentences on the sides that chance gave them."""
    released = sides((pair for pair, _ in placed), rewritten_from=rewritten_from, seed=seed)
    for (pair, split), both in zip(placed, released, strict=True):
        yield SilverPair(pair.id, *both, pair.method, pair.label or 0, split)
