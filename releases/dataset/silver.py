"""Plans unlabeled_final: generated pairs, with the label that their method or an estimate suggests.

Of the unjudged pairs, "simply treat all pairs from word swapping as non-paraphrases and all pairs
from back translation as paraphrase" (PAWS 4, unlabeled data). Word swaps whose probability of being
a paraphrase was estimated take the likelier label instead.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from uuid import UUID, uuid5

from generation.nlp.balancing import PARAPHRASE
from generation.nlp.text import pair_key
from releases.dataset.families import (
    Components,
    Size,
    choose_families,
    families_of,
    in_random_order,
    number,
    stratified,
)
from releases.dataset.recombination import NAMESPACE, Recombination, ends, recombine
from releases.dataset.rows import CandidateRow, LeftOut, ReleasedPair, SentenceRow, Split
from releases.dataset.settings import ReleaseSettings

# The split of a family of candidates, or why it is left out.
Fate = Split | LeftOut


def texts_of(pair: ReleasedPair) -> UUID:
    return pair_key(pair.text1, pair.text2)


def compose_pairs(pairs: Sequence[ReleasedPair], settings: ReleaseSettings) -> Recombination:
    if not settings.recombine:
        return Recombination((), conflicts=0, unknown=0)
    return recombine(pairs, swap_methods=settings.swap_methods, reach=settings.recombination_reach)


def noisy_pairs(
    candidates: Iterable[CandidateRow],
    sentences: Iterable[SentenceRow],
    texts: Mapping[str, str],
    settings: ReleaseSettings,
    *,
    taken: Container[str],
) -> list[ReleasedPair]:
    """Return candidates with a noisy label, not judged, and pairs composed, ordered by id.

    The same two sentences may be composed from judged pairs too, whose ids are `taken`.
    """
    labels = settings.noisy_labels
    pairs = [noisy_pair(row, texts, labels) for row in candidates if row.method in labels]
    recombined = compose_pairs(
        [*pairs, *corrected_pairs(sentences, pairs, texts, labels)], settings
    )
    pairs += (
        pair._replace(
            id=str(uuid5(NAMESPACE, f"unlabeled {pair.id}")) if pair.id in taken else pair.id,
            origin="silver",
            via=(),
            kept=False,
            subset="unlabeled_final",
        )
        for pair in recombined.pairs
    )
    return sorted(pairs, key=lambda pair: pair.id)


def corrected_pairs(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[ReleasedPair],
    texts: Mapping[str, str],
    labels: Mapping[str, int],
) -> Iterator[ReleasedPair]:
    """Yield pairs that people changed: they help to compose others but are not in the set.

    Further rewrites start from the corrected sentence, so its back translations connect to the
    source through the corrected pair.
    """
    sides = {ends(pair) for pair in pairs}
    for row in sentences:
        if row.composes and row.rewritten_from is not None and row.method in labels:
            pair = noisy_pair(row, texts, labels)
            if ends(pair) not in sides:
                yield pair


def noisy_pair(
    row: CandidateRow | SentenceRow, texts: Mapping[str, str], labels: Mapping[str, int]
) -> ReleasedPair:
    """Return a rewrite paired with its origin, and the label that is likelier by its estimate.

    Without an estimate, it has the label that its method or kind gives.
    """
    origin, method = row.rewritten_from or "", row.method or ""
    label = labels.get(f"{method}/{row.kind}", labels[method])
    if row.paraphrase is not None:
        label = int(row.paraphrase >= PARAPHRASE)
    return ReleasedPair(
        id=row.id,
        sentence1=origin,
        sentence2=row.id,
        origin="silver",
        method=method,
        label=label,
        subset="unlabeled_final",
        own_id=row.own_id if isinstance(row, CandidateRow) else None,
        text1=texts[origin],
        text2=row.text,
    )


def place_silver(
    noisy: Sequence[ReleasedPair],
    connected: Components,
    splits: Mapping[str, Split],
    settings: ReleaseSettings,
) -> tuple[list[ReleasedPair], Size, Counter[LeftOut]]:
    """Return the pairs with their splits, the size wanted for dev, and what was left out.

    `connected` are the texts of the judged part, and are extended; `splits` has the splits of its
    families. A family of candidates follows the judged family that it is connected to: into train
    or dev, or out of the set for test or for two splits. Free families fill dev up to
    `unlabeled_dev`, the rest is train. Pairs of equal sentences leave dev. Texts that two methods
    label differently are left out: a back translation may return to the sentence that its source
    was swapped from. Texts that several runs made are in the set once.
    """
    consistent = drop_contradictions(noisy)
    left_out = Counter({LeftOut.NOISY_CONFLICT: len(noisy) - len(consistent)})
    pair_of_texts: dict[UUID, ReleasedPair] = {}
    for pair in consistent:
        pair_of_texts.setdefault(texts_of(pair), pair)
    pairs = [*pair_of_texts.values()]
    left_out[LeftOut.NOISY_REPEATED] = len(consistent) - len(pairs)
    for pair in pairs:
        connected.link(pair.text1, pair.text2)
    fates, sizes = family_fates(pairs, connected, splits, settings)
    placed_pairs: list[ReleasedPair] = []
    for pair in pairs:
        fate = fates[connected.find(pair.text1)]
        if fate == "dev" and pair.text1 == pair.text2:
            fate = LeftOut.NOISY_EQUAL
        if isinstance(fate, LeftOut):
            left_out[fate] += 1
        else:
            placed_pairs.append(pair._replace(split=fate))
    return placed_pairs, sizes, left_out


def drop_contradictions(pairs: Sequence[ReleasedPair]) -> Sequence[ReleasedPair]:
    keys_by_label: tuple[set[UUID], set[UUID]] = (set(), set())
    for pair in pairs:
        keys_by_label[pair.label or 0].add(texts_of(pair))
    contradicting = keys_by_label[0] & keys_by_label[1]
    return (
        [pair for pair in pairs if texts_of(pair) not in contradicting] if contradicting else pairs
    )


def family_fates(
    pairs: Sequence[ReleasedPair],
    connections: Components,
    splits: Mapping[str, Split],
    settings: ReleaseSettings,
) -> tuple[dict[str, Fate], Size]:
    judged_splits: defaultdict[str, set[Split]] = defaultdict(set)
    for key, split in splits.items():
        judged_splits[connections.find(key)].add(split)
    families = families_of(pairs, connections)
    fates = {family.key: fate_of_family(judged_splits.get(family.key, ())) for family in families}
    free_families = [family for family in families if family.key not in judged_splits]
    size = number(settings.unlabeled_dev, sum(family.size for family in families))
    size_lacking = max(
        0, size - sum(family.size for family in families if fates[family.key] == "dev")
    )
    dev_families = choose_families(
        in_random_order(free_families, seed=settings.seed), stratified(size_lacking, free_families)
    )
    return fates | dict.fromkeys(dev_families, "dev"), stratified(size, families)


def fate_of_family(judged_splits: Iterable[Split]) -> Fate:
    splits = {*judged_splits}
    if "test" in splits:
        return LeftOut.NOISY_OF_TEST
    if len(splits) > 1:
        return LeftOut.NOISY_BETWEEN
    return next(iter(splits), "train")
