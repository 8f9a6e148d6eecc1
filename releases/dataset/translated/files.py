"""The files of a release of translations (PAWS-X) that have rows."""

from collections.abc import Mapping

from releases.dataset.files import LABELLED, Column, LineFile, Table
from releases.dataset.translated.rows import TranslationRow, UntranslatableRow, ValidationRow

FORMAT = "pawsmith-translation/1"
TRANSLATED, BACK = "translated", "translate_test"

SENTENCES = LineFile(
    "sentences.jsonl",
    TranslationRow,
    about="Every translation, by people or machine",
    card="every translation, by people or machine",
)
UNTRANSLATED = LineFile(
    "untranslated.jsonl",
    UntranslatableRow,
    about="Sentences that people could not translate, with their reasons",
    card="sentences that people could not translate, with their reasons",
    optional=True,
)
VALIDATIONS = LineFile(
    "validations.jsonl",
    ValidationRow,
    about="What second people said of a sample of the translations",
    card="what second people said of a sample of the translations",
    optional=True,
)
# In the order of the card.
LINE_FILES = (SENTENCES, UNTRANSLATED, VALIDATIONS)

_COLUMNS = (Column("id", "Id of the pair in the source release"), *LABELLED[1:])
# Those without rows are left out.
TABLES = (
    Table("translated", "train", "translated/train.tsv", _COLUMNS),
    Table("translated", "dev", "translated/dev.tsv", _COLUMNS),
    Table("translated", "test", "translated/test.tsv", _COLUMNS),
    Table("translate_test", "dev", "translate_test/dev.tsv", _COLUMNS),
    Table("translate_test", "test", "translate_test/test.tsv", _COLUMNS),
)
BY_PLACE: Mapping[tuple[str | None, str | None], Table] = {
    (table.subset, table.split): table for table in TABLES
}
