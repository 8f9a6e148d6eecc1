"""What people write where the files do not say it: in options of a command, or on a page."""

from argparse import ArgumentTypeError
from collections.abc import Iterable
from math import isfinite

from releases.dataset.rows import SPLITS, Split

DRAWN: tuple[Split, ...] = ("dev", "test")


def parse_named(text: str) -> dict[str, str]:
    """Return the entries of "NAME=VALUE,...". Raises ArgumentTypeError, as all functions here."""
    entries = [entry.partition("=") for entry in text.split(",")]
    if not all(name.strip() and value.strip() for name, _equals, value in entries):
        raise ArgumentTypeError(f"{text[:40]!r} is not NAME=VALUE,...")
    return {name.strip(): value.strip() for name, _equals, value in entries}


def parse_split(text: str) -> tuple[Split, str]:
    name, _equals, path = text.partition("=")
    split = next((split for split in SPLITS if split == name.strip()), None)
    if split is None or not path.strip():
        raise ArgumentTypeError(f"{text[:40]!r} is not train=FILE, dev=FILE or test=FILE")
    return split, path.strip()


def splits_by_file(entries: Iterable[tuple[Split, str]]) -> dict[str, Split | None]:
    """Return the split of each file."""
    splits: dict[str, Split | None] = {}
    for split, path in entries:
        if path in splits:
            raise ArgumentTypeError(f"{path} cannot be {splits[path]} and {split}: split the file")
        splits[path] = split
    return splits


def parse_labels(text: str) -> dict[str, int]:
    labels = parse_named(text)
    if not {*labels.values()} <= {"0", "1"}:
        raise ArgumentTypeError(f"{text[:40]!r} has a label that is neither 1 nor 0")
    return {name: int(label) for name, label in labels.items()}


def parse_votes(text: str) -> tuple[int, int]:
    yes, _comma, no = text.partition(",")
    return _positive(yes), _positive(no)


def _positive(text: str) -> int:
    if not (text.strip().isdecimal() and int(text)):
        raise ArgumentTypeError(f"{text[:40]!r} is no whole number from 1 on")
    return int(text)


def parse_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise ArgumentTypeError(f"{text[:40]!r} is no number")
    return number


def parse_sizes(text: str) -> dict[Split, int | float]:
    """Return the sizes of splits: whole numbers of pairs, or shares with a point."""
    sizes = parse_named(text)
    if not {*sizes} <= {*DRAWN}:
        raise ArgumentTypeError(f"{text[:40]!r} is not dev=SIZE,test=SIZE")
    return {split: _size(sizes[split]) for split in DRAWN if split in sizes}


def _size(text: str) -> int | float:
    number = parse_number(text)
    return number if "." in text else int(number)
