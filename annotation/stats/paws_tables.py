"""Tables 3, 4 and 5 of the PAWS paper, for project reports and dataset cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from annotation.stats.agreement import VoteTable, folded, human_agreement, kept_votes
from annotation.stats.agreement_tables import HUMAN_AGREEMENT
from annotation.stats.consensus import PAWS, Protocol, decide_tally
from annotation.stats.labels import Scheme
from annotation.stats.ratings import ratings
from common.tables import ALL, Row, count, percent


@dataclass(frozen=True, slots=True)
class Identification:
    """Judged pairs by the outcome of the majority; ties are in none. `agreement` is a share."""

    total: int
    by_outcome: tuple[int, ...]
    agreement: float | None


@dataclass(frozen=True, slots=True)
class Correction:
    """Outcomes of the raw pairs of one method; open ones are in none of the first three.

    `repeats` are raw pairs whose texts the project had already: only the first pair of the texts is
    corrected and judged. `excluded` are pairs that managers took out; nothing after the correction
    counts them.
    """

    raw: int
    accepted: int
    fixed: int
    rejected: int
    repeats: int = 0
    excluded: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the pairs of one method from one corpus: a column of Tables 3 and 4."""

    correction: Correction
    votes: VoteTable


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """Sizes of one dataset (a row of Table 5); None for a split that it lacks.

    `counted` are the pairs whose share is shown: paraphrases, or those of each label.
    """

    train: int | None
    dev: int | None
    test: int | None
    counted: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(size or 0 for size in (self.train, self.dev, self.test))

    @property
    def shares(self) -> tuple[float | None, ...]:
        return tuple(pairs / self.total if self.total else None for pairs in self.counted)


def identification(votes: VoteTable, protocol: Protocol = PAWS) -> Identification:
    """Count judged pairs by their majority, and measure the agreement of their labels."""
    majorities = Counter[int | None]()
    for tally, pairs in votes.items():
        majorities[decide_tally(tally, protocol).majority] += pairs
    by_outcome = tuple(majorities[place] for place in range(len(protocol.scheme.outcomes)))
    human = human_agreement(folded(votes, protocol.scheme))
    return Identification(majorities.total(), by_outcome, human)


def table3(
    outcomes: Mapping[str, Outcome],
    protocol: Protocol = PAWS,
    *,
    title: str = "",
    is_corrected: bool = True,
    has_majority: bool = True,
) -> list[Row]:
    """Return Table 3: pairs of the swapping strategy through correction, judgment and filter.

    The rows of correction are left out unless pairs are corrected, and those of agreement and of
    the filter unless pairs have a majority.

    `outcomes` are by corpus: each is a column, and all of several are another. A `title` heads the
    first column; without it, the table of one corpus has no header.
    """
    columns = _with_total(outcomes)
    corrections = [outcome.correction for outcome in columns.values()]
    judged = [identification(outcome.votes, protocol) for outcome in columns.values()]
    kept = [
        identification(kept_votes(outcome.votes, protocol), protocol)
        for outcome in columns.values()
    ]
    correction = [
        _heading("Sentence correction", columns),
        _counts("  # Accepted pairs", (pairs.accepted for pairs in corrections)),
        _counts("  # Fixed pairs", (pairs.fixed for pairs in corrections)),
        _counts("  # Rejected pairs", (pairs.rejected for pairs in corrections)),
    ]
    filtering = [
        ("  Human agreement", *(percent(pairs.agreement) for pairs in judged)),
        _heading("After post-filtering", columns),
        _counts("  Total # pairs", (pairs.total for pairs in kept)),
        ("  Human agreement", *(percent(pairs.agreement) for pairs in kept)),
    ]
    return [
        *_header(title, columns),
        _counts("# Raw pairs", (pairs.raw for pairs in corrections)),
        *_repeats(corrections),
        *(correction if is_corrected else ()),
        *_excluded(corrections),
        _heading("Paraphrase identification" if protocol.scheme.is_binary else "Judging", columns),
        _counts("  Total # pairs", (pairs.total for pairs in judged)),
        *_by_outcome(judged, protocol.scheme, indent="    "),
        *_by_label(columns.values(), protocol.scheme, indent="    "),
        *(filtering if has_majority else ()),
    ]


def table4(
    outcomes: Mapping[str, Outcome],
    protocol: Protocol = PAWS,
    *,
    kind: str = "back translation",
    title: str = "",
    has_majority: bool = True,
) -> list[Row]:
    """Return Table 4: judged pairs of a method without correction, such as back translations.

    Columns are those of `table3`. The row of agreement is left out unless pairs have a majority.
    """
    columns = _with_total(outcomes)
    corrections = [outcome.correction for outcome in columns.values()]
    judged = [identification(outcome.votes, protocol) for outcome in columns.values()]
    human = (HUMAN_AGREEMENT, *(percent(pairs.agreement) for pairs in judged))
    return [
        *_header(title, columns),
        *_repeats(corrections),
        *_excluded(corrections),
        _counts(f"Total # {kind} pairs", (pairs.total for pairs in judged)),
        *_by_outcome(judged, protocol.scheme, indent="  "),
        *_by_label(columns.values(), protocol.scheme, indent="  "),
        *([human] if has_majority else ()),
    ]


def total(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what became of the pairs of several corpora together."""
    corrections, votes = [], Counter[tuple[int, ...]]()
    for outcome in outcomes:
        corrections.append(astuple(outcome.correction))
        votes.update(outcome.votes)
    return Outcome(Correction(*map(sum, zip(*corrections, strict=True))), votes)


def _with_total(outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    columns = dict(outcomes)
    return columns if len(columns) == 1 else columns | {ALL: total(columns.values())}


def _header(title: str, columns: Mapping[str, Outcome]) -> list[Row]:
    if len(columns) > 1:
        return [(title, *columns)]
    return [(title, "")] if title else []


def _heading(label: str, columns: Mapping[str, Outcome]) -> Row:
    return (label, *[""] * len(columns))


def _counts(label: str, numbers: Iterable[int]) -> Row:
    return (label, *map(count, numbers))


def _by_outcome(judged: Sequence[Identification], scheme: Scheme, *, indent: str) -> Iterator[Row]:
    """Yield a row for each outcome that votes can decide for."""
    if not scheme.decides:
        return
    names = dict(enumerate(scheme.outcomes))
    if scheme.is_binary:
        names = {1: "paraphrase", 0: "non-paraphrase"}
    for place, name in names.items():
        yield _counts(f"{indent}{name}", (pairs.by_outcome[place] for pairs in judged))


def _by_label(outcomes: Iterable[Outcome], scheme: Scheme, *, indent: str) -> Iterator[Row]:
    """Yield the answers of a study where votes do not decide, and the means of its pairs."""
    if scheme.decides:
        return
    columns = [ratings(outcome.votes, scheme) for outcome in outcomes]
    for place, label in enumerate(scheme.labels):
        value, name = str(label.value), label.name
        title = f"Answers: {value if name == value else f'{value} {name}'}"
        yield _counts(indent + title, (column.by_label[place] for column in columns))
    if scheme.has_mean:
        yield (f"{indent}Mean", *(_figure(column.mean) for column in columns))
        yield (f"{indent}Spread within a pair", *(_figure(column.spread) for column in columns))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _repeats(corrections: Sequence[Correction]) -> Iterator[Row]:
    return _if_any("Repeats of earlier pairs", [pairs.repeats for pairs in corrections])


def _excluded(corrections: Sequence[Correction]) -> Iterator[Row]:
    return _if_any("Excluded by managers", [pairs.excluded for pairs in corrections])


def _if_any(label: str, numbers: Sequence[int]) -> Iterator[Row]:
    if any(numbers):
        yield _counts(label, numbers)


def table5(
    datasets: Mapping[str, SplitCounts],
    by_corpus: Mapping[str, Mapping[str, SplitCounts]] | None = None,
    *,
    outcomes: Sequence[str] = ("Yes",),
) -> list[Row]:
    """Return split sizes and the share of each of the `outcomes`; the first row is the header.

    `by_corpus` has the parts of each dataset, whose
    rows are below its own if there are several.
    """
    rows: list[Row] = [("", "Train", "Dev", "Test", *(f"{name}%" for name in outcomes))]
    for name, sizes in datasets.items():
        rows.append(_split_row(name, sizes))
        parts = (by_corpus or {}).get(name, {})
        if len(parts) > 1:
            rows += [_split_row(f"  {corpus}", part) for corpus, part in parts.items()]
    return rows


def _split_row(name: str, sizes: SplitCounts) -> Row:
    splits = map(count, (sizes.train, sizes.dev, sizes.test))
    return (name, *splits, *map(percent, sizes.shares))
