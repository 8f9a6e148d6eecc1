"""Why lines were refused, in words that say what to do."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.imports.records import TableFault
from annotation.pairs.labelled_lines import LabelFault
from generation.nlp.text import Reason
from generation.records import Fault

NO_TEXT = _("It contains a character that isn’t text. Delete it.")
REASONS: Mapping[str, str | Promise] = {
    TableFault.TOO_LONG: _("The line is too long. Shorten or split it."),
    TableFault.BROKEN_TEXT: _("It isn’t in the chosen encoding. Correct its letters."),
    TableFault.UNCLOSED: _("A quotation mark opens here and isn’t closed. Close or delete it."),
    TableFault.WRONG_COLUMNS: _("Wrong number of columns: it needs as many as the first line."),
    TableFault.BAD_JSON: _("The line is not valid JSON."),
    TableFault.NOT_AN_OBJECT: _("The line is not a JSON object."),
    TableFault.NOT_A_STRING: _("A value is a list or an object. Use texts and numbers only."),
    TableFault.FORMULA_ERROR: _("A formula has an error. Correct it, or enter the text itself."),
    Reason.EMPTY: _("A required text is empty. If it’s a formula, save the file in Excel first."),
    Reason.TOO_LONG: _("A text is too long: 2,000 characters are the most."),
    Reason.NUL: NO_TEXT,
    Reason.SURROGATE: _("It isn’t in the chosen encoding. Correct its letters."),
    Reason.CONTROL: NO_TEXT,
    Reason.NONCHARACTER: NO_TEXT,
    Reason.DIRECTION: _(
        "It contains an invisible character that changes text direction. Delete it."
    ),
    Reason.LINE_BREAK: _("A text contains a line break. Replace it with a space."),
    Reason.TAB: _("A text contains a tab. Replace it with a space."),
    Fault.BAD_ID: _("Invalid ID: at most 200 characters, without line breaks or tabs."),
    Fault.BAD_GROUP: _("Invalid group: at most 200 characters, without line breaks or tabs."),
    Fault.BAD_MODEL: _("Invalid model: at most 200 characters, without line breaks or tabs."),
    Fault.DUPLICATE_ID: _("The corpus has another sentence with this ID. Change the ID."),
    Fault.NEAR_DUPLICATE: _("It nearly repeats a sentence of the corpus."),
    Fault.UNKNOWN_SENTENCE: _("The corpus has no sentence with this ID."),
    Fault.OTHER_TEXT: _("The corpus has another text under this ID. Correct the ID or the text."),
    Fault.UNKNOWN_METHOD: _("Unknown method: use word_swap, back_translation or imported."),
    Fault.IDENTICAL: _("Both sentences are the same."),
    LabelFault.BAD_LABEL: _("The label is not on this project’s scale."),
    LabelFault.BAD_PAIR: _("Invalid pair ID."),
    LabelFault.BAD_SCORE: _("The score is not a number from 0 to 1."),
    LabelFault.NO_OPEN_PAIR: _(
        "The pair isn’t open for judgment yet, so its label wasn’t stored. Upload the line again "
        "when it is."
    ),
    LabelFault.UNKNOWN_PAIR: _("This project has no such pair."),
    LabelFault.OF_STUDY: _("The study itself has this pair."),
    LabelFault.OTHER_LABEL: _("The pair is there already, with another label."),
    LabelFault.OTHERWISE_BEFORE: _("The model already has another label for this pair."),
}


def in_words(reason: str) -> str:
    """Return why a line was refused; the reason itself if it has no words yet."""
    return str(REASONS.get(reason, reason.replace("_", " ")))
