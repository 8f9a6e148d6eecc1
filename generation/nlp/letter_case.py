"""Handles capital letters that are due to the position at the start of a sentence."""

from collections.abc import Sequence


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
