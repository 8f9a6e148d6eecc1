"""What somebody finds who looks after an installation: what it is about, and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is: an error keeps people or workers from their work."""

    OK = "OK"
    WARNING = "WARNING"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, what was found, and what to do about it; nothing where all is well."""

    level: Level
    subject: str
    text: str
    advice: str = ""


def fine(subject: str, text: str) -> Finding:
    """All is well."""
    return Finding(Level.OK, subject, text)


def warning(subject: str, text: str, advice: str) -> Finding:
    """To be seen to soon."""
    return Finding(Level.WARNING, subject, text, advice)


def error(subject: str, text: str, advice: str) -> Finding:
    """To be seen to now."""
    return Finding(Level.ERROR, subject, text, advice)
