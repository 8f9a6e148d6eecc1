"""The base class of all commands, and types of their arguments."""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.failures import EXPECTED, in_words

MOST_SEED = 2**63 - 1


class Command(BaseCommand):
    """A command that ends with a message where its surroundings fail: disk, database, encoding.

    `--traceback` shows where that was.
    """

    def execute(self, *args: Any, **options: Any) -> Any:
        try:
            return super().execute(*args, **options)
        except EXPECTED as error:
            raise CommandError(in_words(error)) from error


def at_least_one(text: str) -> int:
    """Parse a number of things. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 on")
    return int(text)


def from_zero(text: str) -> int:
    """Parse a number of things that may be 0. Raises ArgumentTypeError."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 on")
    return int(text)


def names(text: str) -> list[str]:
    """Return names with commas between."""
    return [name for name in map(str.strip, text.split(",")) if name]


def share(text: str) -> float:
    """Return a number from 0 to 1. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ArgumentTypeError(f"{text[:40]!r} is not a number from 0 to 1")
    return number


def seed(text: str) -> int:
    """Parse a seed, which the database stores in eight bytes. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text[:20]) > MOST_SEED:
        raise ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 to {MOST_SEED}")
    return int(text)
