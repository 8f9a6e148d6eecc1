"""The sets that models train and are tested on, and what they share."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.data import Pairs
from releases.dataset.rows import ReleasedPair, SentenceRow
from releases.dataset.texts import same

SILVER = "unlabeled_final/train.tsv"
NOTHING = Pairs.from_rows([])


@dataclass(frozen=True, eq=False)
class Dataset:
    """The labelled pairs of a release. `known` has the rows of pairs.jsonl by id.

    Of a published set it has the labelled pairs, and `sentences` their texts. Releases of
    translations have neither, which are of their source.
    `columns` has the further columns of the tables (COLUMNS_READ): the cell of each pair by its id.
    `kinds` has the kind of change of each pair of dev and test by id, where it was looked for
    (`changes`).
    """

    name: str
    version: str
    language: str
    sha256: str
    simulated: bool
    train: Pairs
    dev: Pairs
    test: Pairs
    swap: Pairs = NOTHING
    known: Mapping[str, ReleasedPair] | None = None
    sentences: tuple[SentenceRow, ...] = ()
    kinds: Mapping[str, str] | None = None
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # The domain whose pairs these are, if not all of the release.
    part: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}" + (f", {self.part}" if self.part else "")

    @property
    def identity(self) -> dict[str, Any]:
        """The release in JSON; `sha256` is of its manifest, which has that of every file."""
        names = ("name", "version", "language", "sha256", "simulated")
        return {name: getattr(self, name) for name in names}

    def split(self, name: str) -> Pairs:
        pairs: Pairs = getattr(self, name)
        return pairs


@dataclass(frozen=True, eq=False)
class Base:
    """Another set to train on, such as Quora Question Pairs.

    A tenth of a file is its dev set; a release has its own, and a test set.
    """

    name: str
    sha256: str
    train: Pairs
    dev: Pairs
    test: Pairs = NOTHING

    @property
    def identity(self) -> dict[str, Any]:
        sizes = {"train": len(self.train), "dev": len(self.dev)}
        sizes |= {"test": len(self.test)} if len(self.test) else {}
        return {"name": self.name, "sha256": self.sha256, **sizes}


@dataclass(frozen=True, eq=False)
class Silver:
    """Noisy pairs of a release, how many were left out, and the models that learn from them first.

    Left out are pairs with a sentence of dev or test.
    """

    pairs: Pairs
    left_out: int
    models: tuple[str, ...]

    @property
    def identity(self) -> dict[str, Any]:
        """What the pairs are, in JSON; the digest of the release has that of their table."""
        return {"table": SILVER, "pairs": len(self.pairs), "left_out": self.left_out}


def labels(pairs: Pairs) -> set[int]:
    return {int(label) for label in set(pairs.labels.tolist())}


def texts(pairs: Pairs) -> dict[str, str]:
    """Return a text of each sentence of the pairs, by `same`; no empty ones."""
    return {same(text): text for text in {*pairs.first, *pairs.second} if text.strip()}


def shared(some: Pairs, others: Pairs) -> list[str]:
    """Return the sentences that two sets share, in alphabetical order, as `some` writes them."""
    ours = texts(some)
    return sorted(ours[key] for key in ours.keys() & texts(others).keys())


def together(parts: Iterable[Pairs]) -> Pairs:
    return sum(parts, start=NOTHING)


def apart(pairs: Pairs, others: Pairs) -> Pairs:
    """Return the pairs that share no sentence (`same`) with the others."""
    keys = {*texts(others)}
    apart = (keys.isdisjoint(map(same, sentences)) for sentences in pairs.texts)
    return pairs.take([at for at, is_apart in enumerate(apart) if is_apart])
