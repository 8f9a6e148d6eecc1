"""Plans a release: decides which pairs go where, before a file is written (PAWS 3.2 and 4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from annotation.stats.consensus import Decision, Protocol, decide_tally
from releases.dataset.placement import Place, PlacedFamily, Placing, place
from releases.dataset.recombination import JudgedPair, Recombination, recombine
from releases.dataset.rows import (
    RECOMBINED,
    CandidateRow,
    LeftOut,
    PairRow,
    ReleasedPair,
    SentenceRow,
    SilverPair,
)
from releases.dataset.sentence_order import sides
from releases.dataset.settings import ReleaseSettings
from releases.dataset.split import Size, connections
from releases.dataset.unlabeled import Silver, plan_silver


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The lines of pairs.jsonl and of unlabeled_final, ordered by id, and counts of omitted pairs.

    `texts` holds the text of each sentence and candidate by its id. `conflicts` and `unknown` are
    those of recombination; `silver_left_out` counts unjudged pairs that would have crossed a split
    or contradicted each other.

    The other fields are empty in a plan that was read from a release: `left_out` counts pairs that
    are in no table, by reason; `wanted` are the wanted sizes of dev and test of a subset;
    `families` is the number of connected families of labeled_final, `largest` are those with most
    pairs, and `drawable` counts the pairs that could have gone to dev or test.
    """

    pairs: tuple[ReleasedPair, ...]
    silver: tuple[SilverPair, ...]
    texts: Mapping[str, str]
    conflicts: int
    unknown: int
    silver_left_out: int
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)
    wanted: Mapping[tuple[str, str], Size] = field(default_factory=dict)
    families: int = 0
    largest: tuple[PlacedFamily, ...] = ()
    drawable: int = 0


def plan(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[PairRow],
    candidates: Iterable[CandidateRow] = (),
    *,
    settings: ReleaseSettings,
) -> ReleasePlan:
    """Decide, recombine, select, balance, split and flip.

    Every sentence that a pair, another sentence or a candidate refers to must be given. The order
    of rows has no effect, and candidates have no effect on judged pairs. Time and memory grow with
    the number of rows.

    Raises ValueError for a missing sentence, a duplicate id, a tally of another scale, sizes that
    exceed the number of pairs, or a share of paraphrases that cannot be reached.
    """
    sentences, candidates = list(sentences), list(candidates)
    rewrites: list[SentenceRow | CandidateRow] = [*sentences, *candidates]
    texts = {row.id: row.text for row in rewrites}
    judged = list(decided(pairs, settings.protocol))
    refuse_doubles(chain(ids(rewrites), ids(judged)))
    refuse_strangers(named_sentences(sentences, judged, candidates), texts)

    made = recombination(judged, texts, settings)
    judged += composed(made)
    judged.sort(key=lambda pair: pair.id)
    connected = connections(sentences, judged, texts)
    places, placing = place(judged, texts=texts, connected=connected, settings=settings)
    rewritten_from = {row.id: row.rewritten_from for row in rewrites}
    released = tuple(in_place(judged, places, rewritten_from, settings.seed))
    del judged, places  # frees memory for the large unjudged set
    silver = plan_silver(
        candidates,
        sentences=sentences,
        texts=texts,
        rewritten_from=rewritten_from,
        connections=connected,
        splits=placing.splits,
        settings=settings,
    )
    return summed_up(released, silver, texts, made, placing)


def decided(rows: Iterable[PairRow], protocol: Protocol) -> Iterator[ReleasedPair]:
    """Yield the judged pairs with their consensus, not yet placed."""
    decisions: dict[tuple[int, ...], Decision] = {}
    for row in rows:
        if row.tally not in decisions:
            decisions[row.tally] = decide_tally(row.tally, protocol)
        decision = decisions[row.tally]
        yield ReleasedPair(
            id=row.id,
            sentence1=row.sentence1,
            sentence2=row.sentence2,
            origin="judged",
            via=(),
            method=row.method,
            votes=decision.votes,
            label=decision.label,
            kept=decision.kept,
            subset=None,
            split=None,
        )


def recombination(
    judged: Iterable[ReleasedPair], texts: Mapping[str, str], settings: ReleaseSettings
) -> Recombination:
    """Recombine the judged pairs as the settings require."""
    if not settings.recombine:
        return Recombination((), conflicts=0, unknown=0)
    return recombine(
        (JudgedPair(p.id, p.sentence1, p.sentence2, p.method, p.label) for p in judged),
        texts=texts,
        swap_methods=settings.swap_methods,
        reach=settings.recombination_reach,
    )


def composed(made: Recombination) -> Iterator[ReleasedPair]:
    """Yield the recombined pairs as released: labelled, without votes."""
    for pair in made.pairs:
        yield ReleasedPair(
            id=pair.id,
            sentence1=pair.sentence1,
            sentence2=pair.sentence2,
            origin="recombined",
            via=pair.via,
            method=RECOMBINED,
            votes=None,
            label=pair.label,
            kept=True,
            subset=None,
            split=None,
        )


def in_place(
    pairs: Sequence[ReleasedPair],
    places: Mapping[str, Place],
    rewritten_from: Mapping[str, str | None],
    seed: int,
) -> Iterator[ReleasedPair]:
    """Yield the pairs with their subset and split, and their sentences in released order."""
    released = sides(pairs, rewritten_from=rewritten_from, seed=seed)
    for pair, (sentence1, sentence2) in zip(pairs, released, strict=True):
        subset, split = places[pair.id]
        yield pair._replace(sentence1=sentence1, sentence2=sentence2, subset=subset, split=split)


def summed_up(
    released: tuple[ReleasedPair, ...],
    silver: Silver,
    texts: Mapping[str, str],
    made: Recombination,
    placing: Placing,
) -> ReleasePlan:
    """Return the plan, with details for its preview."""
    left_out = {LeftOut.CONFLICT: made.conflicts, LeftOut.UNKNOWN: made.unknown}
    wanted: dict[tuple[str, str], Size] = {("unlabeled_final", "dev"): silver.wanted}
    wanted |= {("labeled_final", split): size for split, size in placing.wanted.items()}
    return ReleasePlan(
        pairs=released,
        silver=silver.pairs,
        texts=texts,
        conflicts=made.conflicts,
        unknown=made.unknown,
        silver_left_out=sum(silver.left_out.values()),
        left_out={**placing.left_out, **left_out, **silver.left_out},
        wanted=wanted,
        families=placing.families,
        largest=placing.largest,
        drawable=placing.drawable,
    )


def named_sentences(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[ReleasedPair],
    candidates: Iterable[CandidateRow],
) -> Iterator[str]:
    """Yield the id of every sentence that a row refers to."""
    for row in sentences:
        yield row.source
        if row.rewritten_from is not None:
            yield row.rewritten_from
    for pair in pairs:
        yield from (pair.sentence1, pair.sentence2)
    for candidate in candidates:
        yield candidate.rewritten_from


def ids(rows: Iterable[SentenceRow | CandidateRow | ReleasedPair]) -> Iterator[str]:
    """Return the ids of rows."""
    return (row.id for row in rows)


def refuse_strangers(named: Iterable[str], texts: Mapping[str, str]) -> None:
    """Raise ValueError if a sentence is referred to but was not given."""
    if (missing := next((key for key in named if key not in texts), None)) is not None:
        raise ValueError(f"sentence {missing} is referred to and missing")


def refuse_doubles(ids: Iterable[str]) -> None:
    """Raise ValueError if an id occurs twice."""
    seen: set[str] = set()
    for key in ids:
        if key in seen:
            raise ValueError(f"id {key} comes twice")
        seen.add(key)
