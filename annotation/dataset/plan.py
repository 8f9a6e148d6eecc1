"""What stands in a release and where: every decision, before a file is written (PAWS 3.2 and 4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from annotation.dataset.components import Components
from annotation.dataset.flip import sides
from annotation.dataset.recombination import JudgedPair, Recombination, recombine
from annotation.dataset.rows import (
    RECOMBINED,
    CandidateRow,
    PairRow,
    ReleasedPair,
    SentenceRow,
    SilverPair,
    Split,
    Subset,
)
from annotation.dataset.selection import subsets, surplus
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.silver import plan_silver
from annotation.dataset.split import connections, families, split_families
from annotation.stats.consensus import Protocol, decide_tally

TRAIN: Split = "train"


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The lines of pairs.jsonl and of unlabeled_final, each ordered by id, and what was left out.

    `texts` holds the text of each sentence and candidate by its id. `conflicts` and `unknown` are
    those of recombination; `silver_left_out` counts unjudged pairs that would have crossed a split,
    or contradicted each other.
    """

    pairs: tuple[ReleasedPair, ...]
    silver: tuple[SilverPair, ...]
    texts: Mapping[str, str]
    conflicts: int
    unknown: int
    silver_left_out: int


def plan(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[PairRow],
    candidates: Iterable[CandidateRow] = (),
    *,
    settings: ReleaseSettings,
) -> ReleasePlan:
    """Decide, recombine, select, balance, split and flip.

    Every sentence that a pair, another sentence or a candidate names has to be among `sentences`.
    The order of rows has no effect, nor have candidates on what becomes of judged pairs.

    Raises ValueError for a sentence that is missing, an id that comes twice, a tally of another
    scale, sizes beyond the number of pairs, or a share of paraphrases that cannot be reached.
    """
    sentences, candidates = list(sentences), list(candidates)
    texts = {row.id: row.text for row in sentences} | {row.id: row.text for row in candidates}
    origins = {row.id: row.rewritten_from for row in sentences}
    judged = [decided(row, settings.protocol) for row in pairs]
    refuse_doubles(chain(ids(sentences), ids(candidates), ids(judged)))
    refuse_strangers(named_sentences(sentences, judged, candidates), texts)

    made = recombination(judged, texts, settings)
    released = sorted([*judged, *composed(made)], key=lambda pair: pair.id)
    subset_of = balanced_subsets(released, texts, settings)
    connected = connections(sentences, released, texts)
    splits = family_splits(released, subset_of, texts, connected, settings)
    placed = put_in_place(released, subset_of, texts, connected, splits)
    silver = plan_silver(
        candidates,
        sentences=sentences,
        texts=texts,
        rewritten_from=origins | {row.id: row.rewritten_from for row in candidates},
        connections=connected,
        splits=splits,
        settings=settings,
    )
    return ReleasePlan(
        pairs=with_sides(placed, origins, settings.seed),
        silver=silver.pairs,
        texts=texts,
        conflicts=made.conflicts,
        unknown=made.unknown,
        silver_left_out=silver.left_out,
    )


def decided(row: PairRow, protocol: Protocol) -> ReleasedPair:
    """A judged pair with its consensus, not yet placed."""
    decision = decide_tally(row.tally, protocol)
    return ReleasedPair(
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
    """What the judged pairs compose, under the settings."""
    if not settings.recombine:
        return Recombination((), conflicts=0, unknown=0)
    return recombine(
        (JudgedPair(p.id, p.sentence1, p.sentence2, p.method, p.label) for p in judged),
        texts=texts,
        swap_methods=settings.swap_methods,
        reach=settings.recombination_reach,
    )


def composed(made: Recombination) -> Iterator[ReleasedPair]:
    """The composed pairs as they stand in a release: labelled without votes."""
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


def balanced_subsets(
    pairs: Sequence[ReleasedPair], texts: Mapping[str, str], settings: ReleaseSettings
) -> dict[str, Subset | None]:
    """The subset of each pair by its id; what balancing drops is in none."""
    subset_of = subsets(
        pairs,
        texts=texts,
        swap_methods=settings.swap_methods,
        annotators_per_pair=settings.annotators_per_pair,
    )
    if settings.paraphrase_share is None:
        return subset_of
    final = [pair for pair in pairs if subset_of[pair.id] == "labeled_final"]
    dropped = surplus(final, paraphrase_share=settings.paraphrase_share, seed=settings.seed)
    return subset_of | dict.fromkeys(dropped)


def family_splits(
    pairs: Iterable[ReleasedPair],
    subset_of: Mapping[str, Subset | None],
    texts: Mapping[str, str],
    connected: Components,
    settings: ReleaseSettings,
) -> dict[str, Split]:
    """The split of each family of labelled pairs, which is train where a labeled_swap pair is."""
    final: list[tuple[str, str, str, int]] = []
    swaps: set[str] = set()
    for pair in pairs:
        text1, text2 = texts[pair.sentence1], texts[pair.sentence2]
        if subset_of[pair.id] == "labeled_final":
            final.append((connected.find(text1), text1, text2, pair.label or 0))
        elif subset_of[pair.id] == "labeled_swap":
            swaps.add(connected.find(text1))
    return dict.fromkeys(swaps, TRAIN) | split_families(
        families(final),
        dev=settings.dev,
        test=settings.test,
        seed=settings.seed,
        train_only=frozenset(swaps),
    )


def put_in_place(
    pairs: Iterable[ReleasedPair],
    subset_of: Mapping[str, Subset | None],
    texts: Mapping[str, str],
    connected: Components,
    splits: Mapping[str, Split],
) -> list[ReleasedPair]:
    """The pairs with their subsets and the splits of their families.

    Pairs of equal sentences leave dev and test. Annotators sometimes fix a swapped sentence back to
    its source, and such pairs serve for training only (PAWS, footnote 6).
    """
    placed = []
    for pair in pairs:
        subset, split = subset_of[pair.id], None
        text1, text2 = texts[pair.sentence1], texts[pair.sentence2]
        if subset in {"labeled_final", "labeled_swap"}:
            split = splits[connected.find(text1)]
        if text1 == text2 and split in {"dev", "test"}:
            subset, split = None, None
        placed.append(replace(pair, subset=subset, split=split))
    return placed


def with_sides(
    pairs: Sequence[ReleasedPair], origins: Mapping[str, str | None], seed: int
) -> tuple[ReleasedPair, ...]:
    """The pairs with their sentences on the sides that chance gave them."""
    released = sides(pairs, rewritten_from=origins, seed=seed)
    return tuple(
        replace(pair, sentence1=sentence1, sentence2=sentence2)
        for pair, (sentence1, sentence2) in zip(pairs, released, strict=True)
    )


def named_sentences(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[ReleasedPair],
    candidates: Iterable[CandidateRow],
) -> Iterator[str]:
    """Every id of a sentence that some row refers to."""
    for row in sentences:
        yield row.source
        if row.rewritten_from is not None:
            yield row.rewritten_from
    for pair in pairs:
        yield from (pair.sentence1, pair.sentence2)
    for candidate in candidates:
        yield candidate.rewritten_from


def ids(rows: Iterable[SentenceRow | CandidateRow | ReleasedPair]) -> Iterator[str]:
    """The ids of rows."""
    return (row.id for row in rows)


def refuse_strangers(named: Iterable[str], texts: Mapping[str, str]) -> None:
    """Raise ValueError for a sentence that is referred to and was not given."""
    if (missing := next((key for key in named if key not in texts), None)) is not None:
        raise ValueError(f"sentence {missing} is referred to and missing")


def refuse_doubles(ids: Iterable[str]) -> None:
    """Raise ValueError for an id that comes twice."""
    seen: set[str] = set()
    for key in ids:
        if key in seen:
            raise ValueError(f"id {key} comes twice")
        seen.add(key)
