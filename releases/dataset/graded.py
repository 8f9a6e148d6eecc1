"""Agreement on the grade, for studies with more than two labels: counts and a part of the card.

The other figures of a release count two sides, paraphrase or not.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from annotation.stats import agreement
from annotation.stats.agreement import VoteTable, as_key
from annotation.stats.agreement_tables import AGREEMENT_HEADER, coefficient
from common.tables import Row, as_markdown, count
from releases.dataset.agreement import (
    agreement_measures,
    counts_for_agreement,
    longer_by_method,
    read_votes,
    rows_of_all,
)
from releases.dataset.rows import ReleasedPair
from releases.dataset.settings import ReleaseSettings

VOTES, AGREEMENT = "votes_on_grade", "agreement_on_grade"
FIRST_VOTES = "first_votes_on_grade"
SIDES = "**On paraphrase or not**: grades from {threshold} up are one side, lower ones the other."
GRADES = "**On the grade**, from 0 to {highest}, which is harder to agree on:"
ORDINAL = "Ordinal alpha counts grades that are further apart as more disagreement."
REFERENCE = (
    "Pairs are graded as in PARADE: Yun He, Zhuoer Wang, Yin Zhang, Ruihong Huang and James "
    "Caverlee, [PARADE: A New Dataset for Paraphrase Identification Requiring Computer Science "
    "Domain Knowledge](https://aclanthology.org/2020.emnlp-main.611/), EMNLP 2020."
)


def count_grades(
    pairs: Iterable[ReleasedPair], tallies: Mapping[str, tuple[int, ...]], settings: ReleaseSettings
) -> dict[str, Any]:
    """Return the tallies of grades and the agreement on them by method, for a manifest.

    Counts the judged pairs whose votes a manifest counts. Empty if people do not grade.
    """
    if not (settings.scheme.is_binary and settings.scheme.folds):
        return {}
    votes = defaultdict[str, Counter[tuple[int, ...]]](Counter)
    for pair in pairs:
        if pair.votes and counts_for_agreement(pair, settings.judgments_per_pair):
            votes[pair.method][as_key(tallies[pair.id], pair.first)] += 1
    longer = longer_by_method(votes)
    return {
        VOTES: {method: rows_of_all(table) for method, table in sorted(votes.items())},
        **({FIRST_VOTES: longer} if longer else {}),
        AGREEMENT: {
            method: agreement_measures(votes[method], settings.scheme) for method in sorted(votes)
        },
    }


def tables(counts: Mapping[str, Any]) -> dict[str, VoteTable]:
    votes, longer = counts.get(VOTES, {}), counts.get(FIRST_VOTES, {})
    return {method: read_votes(votes[method], longer.get(method, ())) for method in sorted(votes)}


def all_different(counts: Mapping[str, Any]) -> int:
    """Count the pairs on which no two of at least three people gave the same grade."""
    rows = (row for votes in tables(counts).values() for row in votes.items())
    return sum(pairs for tally, pairs in rows if max(tally) == 1 and sum(tally) > 2)


def agreement_on_grades_markdown(counts: Mapping[str, Any]) -> str:
    rows: list[Row] = [(*AGREEMENT_HEADER, "Ordinal alpha")]
    for method, votes in tables(counts).items():
        measures = (
            agreement.human(votes),
            agreement.fleiss_kappa(votes),
            agreement.krippendorff_alpha(votes),
            agreement.krippendorff_alpha(votes, distance=agreement.ordinal),
        )
        pairs = count(sum(votes.values()))
        rows.append((f"`{method}`", pairs, *map(coefficient, measures)))
    return f"{as_markdown(rows)}\n{ORDINAL} {_all_different_sentence(all_different(counts))}"


def _all_different_sentence(pairs: int) -> str:
    where = "On 1 pair" if pairs == 1 else f"On {count(pairs)} pairs"
    return f"{where}, no two people gave the same grade."
