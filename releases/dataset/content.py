"""The content of a release on its way to files: rows are streamed once and not kept."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from releases.dataset.plan import ReleasePlan
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow, SilverPair

KINDS = ("entries", "sentences", "judgments", "adjudications", "guests")
# Takes the name of a kind of rows, and the rows; returns the same rows.
Watch = Callable[[str, Iterable[Any]], Iterable[Any]]


class Entry(NamedTuple):
    """A pair of a release with the texts of its sentences, in released order."""

    pair: ReleasedPair | SilverPair
    sentence1: str
    sentence2: str


@dataclass(frozen=True, slots=True)
class AdjudicationRow:
    """An expert decision on a pair that is not kept: 1 paraphrase, 0 not, None unclear."""

    pair: str
    label: int | None


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A model's label of a judged pair, on the scale of the project; `score` is from 0 to 1."""

    pair: str
    guest: str
    revision: str
    label: int
    score: float | None


@dataclass(frozen=True, slots=True)
class Content:
    """All rows of a release, each kind in the order of its file.

    `entries` are the judged and recombined pairs, then the unjudged ones, each ordered by id; the
    counts are those of ReleasePlan. `reopened` counts judged pairs whose answers come from a second
    or later round.
    """

    entries: Iterable[Entry]
    sentences: Iterable[SentenceRow]
    judgments: Iterable[JudgmentRow]
    adjudications: Iterable[AdjudicationRow] = ()
    guests: Iterable[GuestRow] = ()
    conflicts: int = 0
    unknown: int = 0
    silver_left_out: int = 0
    reopened: int = 0

    def watched(self, watch: Watch) -> "Content":
        """Return the same content, with the rows of each kind passed through `watch`."""
        rows: dict[str, Any] = {kind: watch(kind, getattr(self, kind)) for kind in KINDS}
        return replace(self, **rows)


def entries(planned: ReleasePlan) -> Iterator[Entry]:
    """The pairs of a plan with their texts."""
    texts = planned.texts
    pairs: Iterable[ReleasedPair | SilverPair] = chain(planned.pairs, planned.silver)
    for pair in pairs:
        yield Entry(pair, texts[pair.sentence1], texts[pair.sentence2])
