"""Templates: the slots of a sentence and the phrases allowed in each (PAWS 3.1, Figure 2b)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from generation.nlp import (
    articles,
    compared_numbers,
    fixed_phrases,
    grammar_frames,
    letter_case,
    phrases,
)
from generation.nlp.change_kinds import Kind
from generation.nlp.exchange_rules import Exchanges
from generation.nlp.phrases import Phrase
from generation.nlp.swap_settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence
from generation.nlp.vector_likeness import Likeness

NAMED = (Kind.NAME, Kind.DATE)


@dataclass(frozen=True, slots=True)
class Filler:
    """The content of a slot: words in mid-sentence spelling, and the spaces between them."""

    words: tuple[str, ...]
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the template: its filler in the source and the allowed fillers.

    Fillers are indices into the template's list. A slot with one choice is fixed; a run of fixed
    words is one slot. `space` follows the filler.
    """

    kind: Kind
    source: int
    choices: tuple[int, ...]
    space: str


@dataclass(frozen=True, slots=True)
class Template:
    """The slots of a sentence and their distinct fillers, drawn without replacement.

    `capital` is True if the sentence begins with a capital letter.
    """

    fillers: tuple[Filler, ...]
    slots: tuple[Slot, ...]
    capital: bool

    @property
    def source(self) -> tuple[int, ...]:
        """The filling of the source sentence."""
        return tuple(slot.source for slot in self.slots)

    @property
    def has_choice(self) -> bool:
        """Whether any slot has more than one choice."""
        return any(len(slot.choices) > 1 for slot in self.slots)

    def words(self, filling: Sequence[int]) -> list[str]:
        """Return the words of a filling in mid-sentence spelling."""
        return list(chain.from_iterable(self.fillers[number].words for number in filling))

    def text(self, filling: Sequence[int]) -> str:
        """Return the sentence of a filling."""
        words = self.words(filling)
        first = letter_case.first_word(words)
        if self.capital and first is not None:
            words[first] = letter_case.capitalised(words[first])
        filled = zip(filling, self.slots, strict=True)
        spaces = chain.from_iterable((*self.fillers[n].spaces, slot.space) for n, slot in filled)
        return "".join(map("".join, zip(words, spaces, strict=True)))


def build(
    tagged: TaggedSentence, settings: WordSwapSettings, likeness: Likeness | None = None
) -> Template:
    """Build the template of a tagged sentence: which phrases may move, and where to.

    Without a `likeness`, words are exchanged regardless of how similarly they are used.
    """
    found = phrases.find(tagged, entity_probability=settings.entity_probability)
    words, capital = _inner_words(tagged, found)
    pools = _pools(tagged, found, settings)
    builder = _Builder(tagged, words)
    numbers = [builder.number(phrase, pool) for phrase, pool in zip(found, pools, strict=True)]
    exchanges = Exchanges(tagged.tokens, words, likeness, settings.likeness)
    choices = builder.choices(found, pools, numbers, exchanges.allows)
    slots = tuple(builder.slots(found, numbers, choices))
    return Template(tuple(builder.fillers), slots, capital)


def _inner_words(tagged: TaggedSentence, found: Sequence[Phrase]) -> tuple[list[str], bool]:
    """Return the words in mid-sentence spelling, and whether the sentence begins with a capital."""
    words = [token.text for token in tagged.tokens]
    first = letter_case.first_word(words)
    if first is None or letter_case.begins_lower(words[first]):
        return words, False
    if not _is_proper(tagged, found, first):
        words[first] = letter_case.uncapitalised(words[first])
    return words, True


def _is_proper(tagged: TaggedSentence, found: Sequence[Phrase], first: int) -> bool:
    """Whether the first word is capitalised in any position, like "German" and "Germany"."""
    words = [token.text for token in tagged.tokens]
    return (
        any(phrase.kind in NAMED and phrase.start <= first < phrase.end for phrase in found)
        or any(entity.start <= first < entity.end for entity in tagged.entities)
        or words[first] in words[first + 1 :]
    )


def _pools(
    tagged: TaggedSentence, found: Sequence[Phrase], settings: WordSwapSettings
) -> list[str | None]:
    held = _held(tagged, found, settings)
    return [
        grammar_frames.pool(tagged.tokens, phrase)
        if phrase.kind in settings.movable and held.isdisjoint(range(phrase.start, phrase.end))
        else None
        for phrase in found
    ]


def _held(tagged: TaggedSentence, found: Sequence[Phrase], settings: WordSwapSettings) -> set[int]:
    """Return the tokens whose phrases must keep their place."""
    tokens = tagged.tokens
    held = fixed_phrases.in_ranges(tokens, found) | compared_numbers.compared(tokens, found)
    held |= fixed_phrases.mentioned_again(tokens, found)
    held |= {
        phrase.start for phrase in found if fixed_phrases.is_glued(tokens, phrase.start, phrase.end)
    }
    if settings.fix_brackets:
        held |= fixed_phrases.in_brackets(tokens)
    if settings.fix_quotes:
        held |= fixed_phrases.in_quotes(tokens)
    return held


class _Builder:
    """Collects and numbers the fillers of one sentence."""

    def __init__(self, tagged: TaggedSentence, words: Sequence[str]) -> None:
        self.fillers: list[Filler] = []
        self._tokens = tagged.tokens
        self._words = words
        self._numbers: dict[tuple[str, ...], int] = {}

    def number(self, phrase: Phrase, pool: str | None) -> int | None:
        """Return the filler number of a phrase, or None if the phrase must not move.

        Equal phrases of a pool share a number. A phrase that differs from an earlier one only in
        case must not move: the words are equal, but their spellings are not interchangeable.
        """
        if pool is None:
            return None
        words = tuple(self._words[phrase.start : phrase.end])
        key = (pool, *map(str.casefold, words))
        if key not in self._numbers:
            self._numbers[key] = self._add(phrase.start, phrase.end)
        number = self._numbers[key]
        return number if self.fillers[number].words == words else None

    def choices(
        self,
        found: Sequence[Phrase],
        pools: Sequence[str | None],
        numbers: Sequence[int | None],
        allowed: Callable[[Phrase, Phrase], bool],
    ) -> list[tuple[int, ...]]:
        """Return the fillers allowed in each phrase's place: itself and others of its pool."""
        members: defaultdict[str, list[tuple[Phrase, int]]] = defaultdict(list)
        for phrase, pool, number in zip(found, pools, numbers, strict=True):
            if pool is not None and number is not None:
                members[pool].append((phrase, number))
        rows = zip(found, pools, numbers, strict=True)
        return [
            ()
            if pool is None or number is None
            else tuple(sorted({number, *self._fitting(members[pool], phrase, number, allowed)}))
            for phrase, pool, number in rows
        ]

    def slots(
        self,
        found: Sequence[Phrase],
        numbers: Sequence[int | None],
        choices: Sequence[tuple[int, ...]],
    ) -> Iterator[Slot]:
        """Yield one slot per phrase with a choice and one per run of other phrases."""
        rows = zip(found, numbers, choices, strict=True)
        for moves, group in groupby(rows, key=lambda row: len(row[2]) > 1):
            run = list(group)
            if moves:
                yield from (self._slot(p.kind, n, c, p.end) for p, n, c in run if n is not None)
            else:
                number = self._add(run[0][0].start, run[-1][0].end)
                yield self._slot(Kind.OTHER, number, (number,), run[-1][0].end)

    def _slot(self, kind: Kind, number: int, choices: tuple[int, ...], end: int) -> Slot:
        return Slot(kind, number, choices, self._tokens[end - 1].space)

    def _add(self, start: int, end: int) -> int:
        spaces = tuple(token.space for token in self._tokens[start : end - 1])
        self.fillers.append(Filler(tuple(self._words[start:end]), spaces))
        return len(self.fillers) - 1

    def _fitting(
        self,
        members: Sequence[tuple[Phrase, int]],
        place: Phrase,
        own: int,
        allowed: Callable[[Phrase, Phrase], bool],
    ) -> Iterator[int]:
        """Yield other members of the pool that fit a place in article and sense."""
        before = self._words[place.start - 1] if place.start else ""
        for phrase, number in members:
            fits_article = articles.agrees(before, self.fillers[number].words[0])
            if number != own and fits_article and allowed(place, phrase):
                yield number
