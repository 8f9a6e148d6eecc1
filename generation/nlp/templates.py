"""Templates: the slots of a sentence and the phrases allowed in each (PAWS 3.1, Figure 2b)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from generation.nlp.phrases import Kind


@dataclass(frozen=True, slots=True)
class Filler:
    """The content of a slot: words in mid-sentence spelling, and the spaces between them."""

    words: tuple[str, ...]
    spaces: tuple[str, ...]

    def text(self, *, capital: bool) -> str:
        """Return the words and spaces, with an initial capital for the beginning of a sentence."""
        words = list(self.words)
        first = first_word(words)
        if capital and first is not None:
            words[first] = capitalised(words[first])
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
        return tuple(slot.source for slot in self.slots)

    @property
    def has_choice(self) -> bool:
        return any(len(slot.choices) > 1 for slot in self.slots)

    def words(self, filling: Sequence[int]) -> list[str]:
        return list(chain.from_iterable(self.fillers[number].words for number in filling))

    def text(self, filling: Sequence[int]) -> str:
        """Return the sentence of a filling."""
        words = self.words(filling)
        first = first_word(words)
        if self.capital and first is not None:
            words[first] = capitalised(words[first])
        filled = zip(filling, self.slots, strict=True)
        spaces = chain.from_iterable((*self.fillers[n].spaces, slot.space) for n, slot in filled)
        return "".join(map("".join, zip(words, spaces, strict=True)))

    def filler_texts(self) -> list[dict[int, str]]:
        """Return, for each slot, the text of each of its choices: preceding space and words.

        Joined, the texts of a filling form its sentence. The sentence's initial capital goes to
        the slot with the first word of the source.
        """
        firsts = (first_word(self.fillers[number].words) for number in self.source)
        opening = next((slot for slot, first in enumerate(firsts) if first is not None), None)
        spaces = ["", *(slot.space for slot in self.slots)]
        return [
            {
                number: spaces[place]
                + self.fillers[number].text(capital=self.capital and place == opening)
                for number in slot.choices
            }
            for place, slot in enumerate(self.slots)
        ]


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
    return word if _has_inner_capital(word) else _with_initial(word, word[0].lower())


def capitalised(word: str) -> str:
    """Return the sentence-initial form of a word; "iPod" and "eBay" are kept."""
    return word if _has_inner_capital(word) else _with_initial(word, word[0].upper())


def _has_inner_capital(word: str) -> bool:
    return word[1:] != word[1:].lower()


def _with_initial(word: str, initial: str) -> str:
    """Replace the initial, unless the change could not be reversed."""
    return initial + word[1:] if initial.swapcase() == word[0] else word
