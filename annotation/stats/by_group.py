"""How the people agree who gave the same reply to a question: among themselves, and with others."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from annotation.stats.agreement import Confusion, Estimate, Tally, headline_alpha
from annotation.stats.consensus import Protocol, most_frequent
from annotation.stats.groups import OTHER

# Fewer answers of a group say too little.
FEWEST_ANSWERS = 50
NOBODY = -1
# The answers to a pair: each as the number of its author's row of replies, and a label's place.
Answers: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """People who made the same choice, and their answers.

    `alpha` is the headline alpha among them, `with_others` the share of their answers that equal
    the majority of all other answers to the pair; `outcomes` counts their answers by outcome.
    """

    question: str
    choice: str
    people: int
    answers: int
    alpha: Estimate
    with_others: Estimate
    outcomes: tuple[int, ...]


class AnswersByGroup:
    """Counts pairs by who gave which answer, as told by replies: memory grows with neither."""

    def __init__(self, replies: Mapping[Any, Mapping[str, str | None]]) -> None:
        """`replies` are those of each person, by question; others' answers count as others'."""
        rows = {person: tuple(row.items()) for person, row in replies.items()}
        self._rows = list(dict.fromkeys(rows.values()))
        self._row_of = {person: self._rows.index(row) for person, row in rows.items()}
        self._people = Counter(self._row_of.values())
        self._pairs = Counter[Answers]()

    def add_pair(self, answers: Iterable[tuple[Hashable, int]]) -> None:
        """Count a pair; `answers` are its people with the places of their labels."""
        of_rows = ((self._row_of.get(person, NOBODY), place) for person, place in answers)
        self._pairs[tuple(sorted(of_rows))] += 1

    def groups(self, protocol: Protocol, least: int) -> Iterator[Group]:
        """Yield the groups of at least `least` people and FEWEST_ANSWERS answers."""
        choices = {(title, choice) for row in self._rows for title, choice in row if choice}
        for question, choice in sorted(choices):
            rows = {number for number, row in enumerate(self._rows) if (question, choice) in row}
            people = sum(self._people[number] for number in rows)
            if choice != OTHER and people >= least:
                group = self._group(question, choice, people, rows, protocol)
                if group.answers >= FEWEST_ANSWERS:
                    yield group

    def _group(
        self, question: str, choice: str, people: int, rows: set[int], protocol: Protocol
    ) -> Group:
        scheme, tallies = protocol.scheme, Counter[Tally]()
        compared, outcomes = Counter[tuple[int, int]](), Counter[int]()
        for answers, pairs in self._pairs.items():
            of_group = [place for row, place in answers if row in rows]
            tallies[_tally(of_group, scheme.size)] += pairs
            votes = scheme.votes(_tally([place for _, place in answers], scheme.size))
            for outcome in map(scheme.outcome, of_group):
                outcomes[outcome] += pairs
                majority = _majority_of_others(votes, outcome, protocol)
                if majority is not None:
                    compared[outcome, majority] += pairs
        return Group(
            question,
            choice,
            people,
            outcomes.total(),
            headline_alpha(tallies, scheme),
            Confusion(compared).accuracy,
            tuple(outcomes[outcome] for outcome in range(len(scheme.outcomes))),
        )


def _tally(places: Iterable[int], size: int) -> Tally:
    numbers = Counter(places)
    return tuple(numbers[place] for place in range(size))


def _majority_of_others(votes: Tally, own: int, protocol: Protocol) -> int | None:
    """Return the outcome of most of the others; None in a tie, or if too few others have voted."""
    others = [number - (outcome == own) for outcome, number in enumerate(votes)]
    fewest = min(2, max(1, protocol.judgments_per_pair - 1))
    return most_frequent(others) if sum(others) >= fewest else None
