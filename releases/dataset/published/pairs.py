"""A pair of a published set."""

from typing import NamedTuple

from releases.dataset.rows import Split, Subset


class PublishedPair(NamedTuple):
    """A pair as its release has it; `label` is null if too few people agree."""

    id: str
    text1: str
    text2: str
    label: int | None
    split: Split
    published_label: str
    published_id: str | None = None
    grade: int | None = None
    score: float | None = None
    mean: float | None = None
    votes0: int | None = None
    votes1: int | None = None
    entity: str | None = None
    domain: str | None = None
    method: str | None = None

    @property
    def subset(self) -> Subset:
        return "low_agreement" if self.label is None else "labeled_final"

    @property
    def soft_label(self) -> float | None:
        """The share of votes for a paraphrase; null without votes."""
        if self.votes0 is None or self.votes1 is None:
            return None
        votes = self.votes0 + self.votes1
        return round(self.votes1 / votes, 6) if votes else None
