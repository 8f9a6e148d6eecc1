"""Plans the unjudged set: "simply treat all pairs from word swapping as non-paraphrases and all
pairs from back translation as paraphrase" (PAWS 4, unlabeled data)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from releases.dataset.connected_texts import Components
from releases.dataset.recombination import Ends, JudgedPair, ends, recombine
from releases.dataset.rows import RECOMBINED, CandidateRow, LeftOut, SentenceRow, SilverPair, Split
from releases.dataset.sentence_order import sides
from releases.dataset.settings import ReleaseSettings
from releases.dataset.split import Family, Size, families, fill, in_random_order, number

# The split of a family of candidates, or why it is left out.
Fate = Split | LeftOut


@dataclass(frozen=True, slots=True)
class Silver:
    """The pairs, ordered by id, the size wanted for dev, and pairs left out by reason.

    Pairs are left out if a source would cross splits, or if two methods label the same two texts
    differently: a back translation may return to the sentence its source was swapped from.
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
    """Label candidates by their methods, recombine them like judged pairs, and split them.

    `sentences` are those of the judged part, including final texts of candidates; `texts` and
    `rewritten_from` cover sentences and candidates. `connections` are those of the judged part and
    are extended; `splits` has the splits of its families. A family of candidates follows the judged
    family that it is connected to: into train or dev, or out of the set for test or for two splits.
    Free families fill dev up to `unlabeled_dev`, the rest is train. Pairs of equal sentences leave
    dev.
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
    """Return candidates that get a label from their method, and pairs composed, ordered by id."""
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
    """Yield pairs that people changed: they help to compose others but are not in the set.

    Further rewrites start from the corrected sentence, so its back translations connect to the
    source through the corrected pair.
    """
    known = {ends(texts[pair.sentence1], texts[pair.sentence2]) for pair in pairs}
    for row in sentences:
        if row.rewritten_from is None or row.method not in settings.noisy_labels:
            continue
        if ends(texts[row.rewritten_from], row.text) not in known:
            yield labelled(row, settings)


def labelled(row: CandidateRow | SentenceRow, settings: ReleaseSettings) -> JudgedPair:
    """Return a rewrite paired with its origin, with the label that its method gives."""
    origin, method = row.rewritten_from or "", row.method or ""
    return JudgedPair(row.id, origin, row.id, method, settings.noisy_labels[method])


def without_contradictions(
    pairs: Sequence[JudgedPair], texts: Mapping[str, str]
) -> list[JudgedPair]:
    """Return the pairs, except those whose texts get both labels."""
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
    """Return the fate of each family, and the size wanted for dev."""
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
    """Return the fate of a family, from the splits of the judged families connected to it."""
    connected = {*judged}
    if "test" in connected:
        return LeftOut.NOISY_OF_TEST
    if len(connected) > 1:
        return LeftOut.NOISY_BETWEEN
    return next(iter(connected), "train")


def stratified(size: int, some: Collection[Family]) -> Size:
    """Return a size with the share of paraphrases of some families."""
    positives = sum(family.positives for family in some)
    return Size.stratified(size, positives, sum(family.size for family in some))


def in_released_order(
    placed: Sequence[tuple[JudgedPair, Split]],
    rewritten_from: Mapping[str, str | None],
    seed: int,
) -> Iterator[SilverPair]:
    """Yield the pairs with their sentences in released order."""
    released = sides((pair for pair, _ in placed), rewritten_from=rewritten_from, seed=seed)
    for (pair, split), both in zip(placed, released, strict=True):
        yield SilverPair(pair.id, *both, pair.method, pair.label or 0, split)
