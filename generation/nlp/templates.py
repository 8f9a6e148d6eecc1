"""Templates: the slots of a sentence, and which phrases may fill each (PAWS 3.1, Figure 2b)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, groupby, permutations
from typing import Self

from generation.nlp import exchanges, fixed_phrases, phrases, vector_likeness
from generation.nlp.phrases import Kind, Phrase
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Token
from generation.nlp.vector_likeness import Likeness

NAMED = (Kind.NAME, Kind.DATE)


@dataclass(frozen=True, slots=True)
class Filler:
    """The content of a slot: words in mid-sentence spelling, and the spaces between them."""

    words: tuple[str, ...]
    spaces: tuple[str, ...]

    def text(self, *, capital: bool) -> str:
        """Return the words and spaces, with an initial capital for the beginning of a sentence."""
        words = list(self.words)
        place = first_word(words)
        if capital and place is not None:
            words[place] = capitalised(words[place])
        return "".join(map("".join, zip(words, (*self.spaces, ""), strict=True)))


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


@dataclass(frozen=True)
class Template:
    """The slots of a sentence and their distinct fillers, drawn without replacement.

    `capital` is True if the sentence begins with a capital letter. A template that is built from a
    sentence has its tokens, and the phrase that each slot holds or ends with.
    """

    fillers: tuple[Filler, ...]
    slots: tuple[Slot, ...]
    capital: bool
    tokens: tuple[Token, ...] = ()
    phrases: tuple[Phrase, ...] = ()

    @cached_property
    def source(self) -> tuple[int, ...]:
        return tuple(slot.source for slot in self.slots)

    @property
    def has_choice(self) -> bool:
        return any(len(slot.choices) > 1 for slot in self.slots)

    def words(self, filling: Sequence[int]) -> list[str]:
        return list(chain.from_iterable(self.fillers[number].words for number in filling))

    def moved_places(self, filling: Sequence[int]) -> frozenset[int]:
        """Return the places, in the source, of the words that a filling moves."""
        ends = list(accumulate(len(self.fillers[number].words) for number in self.source))
        slots = zip((0, *ends), ends, self.source, filling, strict=False)
        return frozenset(
            place for start, end, old, new in slots if old != new for place in range(start, end)
        )

    def text(self, filling: Sequence[int]) -> str:
        words = self.words(filling)
        place = first_word(words)
        if self.capital and place is not None:
            words[place] = capitalised(words[place])
        numbers_and_slots = zip(filling, self.slots, strict=True)
        spaces = chain.from_iterable(
            (*self.fillers[number].spaces, slot.space) for number, slot in numbers_and_slots
        )
        return "".join(map("".join, zip(words, spaces, strict=True)))

    def filler_texts(self) -> list[dict[int, str]]:
        """Return, for each slot, the text of each of its choices: preceding space and words.

        Joined, the texts of a filling form its sentence. The sentence's initial capital goes to
        the slot with the first word of the source.
        """
        firsts = (first_word(self.fillers[number].words) for number in self.source)
        opening = next((slot for slot, place in enumerate(firsts) if place is not None), None)
        spaces = ["", *(slot.space for slot in self.slots)]
        texts: list[dict[int, str]] = []
        for place, slot in enumerate(self.slots):
            capital = self.capital and place == opening
            fillers = {
                number: self.fillers[number].text(capital=capital) for number in slot.choices
            }
            texts.append({number: spaces[place] + text for number, text in fillers.items()})
        return texts


def first_word(words: Sequence[str]) -> int | None:
    """Return the place of the first word with a letter or digit; quotation marks do not count."""
    places = (place for place, word in enumerate(words) if any(map(str.isalnum, word)))
    return next(places, None)


def begins_lower(word: str) -> bool:
    """Whether a sentence-initial word is all lower-case; false for "iPod"."""
    return word[0].islower() and word == word.lower()


def uncapitalised(word: str) -> str:
    """Return the mid-sentence form of a word that is no name; "I", "NATO" and "iPod" are kept."""
    if len(word) == 1:
        return "a" if word == "A" else word
    return word if _has_inner_capital(word) else _replace_initial(word, word[0].lower())


def capitalised(word: str) -> str:
    """Return the sentence-initial form of a word; "iPod" and "eBay" are kept."""
    return word if _has_inner_capital(word) else _replace_initial(word, word[0].upper())


def _has_inner_capital(word: str) -> bool:
    return word[1:] != word[1:].lower()


def _replace_initial(word: str, initial: str) -> str:
    """Replace the initial, unless the change could not be reversed."""
    return initial + word[1:] if initial.swapcase() == word[0] else word


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tagged sentence split into phrases, in order and without gaps.

    `words` are in mid-sentence spelling; `capital` is True if the sentence begins with a capital
    letter. The tokens at the places `fixed` must not move.
    """

    tokens: Sequence[Token]
    words: Sequence[str]
    capital: bool
    phrases: Sequence[Phrase]
    fixed: Set[int]

    @classmethod
    def from_tagged(cls, tagged: TaggedSentence, settings: WordSwapSettings) -> Self:
        phrases_of_sentence = phrases.find(tagged, entity_probability=settings.entity_probability)
        fixed = fixed_phrases.find_fixed(
            tagged.tokens,
            phrases_of_sentence,
            quotes=settings.fix_quotes,
            brackets=settings.fix_brackets,
            dependent=settings.rules,
        )
        return cls(
            tagged.tokens, *inner_words(tagged, phrases_of_sentence), phrases_of_sentence, fixed
        )

    def is_free(self, phrase: Phrase) -> bool:
        return self.fixed.isdisjoint(range(phrase.start, phrase.end))


def build(
    sentence: Sentence, settings: WordSwapSettings, likeness: Likeness | None = None
) -> Template:
    """Build the template of the words, names, dates and numbers of a sentence.

    Without a `likeness`, words are exchanged regardless of how similarly they are used.
    """
    rules = exchanges.Exchanges(sentence.tokens, sentence.words, likeness, settings.likeness)
    movable = (phrase for phrase in sentence.phrases if phrase.kind in settings.movable)
    pools = ((phrase, exchanges.pool(phrase)) for phrase in movable if sentence.is_free(phrase))
    return assemble(
        sentence,
        sentence.phrases,
        {phrase: pool for phrase, pool in pools if pool is not None},
        rules.allows if settings.rules else _allow_any,
    )


def _allow_any(_one: Phrase, _other: Phrase) -> bool:
    return True


def assemble(
    sentence: Sentence,
    phrases: Sequence[Phrase],
    pool_of: Mapping[Phrase, str],
    allows: Callable[[Phrase, Phrase], bool],
) -> Template:
    """Build the template of a sentence of `phrases`, in order and without gaps.

    Two phrases of a pool may change places if `allows` the second in the place of the first.
    """
    fillers = _Fillers(sentence.tokens, sentence.words)
    numbers: dict[Phrase, int] = {}
    pools: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase, pool in pool_of.items():
        if (number := fillers.filler_number(pool, phrase)) is not None:
            numbers[phrase] = number
            pools[pool].append(phrase)
    choices = {phrase: {number} for phrase, number in numbers.items()}
    for members in pools.values():
        for phrase, other in permutations(members, 2):
            if numbers[other] != numbers[phrase] and allows(phrase, other):
                choices[phrase].add(numbers[other])
    slots, ends = fillers.fill(phrases, numbers, choices)
    return Template(fillers.all, slots, sentence.capital, tuple(sentence.tokens), ends)


def inner_words(tagged: TaggedSentence, phrases: Sequence[Phrase]) -> tuple[list[str], bool]:
    """Return the words in mid-sentence spelling, and whether the sentence begins with a capital."""
    words = [token.text for token in tagged.tokens]
    place = first_word(words)
    if place is None or begins_lower(words[place]):
        return words, False
    # Like "German" and "Germany", a proper word is capitalised in any position.
    is_proper = (
        any(phrase.kind in NAMED and phrase.start <= place < phrase.end for phrase in phrases)
        or any(entity.start <= place < entity.end for entity in tagged.entities)
        or words[place] in words[place + 1 :]
        or (
            tagged.tokens[place].tag[:2] == "JJ"
            and vector_likeness.load_embedded().is_proper(words[place])
        )
    )
    if not is_proper:
        words[place] = uncapitalised(words[place])
    return words, True


class _Fillers:
    """Collects and numbers the fillers of one sentence."""

    def __init__(self, tokens: Sequence[Token], words: Sequence[str]) -> None:
        self._tokens, self._words = tokens, words
        self._fillers: list[Filler] = []
        self._numbers: dict[tuple[str, ...], int] = {}

    def filler_number(self, pool: str, phrase: Phrase) -> int | None:
        """Return the filler number of a phrase, or None if the phrase must not move.

        Equal phrases of a pool share a number. A phrase that differs from an earlier one only in
        case must not move: the words are equal, but their spellings are not interchangeable.
        """
        words = tuple(self._words[phrase.start : phrase.end])
        key = (pool, *map(str.casefold, words))
        if key not in self._numbers:
            self._numbers[key] = self._add(phrase.start, phrase.end)
        number = self._numbers[key]
        return number if self._fillers[number].words == words else None

    def fill(
        self, phrases: Sequence[Phrase], numbers: dict[Phrase, int], choices: dict[Phrase, set[int]]
    ) -> tuple[tuple[Slot, ...], tuple[Phrase, ...]]:
        """Return one slot per phrase with a choice and per run of others, and its last phrase."""
        slots: list[Slot] = []
        ends: list[Phrase] = []
        for moves, group in groupby(phrases, key=lambda phrase: len(choices.get(phrase, ())) > 1):
            run = list(group)
            if moves:
                slots += (
                    self._slot(phrase, numbers[phrase], choices[phrase], phrase.kind)
                    for phrase in run
                )
                ends += run
            else:
                number = self._add(run[0].start, run[-1].end)
                slots.append(self._slot(run[-1], number, {number}, Kind.OTHER))
                ends.append(run[-1])
        return tuple(slots), tuple(ends)

    @property
    def all(self) -> tuple[Filler, ...]:
        return tuple(self._fillers)

    def _add(self, start: int, end: int) -> int:
        spaces = tuple(token.space for token in self._tokens[start : end - 1])
        self._fillers.append(Filler(tuple(self._words[start:end]), spaces))
        return len(self._fillers) - 1

    def _slot(self, last: Phrase, number: int, choices: set[int], kind: Kind) -> Slot:
        return Slot(kind, number, tuple(sorted(choices)), self._tokens[last.end - 1].space)
