"""Summarizes a plan before it is frozen: sizes, connected pairs, warnings and a sample."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from heapq import nlargest
from itertools import chain
from typing import Any

from annotation.stats.shape import READABLE, best_rule
from releases.dataset.families import Size
from releases.dataset.files import Table
from releases.dataset.manifest import RowCounts
from releases.dataset.plan import ReleasePlan
from releases.dataset.published import files as published
from releases.dataset.published.findings import counts_without_words
from releases.dataset.published.outline import LABELS, Outline
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.published.reading import PublishedSet
from releases.dataset.rows import ReleasedPair, Split
from releases.dataset.sample import SampledPair, draw_pairs, first_pairs
from releases.dataset.settings import ReleaseSettings
from releases.dataset.shape import measure_shape
from releases.dataset.tables import tables
from releases.dataset.translated import files as translated
from releases.dataset.translated.files import TranslationSettings
from releases.dataset.translated.plan import TranslatedReleasePlan

LARGEST = 10
Figures = dict[str, str | int | float]

# The share of the pairs of a split that may differ from the wanted labels without a warning.
TOLERANCE = 0.02


class Reason(StrEnum):
    """A warning about a plan before it is frozen; the comments name its figures."""

    NO_PAIRS = "no_pairs"  # labeled_final is empty
    ONE_LABEL = "one_label"  # all of labeled_final has one label: label or its name, pairs
    ALL_SWAPS = "all_swaps"  # no back translation is kept, so all swaps are final: pairs
    NO_TRAIN = "no_train"  # dev and test took all of labeled_final: pairs
    # A split is too small: subset, split, wanted, reached, and for labeled_final drawable, the
    # pairs in components that are not restricted to train.
    TOO_SMALL = "too_small"
    # A component exceeds the size of dev or test: pairs, share of labeled_final, dev, test.
    TOO_LARGE = "too_large"
    SPLIT_SHARE = "split_share"  # paraphrases of a split: subset, split, wanted, reached (shares)
    FINAL_SHARE = "final_share"  # paraphrases of labeled_final: wanted, reached (shares)
    # A rule that sees only the shape of pairs tells their labels: rule, points above the majority.
    READABLE_SHAPE = "readable_shape"


@dataclass(frozen=True, slots=True)
class Notice:
    """A reason with its figures, under the names in the comments of Reason."""

    reason: Reason
    figures: Figures = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A table as it would be written: its size and its share of paraphrases.

    `paraphrases` and `share` are None for low_agreement, `wanted` and
    `wanted_share` for tables without a wanted size. Where labels are not two sides, there are no
    paraphrases, and `outcomes` has the pairs of each label.
    """

    subset: str
    split: str
    file: str
    pairs: int
    paraphrases: int | None
    share: float | None
    wanted: int | None
    wanted_share: float | None
    outcomes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedFamily:
    """A family of connected pairs of labeled_final, and its split.

    `text` is one of their sentences. Pairs of two equal sentences do not count. Paraphrases are
    None where labels are not two sides.
    """

    text: str
    pairs: int
    paraphrases: int | None
    split: Split


@dataclass(frozen=True, slots=True)
class Preview:
    """The expected content of a release.

    `paraphrase_share` is that of all of labeled_final, `wanted_share` the one in the settings.
    `components` counts families of connected pairs there; `largest` are up to ten of them.
    `left_out` counts, by reason, pairs that are in no table. `judged` has the votes and the
    agreement of judged pairs as in a manifest, and `sample` the pairs that the page of the release
    will show; previews of older versions have neither. `published` says how the files of a
    published set were read: its outline, rule, counts, and the labels that published ones became.
    """

    parts: tuple[Part, ...]
    paraphrase_share: float | None
    wanted_share: float | None
    components: int
    largest: tuple[PlacedFamily, ...]
    left_out: tuple[tuple[str, int], ...]
    warnings: tuple[Notice, ...]
    sample: tuple[SampledPair, ...] = ()
    judged: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def summarize(planned: ReleasePlan, settings: ReleaseSettings, language: str) -> Preview:
    placing = planned.placing
    pairs = [*planned.pairs, *planned.silver]
    labels = None if settings.scheme.is_binary else settings.scheme.pair_labels
    parts = tuple(count_parts(pairs, tables(settings), planned.wanted, labels))
    final = [part for part in parts if part.subset == "labeled_final"]
    largest = tuple(
        PlacedFamily(
            family.key,
            family.size,
            family.counts[1] if labels is None else None,
            placing.splits[family.key],
        )
        for family in nlargest(
            LARGEST, placing.families, key=lambda family: (family.size, family.key)
        )
    )
    return Preview(
        parts=parts,
        paraphrase_share=ratio(paraphrases(final), size(final)) if labels is None else None,
        wanted_share=settings.paraphrase_share,
        components=len(placing.families),
        largest=largest,
        left_out=tuple((reason, number) for reason, number in planned.left_out.items() if number),
        warnings=tuple(
            chain(
                label_notices(final, planned, settings),
                size_notices(parts, planned),
                family_notices(largest, planned, size(final)),
                share_notices(parts),
                shape_notices(planned, language),
            )
        ),
        sample=draw_pairs(pairs, "labeled_final", seed=settings.seed),
        judged=count_votes(planned, settings),
    )


def count_votes(planned: ReleasePlan, settings: ReleaseSettings) -> dict[str, Any]:
    counts = RowCounts(settings)
    for pair in planned.pairs:
        counts.add_pair(pair)
    return counts.vote_counts() | dict(planned.grades)


def summarize_translations(
    planned: TranslatedReleasePlan, settings: TranslationSettings
) -> Preview:
    """Return what a release would hold. Families and wanted sizes are those of the source."""
    left_out, pairs = planned.left_out.items(), chain(planned.pairs, planned.back)
    scheme = settings.scheme
    labels = None if scheme.is_binary else scheme.pair_labels
    return Preview(
        parts=tuple(count_parts(pairs, translated.tables(scheme), {}, labels)),
        paraphrase_share=None,
        wanted_share=None,
        components=0,
        largest=(),
        left_out=tuple((why, sum(map(len, splits.values()))) for why, splits in left_out),
        warnings=(),
        sample=draw_pairs(planned.pairs, "translated", seed=settings.seed),
    )


def summarize_published(published_set: PublishedSet, outline: Outline) -> Preview:
    """Return what a release would hold: all rows that could be read. Nothing is wanted of it."""
    pairs, counts, settings = published_set.pairs, published_set.counts, published_set.settings
    in_tables = [pair._replace(split=pair.place[1]) for pair in pairs]
    outcomes = Counter((pair.published_label, pair.label) for pair in pairs)
    return Preview(
        parts=tuple(count_parts(in_tables, published.tables(), {})),
        paraphrase_share=None,
        wanted_share=None,
        components=0,
        largest=(),
        left_out=(),
        warnings=(),
        sample=tuple(first_pairs(pairs)),
        published={
            "outline": outline.to_dict(),
            "decides": settings.decides,
            "form": settings.form,
            "paraphrase_from": settings.paraphrase_from,
            "outcomes": [[*outcome, number] for outcome, number in outcomes.most_common(LABELS)],
            "counts": counts_without_words(pairs) | counts.to_dict(),
        },
    )


def count_parts(
    pairs: Iterable[ReleasedPair | PublishedPair],
    tables: Iterable[Table],
    wanted_sizes: Mapping[tuple[str, str], Size],
    labels: Sequence[int | None] | None = None,
) -> Iterator[Part]:
    """Count the pairs of each table, those of two sides as paraphrases, others by `labels`."""
    table_of_place = {table.place: table for table in tables}
    by_label: defaultdict[Table, Counter[int | None]] = defaultdict(Counter)
    for pair in pairs:
        if pair.subset is not None:
            by_label[table_of_place[pair.place]][pair.label] += 1
    for table in table_of_place.values():
        numbers, goal = by_label[table], wanted_sizes.get((table.subset, table.split))
        number, has_sides = numbers.total(), labels is None and table.subset != "low_agreement"
        paraphrases = numbers[1] if has_sides else None
        yield Part(
            subset=table.subset,
            split=table.split,
            file=table.tsv,
            pairs=number,
            paraphrases=paraphrases,
            share=None if paraphrases is None else ratio(paraphrases, number),
            wanted=goal.pairs if goal else None,
            wanted_share=ratio(goal.counts[-1], goal.pairs) if goal and labels is None else None,
            outcomes=tuple(numbers[label] for label in labels or ()),
        )


def label_notices(
    final: Sequence[Part], planned: ReleasePlan, settings: ReleaseSettings
) -> Iterator[Notice]:
    total, positives = size(final), paraphrases(final)
    if not total:
        yield Notice(Reason.NO_PAIRS)
        return
    if settings.scheme.decides and (place := _only_outcome(final, settings)) is not None:
        label: Figures = {"label": place}
        if not settings.scheme.is_binary:
            label = {"name": settings.scheme.outcomes[place]}
        yield Notice(Reason.ONE_LABEL, {**label, "pairs": total})
    goal = settings.paraphrase_share
    if goal is not None and abs(positives - goal * total) >= 1:
        yield Notice(Reason.FINAL_SHARE, {"wanted": goal, "reached": positives / total})
    if not any(part.pairs for part in final if part.split == "train"):
        yield Notice(Reason.NO_TRAIN, {"pairs": total})
    methods = {pair.method for pair in planned.pairs if pair.kept and pair.origin == "judged"}
    if settings.scheme.is_binary and methods.issubset(settings.swap_methods):
        yield Notice(Reason.ALL_SWAPS, {"pairs": total})


def _only_outcome(final: Sequence[Part], settings: ReleaseSettings) -> int | None:
    """Return the place of the outcome of all pairs of labeled_final; None if there are several."""
    if settings.scheme.is_binary:
        numbers = [size(final) - paraphrases(final), paraphrases(final)]
    else:
        numbers = list(map(sum, zip(*(part.outcomes for part in final), strict=True)))
    places = [place for place, number in enumerate(numbers) if number]
    return places[0] if len(places) == 1 else None


def size_notices(parts: Iterable[Part], planned: ReleasePlan) -> Iterator[Notice]:
    for part in parts:
        if part.wanted is None or part.pairs >= part.wanted:
            continue
        figures: Figures = {"wanted": part.wanted, "reached": part.pairs}
        if part.subset == "labeled_final":
            figures["drawable"] = sum(
                family.size
                for family in planned.placing.families
                if family.key not in planned.placing.train_only
            )
        yield Notice(Reason.TOO_SMALL, place(part) | figures)


def family_notices(
    largest: Iterable[PlacedFamily], planned: ReleasePlan, total: int
) -> Iterator[Notice]:
    sizes = {
        split: size.pairs
        for (subset, split), size in planned.wanted.items()
        if subset == "labeled_final"
    }
    least = min((pairs for pairs in sizes.values() if pairs), default=None)
    for family in largest:
        if least is not None and family.pairs > least:
            share = family.pairs / total
            yield Notice(Reason.TOO_LARGE, {"pairs": family.pairs, "share": share, **sizes})


def share_notices(parts: Iterable[Part]) -> Iterator[Notice]:
    for part in parts:
        goal, reached = part.wanted_share, part.share
        if goal is None or reached is None:
            continue
        if abs(goal - reached) * part.pairs > max(1, TOLERANCE * part.pairs):
            shares: Figures = {"wanted": goal, "reached": reached}
            yield Notice(Reason.SPLIT_SHARE, place(part) | shares)


def shape_notices(planned: ReleasePlan, language: str) -> Iterator[Notice]:
    figures = measure_shape(planned.pairs, language) if planned.has_sides else {}
    if figures.get("verdict") == READABLE:
        best = best_rule(figures)
        points = round(100 * best["points"])
        yield Notice(Reason.READABLE_SHAPE, {"rule": best["rule"], "points": points})


def place(part: Part) -> Figures:
    return {"subset": part.subset, "split": part.split}


def size(parts: Iterable[Part]) -> int:
    return sum(part.pairs for part in parts)


def paraphrases(parts: Iterable[Part]) -> int:
    return sum(part.paraphrases or 0 for part in parts)


def ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
