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
NO_ONE = -1
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
    """Counts pairs by who gave which answer, by their replies: memory grows with neither."""

    def __init__(self, replies: Mapping[Any, Mapping[str, str | None]]) -> None:
        """`replies` are those of each person, by question; others' answers count as others'."""
        rows = {person: tuple(row.items()) for person, row in replies.items()}
        self._rows = list(dict.fromkeys(rows.values()))
        self._row_of = {person: self._rows.index(row) for person, row in rows.items()}
        self._people = Counter(self._row_of.values())
        self._pairs = Counter[Answers]()

    def add_pair(self, answers: Iterable[tuple[Hashable, int]]) -> None:
        """Count a pair; `answers` are its people with the places of their labels."""
        of_rows = ((self._row_of.get(person, NO_ONE), place) for person, place in answers)
        self._pairs[tuple(sorted(of_rows))] += 1

    def groups(self, protocol: Protocol, least: int) -> Iterator[Group]:
        """Yield the groups of at least `least` people and FEWEST_ANSWERS answers."""
        compared = self._compared_with_others(protocol)
        choices = {(title, choice) for row in self._rows for title, choice in row if choice}
        for question, choice in sorted(choices):
            rows = {number for number, row in enumerate(self._rows) if (question, choice) in row}
            people = sum(self._people[number] for number in rows)
            if choice == OTHER or people < least:
                continue
            outcomes, with_majority = Counter[int](), Counter[tuple[int, int]]()
            for (row, outcome, majority), answers in compared.items():
                if row in rows:
                    outcomes[outcome] += answers
                    if majority is not None:
                        with_majority[outcome, majority] += answers
            if outcomes.total() >= FEWEST_ANSWERS:
                yield Group(
                    question,
                    choice,
                    people,
                    outcomes.total(),
                    headline_alpha(self._tallies(rows, protocol.scheme.size), protocol.scheme),
                    Confusion(with_majority).accuracy,
                    tuple(outcomes[outcome] for outcome in range(len(protocol.scheme.outcomes))),
                )

    def _compared_with_others(self, protocol: Protocol) -> Counter[tuple[int, int, int | None]]:
        """Count answers by row of replies, own outcome, and outcome of most others."""
        scheme, compared = protocol.scheme, Counter[tuple[int, int, int | None]]()
        for answers, pairs in self._pairs.items():
            own = [(row, scheme.outcome(place)) for row, place in answers]
            votes = _tally((outcome for _, outcome in own), len(scheme.outcomes))
            majorities = {
                outcome: _majority_of_others(votes, outcome, protocol)
                for outcome in {outcome for _, outcome in own}
            }
            for row, outcome in own:
                compared[row, outcome, majorities[outcome]] += pairs
        return compared

    def _tallies(self, rows: set[int], size: int) -> Counter[Tally]:
        """Count pairs by the answers of people with these rows of replies."""
        tallies = Counter[Tally]()
        for answers, pairs in self._pairs.items():
            tallies[_tally((place for row, place in answers if row in rows), size)] += pairs
        return tallies


def _tally(places: Iterable[int], size: int) -> Tally:
    numbers = [0] * size
    for place in places:
        numbers[place] += 1
    return tuple(numbers)


def _majority_of_others(votes: Tally, own: int, protocol: Protocol) -> int | None:
    """Return the outcome of most of the others; None in a tie, or if too few others have voted."""
    others = [number - (outcome == own) for outcome, number in enumerate(votes)]
    fewest = min(2, max(1, protocol.judgments_per_pair - 1))
    return most_frequent(others) if sum(others) >= fewest else None
