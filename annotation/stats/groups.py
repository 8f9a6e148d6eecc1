"""What may be published of replies: totals without small groups, rows without rare ones.

A reply is a choice, None for “I’d rather not say”.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Choice = TypeVar("Choice", bound=Hashable)
Person = TypeVar("Person", bound=Hashable)
# Replaces choices that too few people made.
OTHER = "other"


def totals(replies: Sequence[Choice], least: int) -> tuple[int, dict[Choice, int]]:
    """Return how many replies are counted, and the choices that at least `least` of them made.

    Only whole batches of `least` replies are counted, in order: if every reply was, whoever looks
    before and after one would know it. The smallest of the numbers is left out, too, if fewer than
    `least` people made other choices, or if it is that of everybody: the rest would tell of them.

    >>> totals(["a", "b", "a", "b", "a"], 2)
    (4, {'a': 2, 'b': 2})
    >>> totals(["a", "b", "a", "a", "b"], 2)
    (4, {})
    """
    counted = replies[: len(replies) - len(replies) % least]
    numbers = Counter(counted)
    frequent = {choice: n for choice, n in numbers.items() if n >= least}
    others = len(counted) - sum(frequent.values())
    if frequent and (0 < others < least or len(numbers) == 1 < least):
        del frequent[min(frequent, key=frequent.__getitem__)]
    return len(counted), frequent


def without_rare(
    replies: Mapping[Person, Mapping[str, str | None]], least: int
) -> dict[Person, dict[str, str | None]]:
    """Return the replies of each person by question, without what fewer than `least` people share.

    A choice that fewer people made becomes OTHER. A person whose combination is then rarer has
    only None. All people are asked the same questions.

    >>> people = {"a": {"Age": "30"}, "b": {"Age": "30"}, "c": {"Age": "40"}}
    >>> without_rare(people, 2)
    {'a': {'Age': '30'}, 'b': {'Age': '30'}, 'c': {'Age': None}}
    """
    merged = _with_merged_choices(replies, least)
    sizes = Counter(tuple(row.values()) for row in merged.values())
    return {
        person: row if sizes[tuple(row.values())] >= least else dict.fromkeys(row)
        for person, row in merged.items()
    }


def _with_merged_choices(
    replies: Mapping[Person, Mapping[str, str | None]], least: int
) -> dict[Person, dict[str, str | None]]:
    titles = list(dict.fromkeys(title for row in replies.values() for title in row))
    frequent = {
        title: _frequent((row.get(title) for row in replies.values()), least) for title in titles
    }
    return {
        person: {title: _merged(row.get(title), frequent[title]) for title in titles}
        for person, row in replies.items()
    }


def _frequent(choices: Iterable[str | None], least: int) -> set[str]:
    """Return the choices that enough people made. A choice called “Other” is among the merged."""
    numbers = Counter(choice for choice in choices if choice is not None)
    return {choice for choice, n in numbers.items() if n >= least and choice.casefold() != OTHER}


def _merged(choice: str | None, frequent: set[str]) -> str | None:
    return choice if choice is None or choice in frequent else OTHER
