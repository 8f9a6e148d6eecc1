"""A pair of a published set, and the ids of pairs and sentences: the files have none of these."""

from functools import cache
from typing import NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

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
    def place(self) -> tuple[Subset, Split]:
        """Subset and split of the table of the pair; low_agreement is one table."""
        return self.subset, "train" if self.label is None else self.split

    @property
    def votes(self) -> tuple[int, int] | None:
        if self.votes0 is None or self.votes1 is None:
            return None
        return self.votes0, self.votes1

    @property
    def soft_label(self) -> float | None:
        """The share of votes for a paraphrase; null without votes."""
        if self.votes is None or not sum(self.votes):
            return None
        return round(self.votes[1] / sum(self.votes), 6)


def namespace_of(name: str, version: str = "") -> UUID:
    """Return the namespace of the ids of a set's pairs, or, of no version, of its sentences."""
    return uuid5(NAMESPACE_URL, f"pawsmith:{name}\n{version}")


def sentence_id(name: str, text: str) -> str:
    """Return the id of a sentence of a set: equal texts are one sentence in all versions."""
    return str(uuid5(_sentences_of(name), text))


@cache
def _sentences_of(name: str) -> UUID:
    return namespace_of(name)
