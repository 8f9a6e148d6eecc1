"""Translations that simulated people write: word by word, with the slips that they make.

No one reads them: they let a whole study run, with real words to count and errors to find.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from common.draws import draw

# Enough of a language to tell sentences apart; other words get one of the endings.
WORDS: Mapping[str, str] = {
    "a": "ein",
    "an": "ein",
    "and": "und",
    "by": "von",
    "from": "aus",
    "he": "er",
    "in": "in",
    "is": "ist",
    "it": "es",
    "not": "nicht",
    "of": "von",
    "on": "auf",
    "she": "sie",
    "the": "die",
    "to": "zu",
    "was": "war",
    "were": "waren",
    "with": "mit",
}
ENDINGS = ("en", "er", "ig", "ung", "al")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Wording:
    """A translation as it should be, and with a slip that a validator fixes."""

    right: str
    slip: str


def word_by_word(text: str, *, seed: int) -> Wording:
    """Return a translation of a sentence that depends only on the text and the seed.

    >>> word_by_word("She was in Rome.", seed=0).right.startswith("Sie war in Rome")
    True
    """
    right = _WORD.sub(lambda match: _translate_word(match[0], seed), text)
    return Wording(right, _add_slips(right, most=1, seed=seed))


def careless(text: str, *, seed: int) -> str:
    """Return a translation in which every third word is missing, as of someone in a hurry."""
    return _add_slips(word_by_word(text, seed=seed).right, most=len(text), seed=seed)


def _translate_word(word: str, seed: int) -> str:
    translation = WORDS.get(word.lower())
    text = translation or word + Random(draw(seed, "word", word)).choice(ENDINGS)
    return text.capitalize() if word[0].isupper() else text


def _add_slips(text: str, *, most: int, seed: int) -> str:
    """Leave out every third word, at most `most`; a single word gets a slip in its spelling."""
    words = text.split()
    if len(words) < 3:
        return f"{text} {text}"
    first = draw(seed, "slip", text) % 3
    left_out = set(range(first, len(words), 3)[:most])
    return " ".join(word for place, word in enumerate(words) if place not in left_out)
