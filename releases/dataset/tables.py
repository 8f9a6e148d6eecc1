"""The tables of a release: which there are, and which rows stand in each."""

from dataclasses import dataclass

from releases.dataset.rows import ReleasedPair, SilverPair

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


# Of what only some releases hold: written when there are any rows.
EXTRAS = ("adjudications.jsonl", "guests.jsonl")
TABLE_AT = {(table.subset, table.split): table for table in TABLES}


def table_of(pair: ReleasedPair | SilverPair) -> Table | None:
    """The table in which a pair stands; None for one that is in no subset."""
    if isinstance(pair, SilverPair):
        return TABLE_AT["unlabeled_final", pair.split]
    return TABLE_AT[pair.subset, pair.split or "train"] if pair.subset else None


def values_of(pair: ReleasedPair | SilverPair) -> tuple[int, ...]:
    """What follows the sentences of a pair in its table: its label, or else its votes."""
    if isinstance(pair, SilverPair):
        return (pair.noisy_label,)
    return pair.votes or () if pair.label is None else (pair.label,)
