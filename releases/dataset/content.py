"""What a release holds, on its way into files: rows that pass once and are not kept."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from releases.dataset.plan import ReleasePlan
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow, SilverPair

KINDS = ("entries", "sentences", "judgments", "adjudications", "guests")
# Takes the name of a kind of rows, and the rows; gives the same rows.
Watch = Callable[[str, Iterable[Any]], Iterable[Any]]


class Entry(NamedTuple):
    """A pair of a release with the texts of its sentences, in released order."""

    pair: ReleasedPair | SilverPair
    sentence1: str
    sentence2: str


@dataclass(frozen=True, slots=True)
class AdjudicationRow:
    """What an expert says of a pair that is not kept: 1 paraphrase, 0 not, None neither."""

    pair: str
    label: int | None


@dataclass(frozen=True, slots=True)
class GuestRow:
    """What a model says of a judged pair, on the scale of the project; `score` is from 0 to 1."""

    pair: str
    guest: str
    revision: str
    label: int
    score: float | None


@dataclass(frozen=True, slots=True)
class Content:
    """All rows of a release, each kind in the order of its file.

    `entries` are the judged and recombined pairs and after them the unjudged ones, both ordered by
    id; the numbers are those of ReleasePlan. `reopened` counts the judged pairs that stand with the
    answers of a second panel, or a later one.
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
        """The same content, of which every row passes through `watch` under the name of its kind,
        one of KINDS."""
        rows: dict[str, Any] = {kind: watch(kind, getattr(self, kind)) for kind in KINDS}
        return replace(self, **rows)


def entries(planned: ReleasePlan) -> Iterator[Entry]:
    """The pairs of a plan with their texts."""
    texts = planned.texts
    pairs: Iterable[ReleasedPair | SilverPair] = chain(planned.pairs, planned.silver)
    for pair in pairs:
        yield Entry(pair, texts[pair.sentence1], texts[pair.sentence2])
