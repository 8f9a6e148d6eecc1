"""The kinds of import: their fields, how a record becomes a line, and what they ask for.

A new kind is an entry here and its function in `services/work.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotation.imports.detection import Field, Text
from annotation.models import Import
from annotation.pairs import labelled_lines
from annotation.stats.labels import Scheme
from generation import flashcards, readers

# In bytes, of an uploaded file.
LARGEST_FILE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of import. `make` turns number and values into a line, or refuses it.

    `has_labels` says whether it takes the `scheme` of the project too. `has_corpus` says whether
    its sentences go to a corpus that people choose. `identity` names the field with the ID of a
    text, and the field with the text; with `adds_texts` each row adds its text. `deed` says what an
    import of some `number` does. `most_bytes` bounds the files of kinds whose lines are stored
    together.
    """

    name: str
    label: Text
    help: Text
    fields: tuple[Field, ...]
    make: Callable[..., Any]
    deed: Text
    has_labels: bool = False
    has_corpus: bool = False
    identity: tuple[str, str] = ("", "")
    adds_texts: bool = False
    most_bytes: int = LARGEST_FILE

    def maker(self, scheme: Scheme) -> Callable[..., Any]:
        """Return what makes lines for a project with these labels."""
        return partial(self.make, scheme=scheme) if self.has_labels else self.make

    @property
    def required(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.is_required)


FIRST = Field(
    "sentence1",
    _("First sentence"),
    ("sentence1", "sentence_1", "source", "original", "premise", "question1", "s1", "text1"),
    is_required=True,
    is_text=True,
)
SECOND = Field(
    "sentence2",
    _("Second sentence"),
    (
        *("sentence2", "sentence_2", "rewrite", "paraphrase", "candidate", "hypothesis"),
        *("question2", "s2", "text2", "target"),
    ),
    is_required=True,
    is_text=True,
)
PAIR = (FIRST, SECOND)
LABEL = Field(
    "label",
    _("Label"),
    ("label", "answer", "is_duplicate", "gold", "gold_label", "grade", "class"),
    is_required=True,
    help=_("The value or the name of a label, such as 0 or 1."),
)
EXPLANATION = Field(
    "explanation", _("Explanation"), ("explanation", "why", "reason", "comment"), is_text=True
)

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
                    is_text=True,
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
                    ("group", "document", "doc", "dok", "article", "title", "entity"),
                    help=_("Sentences of one group, such as a document, stay in one split."),
                ),
            ),
            readers.row,
            ngettext_lazy("Import %(number)s sentence", "Import %(number)s sentences", "n"),
            has_corpus=True,
            identity=("id", "text"),
            adds_texts=True,
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
                    is_text=True,
                    help=_("2 to 30 words."),
                ),
                Field(
                    "id",
                    _("ID"),
                    ("id", "external_id", "card_id", "key", "nr"),
                    help=_("Your own ID. The same ID is never added twice."),
                ),
            ),
            flashcards.card,
            ngettext_lazy("Import %(number)s flashcard", "Import %(number)s flashcards", "n"),
            has_corpus=True,
            identity=("id", "definition"),
            adds_texts=True,
        ),
        Kind(
            Import.Kind.PAIRS,
            _("Pairs"),
            _("Finished pairs: a source sentence and its rewrite."),
            (
                *PAIR,
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
                        "word_swap, back_translation, prompted, definitions or imported. Empty: "
                        "imported."
                    ),
                ),
                Field("model", _("Model"), ("model", "generator")),
                Field(
                    "pair_id",
                    _("ID of the pair"),
                    (
                        *("pair_id", "own_id", "pairid", "id", "guid", "uid", "uuid", "idx"),
                        *("external_id", "key", "nr"),
                    ),
                    is_id=True,
                    help=_("Your own ID, also in releases. It need not be unique."),
                ),
                Field(
                    "label",
                    _("Label"),
                    LABEL.aliases,
                    help=_("Compared with people’s labels, like those of a model. Never counted."),
                ),
            ),
            readers.pair_line,
            ngettext_lazy("Import %(number)s pair", "Import %(number)s pairs", "n"),
            has_corpus=True,
            identity=("sentence1_id", "sentence1"),
        ),
        Kind(
            Import.Kind.GOLD_PAIRS,
            _("Gold pairs"),
            _("Pairs with a known answer, mixed into the work to check attention."),
            (*PAIR, LABEL, EXPLANATION),
            labelled_lines.gold_pair,
            ngettext_lazy("Import %(number)s gold pair", "Import %(number)s gold pairs", "n"),
            has_labels=True,
            most_bytes=5_000_000,
        ),
        Kind(
            Import.Kind.QUALIFICATION,
            _("Qualification pairs"),
            _("Pairs that new annotators must answer before they start."),
            (*PAIR, LABEL, EXPLANATION),
            labelled_lines.gold_pair,
            ngettext_lazy(
                "Import %(number)s qualification pair", "Import %(number)s qualification pairs", "n"
            ),
            has_labels=True,
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
            ngettext_lazy(
                "Import %(number)s model judgment", "Import %(number)s model judgments", "n"
            ),
            has_labels=True,
        ),
    )
}
