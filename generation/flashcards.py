"""Flashcards: an entity and a definition of it (PARADE 3.1), and spellings of one entity."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

import snowballstemmer

from generation.nlp.text import MAX_CHARACTERS, check
from generation.nlp.words import COMBINING, pieces
from generation.readers import label
from generation.records import Fault, Record, Refusal, RefusedLine

# By white space; in scripts without spaces two characters are enough. No definition of PARADE has
# fewer or more.
FEWEST_WORDS, MOST_WORDS = 2, 30
MOSTLY_ONCE = 0.9
# As in "C++" and "C#", which are other entities than "C".
_WORD = re.compile(rf"(?:[^\W_]+[{COMBINING}]*)+[+#]*")
# As in "virtual machine(s)".
_OPTIONAL_PLURAL = re.compile(r"\((e?s)\)")
_STEMMERS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A flashcard of a file; lines are counted from 1."""

    line: int
    entity: str
    definition: str
    external_id: str = ""


@dataclass(slots=True)
class Columns:
    """Watches the cards of a file: if its columns are swapped, entities are the longer texts."""

    cards: int = 0
    entities: set[int] = field(default_factory=set)
    excess: int = 0  # words of entities less those of definitions

    def count_cards(self, lines: Iterable[Card | Refusal]) -> Iterator[Card | Refusal]:
        for line in lines:
            if isinstance(line, Card):
                self.cards += 1
                self.entities.add(hash(line.entity))
                self.excess += len(pieces(line.entity)) - len(pieces(line.definition))
            yield line

    @property
    def look_swapped(self) -> bool:
        return len(self.entities) > MOSTLY_ONCE * self.cards and self.excess > 0


def card(number: int, record: Record) -> Card:
    """Return the flashcard of a record. Raises RefusedText or RefusedLine."""
    definition = check(record.get("definition", ""), max_characters=MAX_CHARACTERS)
    entity = label(record.get("entity", ""), Fault.BAD_ENTITY)
    if not entity.strip():
        raise RefusedLine(Fault.MISSING_ENTITY)
    return Card(number, entity, definition, label(record.get("id", ""), Fault.BAD_ID))


def fault_of(card: Card, *, language: str, terms: Collection[str] = ()) -> Fault | None:
    """Return why a card does not suit a corpus, or None. Without casefolded `terms` all suit."""
    if terms and card.entity.casefold() not in terms:
        return Fault.NOT_A_TERM
    if len(pieces(card.definition)) < FEWEST_WORDS:
        return Fault.TOO_FEW_WORDS
    if len(card.definition.split()) > MOST_WORDS:
        return Fault.TOO_MANY_WORDS
    if language.casefold().startswith("en") and not _is_latin(card.definition):
        return Fault.OTHER_SCRIPT
    return None


def terms_of(text: str) -> frozenset[str]:
    lines = unicodedata.normalize("NFC", text).splitlines()
    return frozenset(line.strip().casefold() for line in lines) - {""}


def twin_key(entity: str, language: str) -> str:
    """Return what spellings of one entity share: its words, casefolded and if possible stemmed.

    >>> twin_key("Virtual machine(s)", "en") == twin_key("virtual machines", "en")
    True
    """
    folded = entity.casefold()
    words = _WORD.findall(_OPTIONAL_PLURAL.sub(r"\1", folded))
    if name := _STEMMERS.get(language.partition("-")[0].casefold()):
        words = _stemmer(name).stemWords(words)
    return " ".join(words) or folded


def _is_latin(text: str) -> bool:
    """Whether at least half of the letters are Latin."""
    if text.isascii():
        return True
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return 2 * latin >= len(letters)


@cache
def _stemmer(name: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(name)
