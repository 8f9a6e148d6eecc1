"""The files of a release of translations (PAWS-X) that have rows, and its settings."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme
from releases.dataset.files import Column, LineFile, Table
from releases.dataset.tables import answer_columns, sentence_columns
from releases.dataset.translated.rows import TranslationRow, UntranslatableRow, ValidationRow

TRANSLATED, BACK = "translated", "translate_test"
# What the pairs of a split are drawn for, if a study translates fewer than all.
DRAW = "translation {}"

SENTENCES = LineFile(
    "sentences.jsonl",
    TranslationRow,
    about="Every translation, by people or machine",
)
UNTRANSLATED = LineFile(
    "untranslated.jsonl",
    UntranslatableRow,
    about="Sentences that people could not translate, with their reasons",
    optional=True,
)
VALIDATIONS = LineFile(
    "validations.jsonl",
    ValidationRow,
    about="What second people said of a sample of the translations",
    optional=True,
)
# In the order of the card.
LINE_FILES = (SENTENCES, UNTRANSLATED, VALIDATIONS)

_ID = Column("id", "Id of the pair in the source release")


@cache
def tables(scheme: Scheme = SAME_OR_DIFFERENT) -> tuple[Table, ...]:
    """Return the tables, with the labels of the source; those without rows are left out."""
    columns = (_ID, *sentence_columns(scheme), *answer_columns(scheme))
    return (
        Table("translated", "train", "translated/train.tsv", columns),
        Table("translated", "dev", "translated/dev.tsv", columns),
        Table("translated", "test", "translated/test.tsv", columns),
        Table("translate_test", "dev", "translate_test/dev.tsv", columns),
        Table("translate_test", "test", "translate_test/test.tsv", columns),
    )


TABLES = tables()
BY_PLACE: Mapping[tuple[str | None, str | None], Table] = {table.place: table for table in TABLES}


@dataclass(frozen=True, slots=True)
class SourceRelease:
    """The release whose pairs were translated; `sha256` is that of its manifest.json."""

    name: str = ""
    version: str = ""
    sha256: str = ""


# Of new releases; see TranslationSettings.
NEWEST_LAYOUT = 2


@dataclass(frozen=True, slots=True)
class TranslationSettings:
    """Settings of a release of translations, in its manifest. Defaults follow PAWS-X 2.

    `source_language` and `language` are BCP 47 tags; `source` is the translated release. `dev` and
    `test` are the numbers of pairs drawn from it, None for all, with `seed`. `validated_share` is
    the share of translations that a second person looked at, and at least `least_validated` of each
    translator. Without `accepts_errors`, no translation waits for validation, and the word error
    rate is below `most_error`, overall and for each translator. `forward` and `backward`
    name the translation models; empty without machine translations. `scheme` has the labels of the
    source, unless they are two sides. In the first `layout`, documents count pairs of the source
    that lack only their machine translation back as pairs that could not be included.

    Raises ValueError if the languages are the same.
    """

    source_language: str
    language: str
    source: SourceRelease = field(default_factory=SourceRelease)
    seed: int = 0
    dev: int | None = None
    test: int | None = None
    validated_share: float = 0.1
    least_validated: int = 30
    most_error: float = 0.05
    accepts_errors: bool = False
    forward: str = ""
    backward: str = ""
    scheme: Scheme = SAME_OR_DIFFERENT
    layout: int = 1

    def __post_init__(self) -> None:
        if self.source_language == self.language:
            raise ValueError(
                f"the translations are in the language of their source, {self.language}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values; those of older releases lack the last two."""
        values = asdict(self) | {"scheme": self.scheme.to_dict()}
        if self.scheme.is_binary:
            del values["scheme"]
        if self.layout == 1:
            del values["layout"]
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "TranslationSettings":
        """Return settings from the values of `to_dict`. Raises TypeError for an unknown setting."""
        fields = dict(values)
        if "scheme" in fields:
            fields["scheme"] = Scheme.from_dict(fields["scheme"])
        return cls(**fields | {"source": SourceRelease(**fields.get("source", {}))})
