"""Groups of a paraphrase and one to three exchanges of words (partial paraphrases 4)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import TypeAlias

from evaluation.ranking.classes import CLASSES, Unit, exchangeable_units, units_by_class
from generation.nlp import phrases, templates
from generation.nlp.phrases import Kind
from generation.nlp.tagging import TaggedSentence, Tagger
from generation.nlp.templates import Filler, Slot, Template

SWAPS = 3
# Of the candidates: the paraphrase, then the pivot after one, two and three exchanges.
DEGREES = (4, 3, 2, 1)
# Gives a number to each name; what has the lowest numbers is drawn.
Draw: TypeAlias = Callable[[str], int]


class Outcome(StrEnum):
    """What became of a pair."""

    RANKED = "ranked"
    EQUAL = "equal_sentences"
    TOO_FEW_GROUPS = "too_few_groups"
    REPEATS = "repeats"


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two words or names of one class that changed places; `one` came first."""

    group: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text to compare with the pivot; `swapped` is what made it of the candidate before."""

    text: str
    degree: int
    swapped: Exchange | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A pair's second sentence, its pivot, and four candidates with degrees 4, 3, 2, 1."""

    pair: str
    pivot: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Swapper:
    """Makes groups of pairs with one tagger, one seed and one choice of classes.

    A pair's group depends on the seed, its id and its texts, never on other pairs.
    """

    tagger: Tagger
    seed: int
    entity_probability: float
    classes: tuple[str, ...] = CLASSES

    def groups(self, pairs: Sequence[tuple[str, str, str]]) -> Iterator[Group | Outcome]:
        """Yield a group, or why there is none, for each paraphrase (id, a, b), in order."""
        tagged = self.tagger.tag(second for _, _, second in pairs)
        for (pair, first, second), sentence in zip(pairs, tagged, strict=True):
            if first == second:
                yield Outcome.EQUAL
            else:
                yield self._group(pair, first, second, sentence)

    def _group(self, pair: str, first: str, second: str, tagged: TaggedSentence) -> Group | Outcome:
        swapped = swap_candidates(
            tagged,
            seeded_draw(self.seed, pair),
            classes=self.classes,
            entity_probability=self.entity_probability,
        )
        if not swapped:
            return Outcome.TOO_FEW_GROUPS
        texts = (first, *(candidate.text for candidate in swapped))
        if len({second, *texts}) <= len(texts):
            return Outcome.REPEATS
        return Group(pair, second, (Candidate(first, DEGREES[0]), *swapped))


def seeded_draw(seed: int, name: str) -> Draw:
    """Return a draw that depends on the seed and the name alone, on every machine."""

    def number(what: str) -> int:
        digest = blake2b(f"{seed}\n{name}\n{what}".encode(), digest_size=8).digest()
        return int.from_bytes(digest)

    return number


def swap_candidates(
    tagged: TaggedSentence,
    draw: Draw,
    *,
    classes: Sequence[str] = CLASSES,
    entity_probability: float,
) -> tuple[Candidate, ...]:
    """Return the sentence after one, two and three exchanges; empty with fewer than three classes.

    Draws three classes by name, and in each two units by class and place, such as "noun 4".
    """
    found_phrases = phrases.find(tagged, entity_probability=entity_probability)
    words, capital = templates.inner_words(tagged, found_phrases)
    movable_units = exchangeable_units(
        tagged, classes=classes, entity_probability=entity_probability
    )
    units_of_class = units_by_class(movable_units, words)
    if len(units_of_class) < SWAPS:
        return ()
    classes_drawn = sorted(sorted(units_of_class), key=draw)[:SWAPS]
    moves = [_draw_two_units(units_of_class[name], draw) for name in classes_drawn]
    return tuple(
        _apply_exchanges(_Places.from_sentence(tagged, words, capital, movable_units), moves)
    )


def _draw_two_units(pool: Sequence[Unit], draw: Draw) -> list[Unit]:
    drawn = sorted(pool, key=lambda unit: draw(f"{unit.group} {unit.start}"))[:2]
    return sorted(drawn, key=lambda unit: unit.start)


@dataclass(frozen=True, slots=True)
class _Places:
    """A sentence as a template whose slots are its units and the other words, each by its start."""

    template: Template
    slots: dict[int, int]

    @classmethod
    def from_sentence(
        cls,
        tagged: TaggedSentence,
        words: Sequence[str],
        capital: bool,
        movable_units: Iterable[Unit],
    ) -> "_Places":
        ends = {unit.start: unit.end for unit in movable_units}
        fillers: list[Filler] = []
        slots: list[Slot] = []
        starts: dict[int, int] = {}
        place = 0
        while place < len(words):
            end = ends.get(place, place + 1)
            spaces = tuple(token.space for token in tagged.tokens[place : end - 1])
            starts[place] = number = len(fillers)
            fillers.append(Filler(tuple(words[place:end]), spaces))
            slots.append(Slot(Kind.OTHER, number, (number,), tagged.tokens[end - 1].space))
            place = end
        return cls(Template(tuple(fillers), tuple(slots), capital), starts)


def _apply_exchanges(places: _Places, moves: Iterable[Sequence[Unit]]) -> Iterator[Candidate]:
    """Yield the sentence after each exchange, made on top of those before.

    The white space stays in its place; the first word gets the capital of the sentence.
    """
    template, filling = places.template, list(places.template.source)
    for degree, (unit1, unit2) in zip(DEGREES[1:], moves, strict=True):
        slot1, slot2 = places.slots[unit1.start], places.slots[unit2.start]
        exchanged_texts = [
            template.fillers[filling[slot]].text(capital=False) for slot in (slot1, slot2)
        ]
        filling[slot1], filling[slot2] = filling[slot2], filling[slot1]
        yield Candidate(template.text(filling), degree, Exchange(unit1.group, *exchanged_texts))
