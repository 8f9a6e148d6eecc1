"""The records of uploaded tables, and what may be wrong with one or with the whole table."""

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

MAX_COLUMNS = 200
# In characters: longer lines are refused, and never held in memory.
MAX_RECORD = 100_000


class TableFault(StrEnum):
    """Why a line of a table was refused, whatever it was to become."""

    TOO_LONG = "record_too_long"
    BROKEN_TEXT = "broken_text"
    UNCLOSED = "unclosed_quotation"
    WRONG_COLUMNS = "other_number_of_columns"
    BAD_JSON = "bad_json"
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_STRING = "not_a_string"
    FORMULA_ERROR = "formula_error"


class UnreadableTable(ValueError):
    """The table as a whole cannot be read; the message says why and what to do."""


class TooWide(UnreadableTable):
    """The table has more than MAX_COLUMNS columns."""

    def __init__(self) -> None:
        text = _(
            "The file has more than %(most)s columns. Delete the columns that you don’t need "
            "and upload it again."
        )
        super().__init__(text % {"most": MAX_COLUMNS})


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A line of a table, numbered from 1 as its file is; the fault is why it cannot be used."""

    number: int
    cells: list[str]
    fault: TableFault | None = None
