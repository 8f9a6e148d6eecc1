"""Why lines were refused, in words that say what to do."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.imports.records import TableFault
from annotation.pairs.labelled_lines import LabelFault
from annotation.stats.labels import LONGEST_NAME
from generation.nlp.text import Reason
from generation.records import Fault

# Reasons that an import without IDs would not have.
ID_FAULTS = (Fault.DUPLICATE_ID, Fault.OTHER_TEXT)
NO_TEXT = _("It contains a character that isn’t text. Delete it.")
REASONS: Mapping[str, str | Promise] = {
    TableFault.TOO_LONG: _("The line is too long. Shorten or split it."),
    TableFault.BROKEN_TEXT: _("The line isn’t in the chosen encoding. Correct its characters."),
    TableFault.UNCLOSED: _(
        "A quotation mark opens here and isn’t closed in this line. Close or delete it."
    ),
    TableFault.SWALLOWED: _(
        "Not read, because a quotation mark before this line isn’t closed. Close or delete it."
    ),
    TableFault.WRONG_COLUMNS: _("Wrong number of columns: it needs as many as the first line."),
    TableFault.BAD_JSON: _("The line is not valid JSON."),
    TableFault.NOT_AN_OBJECT: _("The line is not a JSON object."),
    TableFault.NOT_A_STRING: _("A value is a list or an object. Use texts and numbers only."),
    TableFault.NOT_A_NUMBER: _(
        "A value is NaN, infinite, or a number too large. Enter a text, or delete the value."
    ),
    TableFault.REPEATED_NAME: _("The object has two values of one name. Delete one of them."),
    TableFault.NO_RESULT: _("A formula has no result. Open the file in Excel and save it."),
    TableFault.FORMULA_ERROR: _("A formula has an error. Correct it, or enter the text itself."),
    Reason.EMPTY: _("A required text is empty. If it’s a formula, save the file in Excel first."),
    Reason.TOO_LONG: _("A text is too long: the maximum is 2,000 characters."),
    Reason.NUL: NO_TEXT,
    Reason.SURROGATE: _("The line isn’t in the chosen encoding. Correct its characters."),
    Reason.CONTROL: NO_TEXT,
    Reason.NONCHARACTER: NO_TEXT,
    Reason.BYTES: _(
        "The text is Python code, b'…'. Decode it: ast.literal_eval(text).decode() gives the "
        "sentence."
    ),
    Reason.DIRECTION: _(
        "It contains an invisible character that changes text direction. Delete it."
    ),
    Reason.LINE_BREAK: _("A text contains a line break. Replace it with a space."),
    Reason.TAB: _("A text contains a tab. Replace it with a space."),
    Fault.BAD_ID: _("Invalid ID: at most 200 characters, without line breaks or tabs."),
    Fault.BAD_GROUP: _("Invalid group: at most 200 characters, without line breaks or tabs."),
    Fault.BAD_MODEL: _("Invalid model: at most 200 characters, without line breaks or tabs."),
    Fault.MISSING_ENTITY: _("The entity is empty. Enter what the text defines."),
    Fault.BAD_ENTITY: _("Invalid entity: at most 200 characters, without line breaks or tabs."),
    Fault.TOO_FEW_WORDS: _("The definition has only one word. Enter at least 2 words."),
    Fault.TOO_MANY_WORDS: _("The definition has more than 30 words. Shorten it."),
    Fault.NOT_A_TERM: _("The entity is not among the terms. Add it there, or delete the line."),
    Fault.OTHER_SCRIPT: _(
        "Most letters are not Latin, but the corpus is in English. Choose another corpus."
    ),
    Fault.SHARED_DEFINITION: _(
        "The corpus already has this text for another entity, or without one. Reword it if this "
        "entity needs it too."
    ),
    Fault.DUPLICATE_ID: _(
        "Another sentence in the corpus has this ID. Change the ID, or import the file without IDs."
    ),
    Fault.NEAR_DUPLICATE: _("It is nearly identical to a sentence in the corpus."),
    Fault.UNKNOWN_SENTENCE: _("The corpus has no sentence with this ID."),
    Fault.OTHER_TEXT: _("The corpus has a different text for this ID. Correct the ID or the text."),
    Fault.UNKNOWN_METHOD: _(
        "Unknown method: use word_swap, back_translation, prompted, definitions or imported."
    ),
    Fault.IDENTICAL: _("Both sentences are the same."),
    LabelFault.BAD_LABEL: _("This is no label of the project: give the value or the name of one."),
    LabelFault.BAD_PAIR: _("Invalid pair ID."),
    LabelFault.BAD_SCORE: _("The score is not a number from 0 to 1."),
    LabelFault.NO_OPEN_PAIR: _(
        "The pair isn’t open for judgment yet, so its label wasn’t stored. Upload the line again "
        "when it is."
    ),
    LabelFault.UNKNOWN_PAIR: _("This project has no such pair."),
    LabelFault.OF_STUDY: _("This pair is already part of the study. Use another one."),
    LabelFault.OTHER_LABEL: _("The pair already exists with another label."),
    LabelFault.OTHERWISE_BEFORE: _("The model already has another label for this pair."),
}


def of_line(reason: str, label: str = "") -> str:
    """Return why a line was refused, with its label where that is the reason."""
    if reason == LabelFault.BAD_LABEL and (text := label.strip()):
        words = gettext(
            "“%(label)s” is no label of the project: give the value or the name of one."
        )
        return words % {"label": text[:LONGEST_NAME]}
    return in_words(reason)


def in_words(reason: str) -> str:
    """Return why lines were refused; the reason itself if it has no words yet."""
    return str(REASONS.get(reason, reason.replace("_", " ")))
