"""Splits running text into sentences with spaCy's rules."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

LONGEST_PART = 100_000


def split_sentences(text: str, *, language: str = "en") -> Iterator[str]:
    """Yield the sentences of a passage, split at punctuation but not at known abbreviations.

    Passages are cut at a space at most every 100,000 characters to bound memory. Raises ImportError
    if spaCy has no rules for the language.
    """
    for part in _parts(text):
        for sentence in _sentencizer(language)(part).sents:
            yield sentence.text.strip()


def _parts(text: str) -> Iterator[str]:
    while len(text) > LONGEST_PART:
        cut = text.rfind(" ", 0, LONGEST_PART) + 1 or LONGEST_PART
        yield text[:cut]
        text = text[cut:]
    yield text


@cache
def _sentencizer(language: str) -> "Language":
    import spacy

    nlp = spacy.blank(language)
    nlp.add_pipe("sentencizer")
    return nlp
