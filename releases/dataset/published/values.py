"""The forms that labels of published sets have.

The form holds for a whole column: 1 among 0 and 1 is a paraphrase, 1 among 0 to 3 is a grade.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from math import isfinite
from typing import Any, NamedTuple

_VOTES = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)")
_SIDES = {
    **dict.fromkeys(("0", "0.0", "false", "no", "negative"), 0),
    **dict.fromkeys(("1", "1.0", "true", "yes", "positive"), 1),
}
MISSING = frozenset(("", "-", "null", "nan", "NaN"))
# Next to 0 and 1 it hides the label of a test set.
HIDDEN = frozenset(("-1", "-1.0"))
MOST_GRADE = 9


class Cells(NamedTuple):
    """The cells of a row that say whether it is a paraphrase; votes are JSON."""

    label: str = ""
    grade: str = ""
    votes: str = ""


class Values(NamedTuple):
    """What the cells say; `label` is null if too few people agree."""

    label: int | None
    grade: int | None = None
    score: float | None = None
    mean: float | None = None
    votes0: int | None = None
    votes1: int | None = None

    @property
    def number(self) -> float | None:
        return self.score if self.grade is None else self.grade


class Dropped(StrEnum):
    """Why a row has no values: left out without a label, refused with one of another form."""

    NO_LABEL = "no_label"
    NO_FORM = "no_label_form"


def read_votes(text: str) -> tuple[int, int] | None:
    match = _VOTES.fullmatch(text)
    return match and (int(match[1]), int(match[2]))


def read_side(text: str) -> int | None:
    return _SIDES.get(text.casefold())


def read_score(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def read_grade(text: str) -> int | None:
    number = read_score(text)
    is_grade = number is not None and number.is_integer() and 0 <= number <= MOST_GRADE
    return int(number) if number is not None and is_grade else None


def read_annotations(text: str, names: Mapping[str, int]) -> list[float] | None:
    """Return the answers of a JSON list or object, numbers or names; None if one is neither."""
    try:
        values = json.loads(text)
    except ValueError:
        return None
    answers = [*values.values()] if isinstance(values, dict) else values
    if not isinstance(answers, list):
        return None
    texts = [str(answer) for answer in answers if answer is not None and str(answer) not in MISSING]
    numbers = [names[text] if text in names else read_score(text) for text in texts]
    return [number for number in numbers if number is not None] if None not in numbers else None


# In their order: a column has the first form that reads all of it.
FORMS: Mapping[str, Callable[[str], Any]] = {
    "votes": read_votes,
    "sides": read_side,
    "grades": read_grade,
    "scores": read_score,
}
NAMES, ANNOTATIONS, NUMBERS = "names", "annotations", ("grades", "scores")


def form_of(texts: Collection[str]) -> str:
    """Return the form of a column; "" if it has none."""
    labels = {text for text in texts if text not in MISSING}
    for form, read in FORMS.items():
        odd = {text for text in labels if read(text) is None}
        if labels - odd and (not odd or (form == "sides" and odd <= HIDDEN)):
            return form
    return ""
