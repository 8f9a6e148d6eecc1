"""The tables of a release of a published set."""

from collections.abc import Iterable, Mapping
from functools import cache

from releases.dataset.cells import NUMBER, OPTIONAL_TEXT, OPTIONAL_WHOLE, TEXT
from releases.dataset.files import Column, Table
from releases.dataset.published.pairs import PublishedPair

_FIRST = (
    Column("id", "Id of the pair, made of its split and its own id or line"),
    Column("sentence1", "One sentence", attribute="text1"),
    Column("sentence2", "The other sentence", attribute="text2"),
    Column("label", "1: a paraphrase; 0: none; empty: too few people agree", OPTIONAL_WHOLE),
)
# Those that a set has, in this order; the last ones are of published sets alone.
_FURTHER: Mapping[str, Column] = {
    column.name: column
    for column in (
        Column("grade", "Its published grade", OPTIONAL_WHOLE),
        Column("mean", "Mean of the published answers", NUMBER),
        Column("votes0", "Number of votes against a paraphrase", OPTIONAL_WHOLE),
        Column("votes1", "Number of votes for a paraphrase", OPTIONAL_WHOLE),
        Column("soft_label", "Share of the votes for a paraphrase", NUMBER),
        Column("domain", "Where its sentences come from", OPTIONAL_TEXT),
        Column("method", "How one sentence became the other", OPTIONAL_TEXT),
        Column("entity", "What both sentences are about", OPTIONAL_TEXT),
        Column("split", "train, dev or test, also of pairs without a label"),
        Column("score", "Its published score", NUMBER),
        Column("published_id", "Its id in the published files", OPTIONAL_TEXT),
        Column("published_label", "Its label in the published files, unchanged", TEXT),
    )
}


def further_columns(pairs: Iterable[PublishedPair]) -> tuple[str, ...]:
    """Return the names of the columns that have a value, in their order."""
    missing = set(_FURTHER)
    for pair in pairs:
        missing -= {name for name in missing if getattr(pair, name) is not None}
        if not missing:
            break
    return tuple(name for name in _FURTHER if name not in missing)


@cache
def tables(further: tuple[str, ...] = tuple(_FURTHER)) -> tuple[Table, ...]:
    columns = (*_FIRST, *map(_FURTHER.__getitem__, further))
    return (
        Table("labeled_final", "train", "labeled_final/train.tsv", columns),
        Table("labeled_final", "dev", "labeled_final/dev.tsv", columns),
        Table("labeled_final", "test", "labeled_final/test.tsv", columns),
        Table("low_agreement", "train", "low_agreement.tsv", columns),
    )
