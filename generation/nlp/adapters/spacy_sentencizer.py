"""Splitting running text into sentences with spaCy's rules."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

LONGEST_PART = 100_000


def split_sentences(text: str, *, language: str = "en") -> Iterator[str]:
    """The sentences of a passage, by punctuation; abbreviations that spaCy knows do not end one.

    A passage is cut every 100,000 characters, at a space, so that memory stays bounded. Raises
    ImportError where spaCy has no rules for the language.
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
