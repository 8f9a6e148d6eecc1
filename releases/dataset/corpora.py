"""Counts of a release by corpus: Tables 3 to 5 of PAWS have a column or a row for each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from releases.dataset.agreement import LONGER, rows_of_all, rows_of_longer
from releases.dataset.rows import ReleasedPair, SentenceRow

# A corpus and a method.
Source: TypeAlias = tuple[str, str]
# The subset and the split of a table, and a label.
Place: TypeAlias = tuple[str, str, int | None]
ACTIONS = ("accept", "fix", "reject")


@dataclass(slots=True)
class CorpusCounts:
    """Counts rows that name their corpus, as those of the first version do not."""

    votes: defaultdict[Source, Counter[tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    corrections: Counter[tuple[Source, str]] = field(default_factory=Counter)
    places: defaultdict[str, Counter[Place]] = field(default_factory=lambda: defaultdict(Counter))

    def add_pair(self, pair: ReleasedPair, votes: tuple[int, ...] | None) -> None:
        """Count a pair with the votes that are final."""
        if pair.domain is None:
            return
        if pair.subset:
            subset, split = pair.place
            self.places[pair.domain][subset or "", split, pair.label] += 1
        if votes:
            self.votes[pair.domain, pair.method][votes] += 1

    def add_sentence(self, row: SentenceRow) -> None:
        if row.correction is not None:
            self.corrections[(row.corpus or "", row.method or ""), row.correction] += 1

    def by_method(
        self, runs: Iterable[Mapping[str, Any]], taken_out: Mapping[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """Return the counts of each corpus and method; empty if no row named its corpus.

        `runs` are those of the manifest. `taken_out` has, by corpus and method, how many rewrites
        correctors rejected and how many pairs managers excluded, which are in no row; newer
        releases count the candidates that `repeats` the texts of another.
        """
        if not self.places:
            return {}
        raw = Counter[Source]()
        for run in runs:
            raw[run["corpus"], run["method"]] += run["candidates"]
        counts: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for source in sorted({*raw, *self.votes}):
            corpus, method = source
            numbers = {action: self.corrections[source, action] for action in ACTIONS}
            numbers |= {"raw": raw[source], "excluded": 0}
            numbers |= taken_out.get(corpus, {}).get(method, {})
            longer, votes = rows_of_longer(self.votes[source]), rows_of_all(self.votes[source])
            stated = {"votes": votes} | ({LONGER: longer} if longer else {})
            counts[corpus][method] = numbers | stated
        return dict(counts)


def taken_out_of(corpora: Mapping[str, Any]) -> dict[str, dict[str, dict[str, int]]]:
    """Return what the counts of a manifest state that no row of its release has."""
    return {
        corpus: {
            method: {
                **{key: numbers.get(key, 0) for key in ("reject", "excluded")},
                **({"repeats": numbers["repeats"]} if "repeats" in numbers else {}),
            }
            for method, numbers in methods.items()
        }
        for corpus, methods in corpora.items()
    }
