"""The tables of a release: which there are, and the rows of each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from annotation.dataset.plan import ReleasePlan
from annotation.dataset.rows import ReleasedPair, SilverPair

Row = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Where a table lies, once as TSV and once as Parquet, and its columns.

    `values` are the integer columns that follow id, sentence1 and sentence2.
    """

    subset: str
    split: str
    tsv: str
    values: tuple[str, ...]

    @property
    def parquet(self) -> str:
        """Path of the Parquet file."""
        return f"parquet/{self.subset}/{self.split}.parquet"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns."""
        return ("id", "sentence1", "sentence2", *self.values)


# Pairs of low agreement are in no split; readers of datasets call the only part of a set "train".
TABLES = (
    Table("labeled_final", "train", "labeled_final/train.tsv", ("label",)),
    Table("labeled_final", "dev", "labeled_final/dev.tsv", ("label",)),
    Table("labeled_final", "test", "labeled_final/test.tsv", ("label",)),
    Table("labeled_swap", "train", "labeled_swap/train.tsv", ("label",)),
    Table("unlabeled_final", "train", "unlabeled_final/train.tsv", ("noisy_label",)),
    Table("unlabeled_final", "dev", "unlabeled_final/dev.tsv", ("noisy_label",)),
    Table("low_agreement", "train", "low_agreement.tsv", ("votes0", "votes1")),
)


def table_rows(table: Table, planned: ReleasePlan) -> Iterator[Row]:
    """The rows of a table, ordered by id."""
    if table.subset == "unlabeled_final":
        return silver_rows(table, planned.silver, planned.texts)
    return labelled_rows(table, planned.pairs, planned.texts)


def labelled_rows(
    table: Table, pairs: Iterable[ReleasedPair], texts: Mapping[str, str]
) -> Iterator[Row]:
    """Rows of pairs that people judged, and of those made of them."""
    for pair in pairs:
        if pair.subset == table.subset and (pair.split or "train") == table.split:
            values = pair.votes if pair.label is None else (pair.label,)
            yield (pair.id, texts[pair.sentence1], texts[pair.sentence2], *(values or ()))


def silver_rows(
    table: Table, pairs: Iterable[SilverPair], texts: Mapping[str, str]
) -> Iterator[Row]:
    """Rows of pairs that nobody judged."""
    for pair in pairs:
        if pair.split == table.split:
            yield (pair.id, texts[pair.sentence1], texts[pair.sentence2], pair.noisy_label)
