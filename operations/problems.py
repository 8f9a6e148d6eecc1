"""Findings about an installation: the subject, the problem, and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """The severity: an error keeps people or workers from working."""

    OK = "OK"
    WARNING = "WARNING"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `advice` is empty if there is no problem."""

    level: Level
    subject: str
    text: str
    advice: str = ""


def fine(subject: str, text: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(Level.OK, subject, text)


def warning(subject: str, text: str, advice: str) -> Finding:
    """Return a problem to fix soon."""
    return Finding(Level.WARNING, subject, text, advice)


def error(subject: str, text: str, advice: str) -> Finding:
    """Return a problem to fix immediately."""
    return Finding(Level.ERROR, subject, text, advice)
