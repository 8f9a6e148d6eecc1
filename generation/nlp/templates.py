"""Templates: the slots of a sentence and the phrases that may fill each (PAWS 3.1, Figure 2b)."""

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
    """What can fill a slot: words as they are written inside a sentence, and the spaces within."""

    words: tuple[str, ...]
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of the template: what stands there in the source and what may stand there.

    Fillers are given by their place in the template's list. A slot with one choice stays as it is;
    a run of such words makes one slot. `space` follows whatever fills the slot.
    """

    kind: Kind
    source: int
    choices: tuple[int, ...]
    space: str


@dataclass(frozen=True, slots=True)
class Template:
    """The slots of a sentence and the distinct fillers that they draw from, without replacement.

    `capital` says whether the sentence begins with a capital letter.
    """

    fillers: tuple[Filler, ...]
    slots: tuple[Slot, ...]
    capital: bool

    @property
    def source(self) -> tuple[int, ...]:
        """The filling that gives the source sentence."""
        return tuple(slot.source for slot in self.slots)

    @property
    def has_choice(self) -> bool:
        """Whether any slot could be filled otherwise."""
        return any(len(slot.choices) > 1 for slot in self.slots)

    def words(self, filling: Sequence[int]) -> list[str]:
        """The words of a filling, as they are written inside a sentence."""
        return list(chain.from_iterable(self.fillers[number].words for number in filling))

    def text(self, filling: Sequence[int]) -> str:
        """The sentence that a filling gives, as it is written."""
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
    """The template of a tagged sentence: which phrases may move, and where to.

    Without a `likeness`, words are exchanged however differently they are used.
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
    """The words as they are written inside a sentence, and whether it begins with a capital."""
    words = [token.text for token in tagged.tokens]
    first = letter_case.first_word(words)
    if first is None or letter_case.begins_lower(words[first]):
        return words, False
    if not _is_proper(tagged, found, first):
        words[first] = letter_case.uncapitalised(words[first])
    return words, True


def _is_proper(tagged: TaggedSentence, found: Sequence[Phrase], first: int) -> bool:
    """Whether the first word has its capital wherever it stands: "German" as much as "Germany"."""
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
    """Tokens that keep the phrases which they are part of in their places."""
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
    """Numbers the fillers of one sentence."""

    def __init__(self, tagged: TaggedSentence, words: Sequence[str]) -> None:
        self.fillers: list[Filler] = []
        self._tokens = tagged.tokens
        self._words = words
        self._numbers: dict[tuple[str, ...], int] = {}

    def number(self, phrase: Phrase, pool: str | None) -> int | None:
        """The number of a phrase, which equal ones of its pool share; None where it must stay.

        A phrase that differs from an earlier one by its capitals alone stays: the two are equal
        words, but neither can stand for the other in writing.
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
        """What each phrase's place may hold: itself, and what of its pool fits there."""
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
        """One slot for each phrase with a choice and one for each run of all others."""
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
        """What others of the pool may enter a place, as its article and its sense go."""
        before = self._words[place.start - 1] if place.start else ""
        for phrase, number in members:
            fits_article = articles.agrees(before, self.fillers[number].words[0])
            if number != own and fits_article and allowed(place, phrase):
                yield number
