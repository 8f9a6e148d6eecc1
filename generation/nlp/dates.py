"""Finds dates in running text by pattern, so that the parts of a date move together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_SEASONS = "spring summer autumn fall winter"

_MONTH_NUMBERS = {month: number for number, month in enumerate(_MONTHS.title().split(), 1)}
_LETTERS = {
    **dict.fromkeys(_MONTHS.title().split(), "m"),
    **dict.fromkeys(_DAYS.title().split(), "w"),
    **dict.fromkeys(_SEASONS.split(), "s"),
    ",": ",",
    "of": "o",
    "century": "c",
}
_NUMBER_LETTERS = (
    (re.compile(r"(?:1\d|20)\d\d"), "y"),
    (re.compile(r"(?:1\d|20)?\d0s"), "e"),
    (re.compile(r"(?:0?[1-9]|[12]\d|3[01])"), "d"),
    (re.compile(r"(?:[12]?1st|2?2nd|2?3rd|1?[4-9]th|1[0-3]th|20th)"), "t"),
)
# One letter per token; the first form that matches at a place is used.
_FORMS = (
    ("full", re.compile(r"dm,?y|md,y")),
    ("day", re.compile(r"dm|md")),
    ("month", re.compile(r"mo?,?y")),
    ("season", re.compile(r"so?y")),
    ("century", re.compile(r"tc")),
    ("year", re.compile(r"y")),
    ("decade", re.compile(r"e")),
    ("month_name", re.compile(r"m")),
    ("weekday", re.compile(r"w")),
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date over words[start:end]; only dates of the same form can replace each other."""

    start: int
    end: int
    form: str


def find(words: Sequence[str]) -> list[Date]:
    """Return the dates in a sentence, in order and without overlap.

    >>> find(["On", "April", "2", ",", "1947", "it", "rained"])
    [Date(start=1, end=5, form='full')]
    """
    return list(_scan("".join(map(_letter, words))))


def order(words: Sequence[str]) -> tuple[int, int, int]:
    """Return year (or decade, or century), month and day of a date, 0 for missing parts.

    >>> order(["April", "2", ",", "1947"]) < order(["May", "1947"])
    True
    """
    year = month = day = 0
    for word in words:
        number = int("0" + "".join(filter(str.isdigit, word)))
        if word in _MONTH_NUMBERS:
            month = _MONTH_NUMBERS[word]
        elif _letter(word) == "d":
            day = number
        elif number:
            year = number
    return year, month, day


def _scan(letters: str) -> Iterator[Date]:
    place = 0
    while place < len(letters):
        date = None if letters[place] == "." else _at(letters, place)
        if date:
            yield date
        place = date.end if date else place + 1


def _at(letters: str, place: int) -> Date | None:
    for form, pattern in _FORMS:
        if match := pattern.match(letters, place):
            return Date(place, match.end(), form)
    return None


def _letter(word: str) -> str:
    if not word[0].isdigit():
        return _LETTERS.get(word, ".")
    return next((letter for pattern, letter in _NUMBER_LETTERS if pattern.fullmatch(word)), ".")
