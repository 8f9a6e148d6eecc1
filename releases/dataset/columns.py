"""The columns of all files with rows: their names, types and descriptions."""

from dataclasses import dataclass
from enum import StrEnum

from releases.dataset.tables import TABLES


class Kind(StrEnum):
    """The type of a column, by its schema.org name."""

    TEXT = "sc:Text"
    WHOLE = "sc:Integer"
    NUMBER = "sc:Float"
    TRUTH = "sc:Boolean"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; if `many`, each cell is a list."""

    name: str
    about: str
    kind: Kind = Kind.TEXT
    many: bool = False


IN_TABLES = {
    column.name: column
    for column in (
        Column("id", "Id of the pair; judged and composed ones stand under it in pairs.jsonl"),
        Column("sentence1", "One sentence"),
        Column("sentence2", "The other sentence"),
        Column("label", "1: a paraphrase; 0: none", Kind.WHOLE),
        Column("noisy_label", "The label that the method suggests; nobody judged it", Kind.WHOLE),
        Column("votes0", "How many people say that it is no paraphrase", Kind.WHOLE),
        Column("votes1", "How many people say that it is a paraphrase", Kind.WHOLE),
    )
}
_SENTENCES = (
    Column("id", "Id of the sentence"),
    Column("text", "The sentence"),
    Column("source", "Id of the sentence that all its rewrites go back to; its own for a source"),
    Column("rewritten_from", "Id of the sentence that it was rewritten from; null for a source"),
    Column("method", "How it was rewritten; null for a source"),
    Column("correction", "accept or fix, where a person looked at the rewrite; else null"),
)
_PAIRS = (
    Column("id", "Id of the pair"),
    Column("sentence1", "Id of one sentence, in the order of the tables"),
    Column("sentence2", "Id of the other sentence"),
    Column("origin", "judged, or recombined from judged pairs"),
    Column("via", "Ids of the judged pairs that it was composed from", many=True),
    Column("method", "How one sentence became the other"),
    Column("votes", "Votes for 0 and for 1; null where nobody judged", Kind.WHOLE, many=True),
    Column("label", "1: a paraphrase; 0: none; null: not settled", Kind.WHOLE),
    Column("kept", "Whether enough people agree", Kind.TRUTH),
    Column("subset", "The table in which it stands, or null"),
    Column("split", "train, dev, test, or null"),
)
_JUDGMENTS = (
    Column("pair", "Id of the pair"),
    Column("annotator", "The person, under a random name that this release alone has"),
    Column("label", "The answer, on the scale of the study", Kind.WHOLE),
    Column("seconds", "How long it took, or null", Kind.NUMBER),
    Column("simulated", "Whether a program gave the answer", Kind.TRUTH),
)
_ADJUDICATIONS = (
    Column("pair", "Id of a judged pair that is not kept"),
    Column("label", "What an expert says: 1, 0, or null for neither", Kind.WHOLE),
)
_GUESTS = (
    Column("pair", "Id of the pair"),
    Column("guest", "Name of the model"),
    Column("revision", "Its revision"),
    Column("label", "What it says, on the scale of the study", Kind.WHOLE),
    Column("score", "How probable a paraphrase is to it, 0 to 1, or null", Kind.NUMBER),
)
# Columns by file path.
COLUMNS: dict[str, tuple[Column, ...]] = {
    **{
        path: tuple(IN_TABLES[name] for name in table.columns)
        for table in TABLES
        for path in (table.tsv, table.parquet)
    },
    "sentences.jsonl": _SENTENCES,
    "pairs.jsonl": _PAIRS,
    "judgments.jsonl": _JUDGMENTS,
    "adjudications.jsonl": _ADJUDICATIONS,
    "guests.jsonl": _GUESTS,
}
