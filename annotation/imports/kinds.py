"""The kinds of import: their fields, how a record becomes a line, and what they ask for.

A new kind is an entry here and its function in `services/work.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.utils.translation import gettext_lazy as _

from annotation.imports.records import TableRecord
from annotation.models import Import
from annotation.pairs import labelled_lines
from generation import flashcards, readers
from generation.nlp.text import RefusedText
from generation.records import Refusal, RefusedLine

# In bytes, of an uploaded file.
LARGEST_FILE = 1_000_000_000
Text: TypeAlias = Any  # str, or one that is translated when it is shown
Make: TypeAlias = Callable[[int, dict[str, str], int], Any]


@dataclass(frozen=True, slots=True)
class Field:
    """What a column may hold; `aliases` are names of columns that hold it in usual files."""

    name: str
    label: Text
    aliases: tuple[str, ...] = ()
    is_required: bool = False
    help: Text = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of import. `make` turns number, values and highest label into a line, or refuses it.

    `has_corpus` says whether its sentences go to a corpus that people choose. `identity` names the
    field with the ID of a text, and the field with the text. `most_bytes` bounds the files of
    kinds whose lines are stored together.
    """

    name: str
    label: Text
    help: Text
    fields: tuple[Field, ...]
    make: Make
    has_corpus: bool = False
    identity: tuple[str, str] = ("", "")
    most_bytes: int = LARGEST_FILE

    @property
    def required(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.is_required)


def _sentence(number: int, values: dict[str, str], _max_label: int) -> readers.Row:
    return readers.row(number, values)


def _pair(number: int, values: dict[str, str], _max_label: int) -> readers.PairLine:
    return readers.pair_line(number, values)


def _card(number: int, values: dict[str, str], _max_label: int) -> flashcards.Card:
    return flashcards.card(number, values)


def line_of(
    record: TableRecord, kind: Kind, columns: Mapping[str, int], max_label: int
) -> Any | Refusal:
    """Return what a kind makes of a record, or its refusal; `columns` are numbers by field."""
    if record.fault:
        return Refusal(record.number, record.fault)
    places = {field.name: columns[field.name] for field in kind.fields if field.name in columns}
    cells = record.cells
    values = {name: cells[at] if at < len(cells) else "" for name, at in places.items()}
    try:
        return kind.make(record.number, values, max_label)
    except (RefusedText, RefusedLine) as refused:
        return Refusal(record.number, refused.reason)


FIRST = Field(
    "sentence1",
    _("First sentence"),
    ("sentence1", "sentence_1", "source", "original", "premise", "question1", "s1", "text1"),
    is_required=True,
)
SECOND = Field(
    "sentence2",
    _("Second sentence"),
    (
        *("sentence2", "sentence_2", "rewrite", "paraphrase", "candidate", "hypothesis"),
        *("question2", "s2", "text2", "target"),
    ),
    is_required=True,
)
LABEL = Field(
    "label",
    _("Label"),
    ("label", "answer", "is_duplicate", "gold", "gold_label", "grade", "class"),
    is_required=True,
    help=_("A number on the scale of the project, such as 0 or 1."),
)
EXPLANATION = Field("explanation", _("Explanation"), ("explanation", "why", "reason", "comment"))

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            Import.Kind.SENTENCES,
            _("Sentences"),
            _("Source sentences, from which candidates are generated."),
            (
                Field(
                    "text",
                    _("Sentence"),
                    ("text", "sentence", "sentences", "satz", "source", "sentence1", "content"),
                    is_required=True,
                ),
                Field(
                    "id",
                    _("ID"),
                    ("id", "external_id", "sentence_id", "key", "nr"),
                    help=_("Your own ID. The same ID is never added twice."),
                ),
                Field(
                    "group",
                    _("Group"),
                    ("group", "document", "doc", "article", "title", "entity"),
                    help=_("Sentences of one group, such as a document, stay in one split."),
                ),
            ),
            _sentence,
            has_corpus=True,
            identity=("id", "text"),
        ),
        Kind(
            Import.Kind.FLASHCARDS,
            _("Flashcards"),
            _("Entities with their definitions, which are paired with each other."),
            (
                Field(
                    "entity",
                    _("Entity"),
                    ("entity", "term", "word", "concept", "front", "title", "name"),
                    is_required=True,
                    help=_("What the text defines. Annotators don’t see it."),
                ),
                Field(
                    "definition",
                    _("Definition"),
                    ("definition", "text", "description", "meaning", "back"),
                    is_required=True,
                    help=_("2 to 30 words."),
                ),
                Field(
                    "id",
                    _("ID"),
                    ("id", "external_id", "card_id", "key", "nr"),
                    help=_("Your own ID. The same ID is never added twice."),
                ),
            ),
            _card,
            has_corpus=True,
            identity=("id", "definition"),
        ),
        Kind(
            Import.Kind.PAIRS,
            _("Pairs"),
            _("Finished pairs: a source sentence and its rewrite."),
            (
                FIRST,
                SECOND,
                Field(
                    "sentence1_id",
                    _("ID of the first sentence"),
                    ("sentence1_id", "source_id", "id1"),
                ),
                Field(
                    "method",
                    _("Method"),
                    ("method",),
                    help=_(
                        "word_swap, back_translation, definitions or imported. Empty: imported."
                    ),
                ),
                Field("model", _("Model"), ("model", "generator")),
                Field(
                    "label",
                    _("Label"),
                    LABEL.aliases,
                    help=_("Compared with people’s labels, like those of a model. Never counted."),
                ),
            ),
            _pair,
            has_corpus=True,
            identity=("sentence1_id", "sentence1"),
        ),
        Kind(
            Import.Kind.GOLD_PAIRS,
            _("Gold pairs"),
            _("Pairs with a known answer, mixed into the work to check attention."),
            (FIRST, SECOND, LABEL, EXPLANATION),
            labelled_lines.gold_pair,
            most_bytes=5_000_000,
        ),
        Kind(
            Import.Kind.QUALIFICATION,
            _("Qualification pairs"),
            _("Pairs that new annotators must answer before they start."),
            (FIRST, SECOND, LABEL, EXPLANATION),
            labelled_lines.gold_pair,
            most_bytes=1_000_000,
        ),
        Kind(
            Import.Kind.MODEL_JUDGMENTS,
            _("Model judgments"),
            _("A model’s labels for pairs of this project, to compare with people’s."),
            (
                Field("pair", _("Pair"), ("pair", "pair_id", "id"), is_required=True),
                LABEL,
                Field("score", _("Score"), ("score", "probability"), help=_("From 0 to 1.")),
            ),
            labelled_lines.model_judgment,
        ),
    )
}
