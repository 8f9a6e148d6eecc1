"""Failures of the surroundings, such as a full disk or a read-only database, in words."""

from django.core.exceptions import ValidationError
from django.db import DataError, InterfaceError, InternalError, OperationalError

OF_DATABASE = (OperationalError, InternalError, InterfaceError, DataError)
# Of SQLite; it does not say which file.
NO_FILE = "unable to open database file"
CANNOT_OPEN = (
    "The database file cannot be opened. Make its folder, or let this user write to it; "
    "PAWSMITH_DATA_DIR names the folder."
)
NO_TABLE = "no such table"  # of SQLite
NOT_MIGRATED = "The database has no tables yet, or old ones. Run the command `migrate` first."
EXPECTED = (OSError, EOFError, UnicodeError, ValidationError, *OF_DATABASE)


def in_words(error: Exception) -> str:
    """Return what failed and why, in one line and without code. Takes errors of EXPECTED."""
    if isinstance(error, ValidationError):
        return "; ".join(error.messages)
    if isinstance(error, OF_DATABASE):
        reason, *_ = f"{error}".splitlines() or [""]
        if reason == NO_FILE:
            return CANNOT_OPEN
        if reason.startswith(NO_TABLE):
            return NOT_MIGRATED
        return f"The database did not carry this out: {reason}."
    if isinstance(error, UnicodeError):
        return f"A text is not valid Unicode: {error}."
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(str(part) for part in (error.filename, error.strerror) if part)
    return str(error) or "A file ends too early."
