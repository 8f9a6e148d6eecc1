"""Capital letters that come from standing first in a sentence, not from the word itself."""

from collections.abc import Sequence


def first_word(words: Sequence[str]) -> int | None:
    """The place of the first word that has a letter or digit: quotation marks do not count."""
    places = (place for place, word in enumerate(words) if any(map(str.isalnum, word)))
    return next(places, None)


def begins_lower(word: str) -> bool:
    """Whether a word is written small where sentences begin; "iPod" has a capital of its own."""
    return word[0].islower() and word == word.lower()


def uncapitalised(word: str) -> str:
    """The word as it stands inside a sentence, when it is no name; "I", "NATO" and "iPod" stay."""
    if len(word) == 1:
        return "a" if word == "A" else word
    return word if _has_inner_capital(word) else _with_initial(word, word[0].lower())


def capitalised(word: str) -> str:
    """The word as it stands at the beginning of a sentence; "iPod" and "eBay" stay."""
    return word if _has_inner_capital(word) else _with_initial(word, word[0].upper())


def _has_inner_capital(word: str) -> bool:
    return word[1:] != word[1:].lower()


def _with_initial(word: str, initial: str) -> str:
    """The word with this first letter, unless the change could not be taken back."""
    return initial + word[1:] if initial.swapcase() == word[0] else word
