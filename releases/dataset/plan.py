"""Plans a release: decides which pairs go where, before a file is written (PAWS 3.2 and 4).

Of the unjudged pairs, "simply treat all pairs from word swapping as non-paraphrases and all pairs
from back translation as paraphrase" (PAWS 4, unlabeled data). Word swaps whose probability of being
a paraphrase was estimated take the likelier label instead.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from uuid import UUID, uuid5

from annotation.stats.consensus import Decision, decide_tally
from generation.nlp.balancing import PARAPHRASE
from generation.nlp.text import pair_key
from releases.dataset.columns import GRADE, MEAN, add_entities, add_origins, count_groups
from releases.dataset.families import (
    Components,
    Size,
    choose_families,
    connect,
    connections,
    families_of,
    in_random_order,
    number,
    sentences_with_ancestors,
    stratified,
)
from releases.dataset.graded import count_grades
from releases.dataset.placement import Placing, order_sides, place_in_subsets
from releases.dataset.recombination import NAMESPACE, Recombination, ends, recombine
from releases.dataset.rows import (
    NEWEST,
    CandidateRow,
    LeftOut,
    PairRow,
    ReleasedPair,
    SentenceRow,
    Split,
    mean_answer,
)
from releases.dataset.settings import ReleaseSettings
from releases.dataset.shape import measure_shape
from releases.dataset.shared_words import measure_overlap

# The split of a family of candidates, or why it is left out.
Fate = Split | LeftOut


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The judged and recombined pairs and the silver ones, ordered by id, and what was left out.

    `left_out` counts pairs that are in no table, by reason. `wanted` are the wanted sizes of dev
    and test of a subset, and `placing` is how families were placed, both for the preview.
    `estimated` counts silver pairs with the label of an estimate, `groups` the groups of each split
    of labeled_final, and `grades` is what releases.dataset.graded says of all pairs. Shared words
    and what the shape of pairs gives away are measured where labels are two sides.
    """

    pairs: tuple[ReleasedPair, ...]
    silver: tuple[ReleasedPair, ...]
    left_out: Mapping[LeftOut, int]
    wanted: Mapping[tuple[str, str], Size]
    placing: Placing
    estimated: int
    groups: Mapping[Split, int]
    grades: Mapping[str, Any]
    has_sides: bool

    @property
    def totals(self) -> dict[str, int]:
        """Return the counts of `left_out` that a manifest repeats, under the names in Content."""
        noisy = (number for reason, number in self.left_out.items() if reason.startswith("noisy"))
        return {
            "conflicts": self.left_out.get(LeftOut.CONFLICT, 0),
            "unknown": self.left_out.get(LeftOut.UNKNOWN, 0),
            "easy": self.left_out.get(LeftOut.EASY, 0),
            "silver_left_out": sum(noisy),
        }

    def figures(self, language: str) -> dict[str, Any]:
        """Return what is computed once, and stored with the facts of the release."""
        return {
            "unlabeled_estimated": self.estimated,
            "groups": dict(self.groups),
            "overlap": measure_overlap(self.pairs, language) if self.has_sides else {},
            "shape": measure_shape(self.pairs) if self.has_sides else {},
            "grades": self.grades,
        }


def plan(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[PairRow],
    candidates: Iterable[CandidateRow] = (),
    *,
    settings: ReleaseSettings,
    generators: Mapping[int, str | None] | None = None,
    model_labels: Mapping[str, int] = MappingProxyType({}),
    version: int = NEWEST,
) -> ReleasePlan:
    """Decide, recombine, select, balance, split and flip, as a version of the format has it.

    `generators` has the models of each run by its number, and `model_labels` the labels that the
    model of `hard_for` gave to pairs, by id and as places.

    Every sentence that a pair, another sentence or a candidate refers to must be given, and ids are
    unique. The order of rows has no effect, and candidates have no effect on judged pairs. Time and
    memory grow with the number of rows.

    Raises ValueError for two judged pairs of the same texts, a tally of another scale, sizes that
    exceed the number of pairs, a share of paraphrases that cannot be reached, or kept pairs without
    a label of the model of `hard_for`.
    """
    sentences, candidates, pairs = list(sentences), list(candidates), list(pairs)
    rewrites: list[SentenceRow | CandidateRow] = [*sentences, *candidates]
    texts = {row.id: row.text for row in rewrites}
    rewritten_from = {row.id: row.rewritten_from for row in rewrites}

    has_origins = version > 1
    decided = list(decide_pairs(pairs, texts, settings, has_tallies=has_origins))
    easy = easy_pairs(decided, model_labels, settings)
    judged, recombination_left_out = _with_recombined(decided, settings, easy)
    # The files have these sentences alone, so the splits can be computed again from the files.
    file_sentences = sentences_with_ancestors(
        sentences, (end for pair in judged for end in (pair.sentence1, pair.sentence2))
    )
    connected = connections(file_sentences, judged, texts)
    placed_pairs, placing = place_in_subsets(
        [pair for pair in judged if pair.id not in easy],
        connected=connected,
        settings=settings,
        deals_low_agreement=has_origins,
    )
    placed_pairs += (pair for pair in judged if pair.id in easy)
    placed_pairs.sort(key=attrgetter("id"))

    connect(connected, sentences, texts)
    noisy = noisy_pairs(candidates, sentences, texts, settings, taken={pair.id for pair in judged})
    easy_texts = {texts_of(pair) for pair in decided if pair.id in easy}
    left_out_texts = easy_texts if settings.layout > 3 else frozenset[UUID]()
    hard_noisy = [pair for pair in noisy if texts_of(pair) not in left_out_texts]
    silver, size, silver_left_out = place_silver(hard_noisy, connected, placing.splits, settings)
    sizes: dict[tuple[str, str], Size] = {("unlabeled_final", "dev"): size}
    sizes |= {("labeled_final", split): size for split, size in placing.wanted.items()}
    final, unlabeled = (
        add_entities(rows, rewrites, settings.columns) for rows in (placed_pairs, silver)
    )
    if has_origins:
        final, unlabeled = (
            add_origins(rows, rewrites, generators or {}) for rows in (final, unlabeled)
        )
    estimated_ids = {row.id for row in candidates if row.paraphrase is not None}
    ordered = partial(
        order_sides,
        rewritten_from=rewritten_from,
        seed=settings.seed,
        directed=settings.scheme.directed,
    )
    return ReleasePlan(
        pairs=tuple(ordered(final)),
        silver=tuple(ordered(unlabeled)),
        left_out=placing.left_out
        + Counter({LeftOut.EASY: len(easy), LeftOut.NOISY_EASY: len(noisy) - len(hard_noisy)})
        + recombination_left_out
        + silver_left_out,
        wanted=sizes,
        placing=placing,
        estimated=sum(pair.id in estimated_ids for pair in silver),
        groups=count_groups(final, sentences),
        grades=count_grades(final, {row.id: row.tally for row in pairs}, settings),
        has_sides=settings.scheme.is_binary,
    )


def easy_pairs(
    decided: Iterable[ReleasedPair], model_labels: Mapping[str, int], settings: ReleaseSettings
) -> frozenset[str]:
    """Return the ids of kept pairs to which the model of `hard_for` gave the same outcome.

    Raises ValueError if it has not labelled all kept pairs.
    """
    if not settings.hard_for:
        return frozenset()
    kept = [pair for pair in decided if pair.kept]
    if lacking := sum(pair.id not in model_labels for pair in kept):
        raise ValueError(
            f"The model {settings.hard_for} has not labelled {lacking:,} of {len(kept):,} kept "
            "pairs. Add its labels for them, or choose another model."
        )
    scheme = settings.scheme
    return frozenset(
        pair.id
        for pair in kept
        if scheme.outcome_values[scheme.outcome(model_labels[pair.id])] == pair.label
    )


def _with_recombined(
    decided: list[ReleasedPair], settings: ReleaseSettings, easy: Container[str]
) -> tuple[list[ReleasedPair], Counter[LeftOut]]:
    """Return the pairs with those that follow from them, by id, and how many were left out.

    Nothing follows from the `easy` pairs.
    """
    texts_decided = ids_by_texts(decided, directed=settings.scheme.directed)
    recombined = compose_pairs([pair for pair in decided if pair.id not in easy], settings)
    new_pairs = [pair for pair in recombined.pairs if texts_of(pair) not in texts_decided]
    left_out = Counter(
        {LeftOut.CONFLICT: recombined.conflicts, LeftOut.UNKNOWN: recombined.unknown}
    )
    return sorted([*decided, *new_pairs], key=lambda pair: pair.id), left_out


def ids_by_texts(pairs: Iterable[ReleasedPair], *, directed: bool) -> dict[UUID, str]:
    """Return the ids of pairs by their texts. Raises ValueError if two have the same."""
    ids: dict[UUID, str] = {}
    for pair in pairs:
        key = pair_key(pair.text1, pair.text2, directed=directed)
        earlier = ids.setdefault(key, pair.id)
        if earlier != pair.id:
            raise ValueError(f"the pairs {earlier} and {pair.id} have the same two sentences")
    return ids


def texts_of(pair: ReleasedPair) -> UUID:
    return pair_key(pair.text1, pair.text2)


def decide_pairs(
    rows: Iterable[PairRow],
    texts: Mapping[str, str],
    settings: ReleaseSettings,
    *,
    has_tallies: bool,
) -> Iterator[ReleasedPair]:
    """Yield the pairs as the protocol decides them; `has_tallies` unless the version has none."""
    protocol, scheme = settings.protocol, settings.scheme
    graded, has_mean = GRADE in settings.columns, MEAN in settings.columns
    has_tallies &= graded or (scheme.folds and not scheme.is_binary)
    decisions: dict[tuple[int, ...], Decision] = {}
    for row in rows:
        if row.tally not in decisions:
            decisions[row.tally] = decide_tally(row.tally, protocol)
        decision = decisions[row.tally]
        label, grade = decision.label, decision.grade if graded else None
        is_closed = protocol.asks_more and not decision.decided
        yield ReleasedPair(
            id=row.id,
            sentence1=row.sentence1,
            sentence2=row.sentence2,
            method=row.method,
            votes=decision.votes,
            label=None if label is None else scheme.outcome_values[label],
            kept=decision.kept,
            grade=None if grade is None else scheme.value(grade),
            tally=row.tally if has_tallies else None,
            mean=mean_answer(scheme, row.tally) if has_mean else None,
            model_label=None if row.model_label is None else scheme.outcome_values[row.model_label],
            model_share=row.model_share,
            first=row.first,
            closed=True if is_closed else None,
            own_id=row.own_id,
            text1=texts[row.sentence1],
            text2=texts[row.sentence2],
        )


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
    """Return candidates with a label though nobody judged them, and pairs composed, ordered by id.

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
