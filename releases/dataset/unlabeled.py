"""Plans the unjudged set: "simply treat all pairs from word swapping as non-paraphrases and all
pairs from back translation as paraphrase" (PAWS 4, unlabeled data)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from releases.dataset.families import (
    Components,
    Family,
    Size,
    families_of,
    fill,
    in_random_order,
    number,
)
from releases.dataset.placement import sides
from releases.dataset.recombination import Ends, ends, recombine
from releases.dataset.rows import (
    CandidateRow,
    LeftOut,
    ReleasedPair,
    SentenceRow,
    Split,
)
from releases.dataset.settings import ReleaseSettings

# The split of a family of candidates, or why it is left out.
Fate = Split | LeftOut


@dataclass(frozen=True, slots=True)
class Silver:
    """The pairs, ordered by id, the size wanted for dev, and pairs left out by reason.

    Pairs are left out if a source would cross splits, or if two methods label the same two texts
    differently: a back translation may return to the sentence its source was swapped from.
    """

    pairs: tuple[ReleasedPair, ...] = ()
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
    pairs = without_contradictions(made)
    left_out = Counter({LeftOut.NOISY_CONFLICT: len(made) - len(pairs)})
    for pair in pairs:
        connections.link(pair.text1, pair.text2)
    fates, wanted = family_fates(pairs, connections, splits, settings)
    placed: list[ReleasedPair] = []
    for pair in pairs:
        fate = fates[connections.find(pair.text1)]
        if fate == "dev" and pair.text1 == pair.text2:
            fate = LeftOut.NOISY_EQUAL
        if isinstance(fate, LeftOut):
            left_out[fate] += 1
        else:
            placed.append(pair._replace(split=fate))
    released = sides(placed, rewritten_from=rewritten_from, seed=settings.seed)
    return Silver(tuple(released), wanted, +left_out)


def noisy_pairs(
    candidates: Iterable[CandidateRow],
    sentences: Iterable[SentenceRow],
    texts: Mapping[str, str],
    settings: ReleaseSettings,
) -> list[ReleasedPair]:
    """Return candidates that get a label from their method, and pairs composed, ordered by id."""
    labels = settings.noisy_labels
    pairs = [labelled(row, texts, labels) for row in candidates if row.method in labels]
    if settings.recombine:
        made = recombine(
            [*pairs, *corrected(sentences, pairs, texts, labels)],
            swap_methods=settings.swap_methods,
            reach=settings.recombination_reach,
        )
        pairs += (
            pair._replace(origin="silver", via=(), kept=False, subset="unlabeled_final")
            for pair in made.pairs
        )
    return sorted(pairs, key=lambda pair: pair.id)


def corrected(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[ReleasedPair],
    texts: Mapping[str, str],
    labels: Mapping[str, int],
) -> Iterator[ReleasedPair]:
    """Yield pairs that people changed: they help to compose others but are not in the set.

    Further rewrites start from the corrected sentence, so its back translations connect to the
    source through the corrected pair.
    """
    known = {ends(pair) for pair in pairs}
    for row in sentences:
        if row.rewritten_from is not None and row.method in labels:
            pair = labelled(row, texts, labels)
            if ends(pair) not in known:
                yield pair


def labelled(
    row: CandidateRow | SentenceRow, texts: Mapping[str, str], labels: Mapping[str, int]
) -> ReleasedPair:
    """Return a rewrite paired with its origin, with the label that its method gives."""
    origin, method = row.rewritten_from or "", row.method or ""
    return ReleasedPair(
        id=row.id,
        sentence1=origin,
        sentence2=row.id,
        origin="silver",
        method=method,
        label=labels[method],
        subset="unlabeled_final",
        text1=texts[origin],
        text2=row.text,
    )


def without_contradictions(pairs: Sequence[ReleasedPair]) -> Sequence[ReleasedPair]:
    """Return the pairs, except those whose texts get both labels."""
    by_label: tuple[set[Ends], set[Ends]] = (set(), set())
    for pair in pairs:
        by_label[pair.label or 0].add(ends(pair))
    both = by_label[0] & by_label[1]
    return [pair for pair in pairs if ends(pair) not in both] if both else pairs


def family_fates(
    pairs: Sequence[ReleasedPair],
    connections: Components,
    splits: Mapping[str, Split],
    settings: ReleaseSettings,
) -> tuple[dict[str, Fate], Size]:
    """Return the fate of each family, and the size wanted for dev."""
    judged: defaultdict[str, set[Split]] = defaultdict(set)
    for key, split in splits.items():
        judged[connections.find(key)].add(split)
    some = families_of(pairs, connections)
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
