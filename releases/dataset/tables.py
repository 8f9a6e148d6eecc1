"""The tables of a release, and which rows belong to each."""

from dataclasses import dataclass

from releases.dataset.rows import ReleasedPair, SilverPair

Row = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The paths of a table, as TSV and as Parquet, and its columns.

    `values` are the integer columns that follow id, sentence1 and sentence2.
    """

    subset: str
    split: str
    tsv: str
    values: tuple[str, ...]

    @property
    def parquet(self) -> str:
        """Return the path of the Parquet file."""
        return f"parquet/{self.subset}/{self.split}.parquet"

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns."""
        return ("id", "sentence1", "sentence2", *self.values)


# Pairs of low agreement are in no split; `datasets` calls the only split of a dataset "train".
TABLES = (
    Table("labeled_final", "train", "labeled_final/train.tsv", ("label",)),
    Table("labeled_final", "dev", "labeled_final/dev.tsv", ("label",)),
    Table("labeled_final", "test", "labeled_final/test.tsv", ("label",)),
    Table("labeled_swap", "train", "labeled_swap/train.tsv", ("label",)),
    Table("unlabeled_final", "train", "unlabeled_final/train.tsv", ("noisy_label",)),
    Table("unlabeled_final", "dev", "unlabeled_final/dev.tsv", ("noisy_label",)),
    Table("low_agreement", "train", "low_agreement.tsv", ("votes0", "votes1")),
)


# Written only if there are rows.
EXTRAS = ("adjudications.jsonl", "guests.jsonl")
TABLE_AT = {(table.subset, table.split): table for table in TABLES}


def table_of(pair: ReleasedPair | SilverPair) -> Table | None:
    """Return the table of a pair; None if it is in no subset."""
    if isinstance(pair, SilverPair):
        return TABLE_AT["unlabeled_final", pair.split]
    return TABLE_AT[pair.subset, pair.split or "train"] if pair.subset else None


def values_of(pair: ReleasedPair | SilverPair) -> tuple[int, ...]:
    """Return the columns of a pair after its sentences: its label, or else its votes."""
    if isinstance(pair, SilverPair):
        return (pair.noisy_label,)
    return pair.votes or () if pair.label is None else (pair.label,)
