"""Plans a release: decides which pairs go where, before a file is written (PAWS 3.2 and 4)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from annotation.stats.consensus import Decision, Protocol, decide_tally
from releases.dataset.families import Size, connections
from releases.dataset.placement import PlacedFamily, Placing, place, sides
from releases.dataset.recombination import Recombination, recombine
from releases.dataset.rows import CandidateRow, LeftOut, PairRow, ReleasedPair, SentenceRow
from releases.dataset.settings import ReleaseSettings
from releases.dataset.unlabeled import Silver, plan_silver


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The judged and recombined pairs and the silver ones, ordered by id, and what was left out.

    `conflicts` and `unknown` are those of recombination; `silver_left_out` counts unjudged pairs
    that would have crossed a split or contradicted each other. The rest is for the preview:
    `left_out` counts pairs that are in no table, by reason; `wanted` are the wanted sizes of dev
    and test of a subset; `families` is the number of connected families of labeled_final,
    `largest` are those with most pairs, and `drawable` counts the pairs that could have gone to dev
    or test.
    """

    pairs: tuple[ReleasedPair, ...]
    silver: tuple[ReleasedPair, ...]
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
    sentences, pairs, candidates = list(sentences), list(pairs), list(candidates)
    rewrites: list[SentenceRow | CandidateRow] = [*sentences, *candidates]
    texts = {row.id: row.text for row in rewrites}
    require_unique_ids(chain((row.id for row in rewrites), (row.id for row in pairs)))
    require_known_sentences(named_sentences(sentences, pairs, candidates), texts)

    judged = list(decided(pairs, texts, settings.protocol))
    made = recombination(judged, settings)
    judged = sorted([*judged, *made.pairs], key=lambda pair: pair.id)
    connected = connections(sentences, judged, texts)
    placing = place(judged, connected=connected, settings=settings)
    rewritten_from = {row.id: row.rewritten_from for row in rewrites}
    released = tuple(sides(placing.pairs, rewritten_from=rewritten_from, seed=settings.seed))
    silver = plan_silver(
        candidates,
        sentences=sentences,
        texts=texts,
        rewritten_from=rewritten_from,
        connections=connected,
        splits=placing.splits,
        settings=settings,
    )
    return summed_up(released, silver, made, placing)


def summed_up(
    released: tuple[ReleasedPair, ...], silver: Silver, made: Recombination, placing: Placing
) -> ReleasePlan:
    """Return the plan, with details for its preview."""
    of_recombination = {LeftOut.CONFLICT: made.conflicts, LeftOut.UNKNOWN: made.unknown}
    return ReleasePlan(
        pairs=released,
        silver=silver.pairs,
        conflicts=made.conflicts,
        unknown=made.unknown,
        silver_left_out=sum(silver.left_out.values()),
        left_out={**placing.left_out, **of_recombination, **silver.left_out},
        wanted={
            ("unlabeled_final", "dev"): silver.wanted,
            **{("labeled_final", split): size for split, size in placing.wanted.items()},
        },
        families=placing.families,
        largest=placing.largest,
        drawable=placing.drawable,
    )


def decided(
    rows: Iterable[PairRow], texts: Mapping[str, str], protocol: Protocol
) -> Iterator[ReleasedPair]:
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
            method=row.method,
            votes=decision.votes,
            label=decision.label,
            kept=decision.kept,
            text1=texts[row.sentence1],
            text2=texts[row.sentence2],
        )


def recombination(judged: Iterable[ReleasedPair], settings: ReleaseSettings) -> Recombination:
    if not settings.recombine:
        return Recombination((), conflicts=0, unknown=0)
    return recombine(judged, swap_methods=settings.swap_methods, reach=settings.recombination_reach)


def named_sentences(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[PairRow],
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


def require_known_sentences(named: Iterable[str], texts: Mapping[str, str]) -> None:
    """Raise ValueError if a sentence is referred to but was not given."""
    if (missing := next((key for key in named if key not in texts), None)) is not None:
        raise ValueError(f"sentence {missing} is referred to and missing")


def require_unique_ids(ids: Iterable[str]) -> None:
    """Raise ValueError if an id occurs twice."""
    seen: set[str] = set()
    for key in ids:
        if key in seen:
            raise ValueError(f"id {key} comes twice")
        seen.add(key)
