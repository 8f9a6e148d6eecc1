"""Plans a release: decides which pairs go where, before a file is written (PAWS 3.2 and 4)."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from uuid import UUID

from annotation.stats.consensus import Decision, decide_tally
from generation.nlp.text import pair_key
from releases.dataset.columns import GRADE, MEAN, add_entities, add_origins, count_groups
from releases.dataset.families import (
    Size,
    connect,
    connections,
    sentences_with_ancestors,
)
from releases.dataset.graded import count_grades
from releases.dataset.placement import Placing, order_sides, place_in_subsets
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
from releases.dataset.silver import compose_pairs, noisy_pairs, place_silver, texts_of


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
            "shape": measure_shape(self.pairs, language) if self.has_sides else {},
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
    easy_texts = {texts_of(pair) for pair in decided if pair.id in easy and settings.layout > 3}
    hard_noisy = [pair for pair in noisy if texts_of(pair) not in easy_texts]
    silver, size, silver_left_out = place_silver(hard_noisy, connected, placing.splits, settings)
    sizes: dict[tuple[str, str], Size] = {("unlabeled_final", "dev"): size}
    sizes |= {("labeled_final", split): size for split, size in placing.wanted.items()}

    def with_columns(rows: list[ReleasedPair]) -> list[ReleasedPair]:
        rows = add_entities(rows, rewrites, settings.columns)
        return add_origins(rows, rewrites, generators or {}) if has_origins else rows

    final = with_columns(placed_pairs)
    estimated_ids = {row.id for row in candidates if row.paraphrase is not None}
    ordered = partial(
        order_sides,
        rewritten_from=rewritten_from,
        seed=settings.seed,
        directed=settings.scheme.directed,
    )
    return ReleasePlan(
        pairs=tuple(ordered(final)),
        silver=tuple(ordered(with_columns(silver))),
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
