"""What a rewrite changed: the words that differ, and the kind of change (PAWS Table 2)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

from django.utils.translation import gettext as _

from common.marked import gettext_noop
from generation.nlp.back_translation import Kind as TranslationKind
from generation.nlp.phrases import Kind
from generation.nlp.prompted import Intent
from generation.nlp.settings import KIND_NAMES
from generation.nlp.words import COMBINING, WORD

# A word with its apostrophes, a run of spaces, or one symbol.
TOKEN = re.compile(rf"{WORD}(?:['’]{WORD})*|\s+|.[{COMBINING}]*", re.DOTALL)

# What chat models were asked for.
INTENTS: Mapping[str, str] = {
    Intent.NEAR_MISS: gettext_noop("near miss"),
    Intent.PARAPHRASE: gettext_noop("paraphrase"),
}
KINDS: Mapping[str, str] = {
    **KIND_NAMES,
    TranslationKind.WORD_ORDER: gettext_noop("word order"),
    TranslationKind.WORD_CHOICE: gettext_noop("word choice"),
    **INTENTS,
}
# The same in a row of a list: what happened to one pair.
SWAPS: Mapping[str, str] = {
    Kind.NAME: gettext_noop("name swap"),
    Kind.DATE: gettext_noop("date swap"),
    Kind.NUMBER: gettext_noop("number swap"),
    Kind.ADJECTIVE: gettext_noop("adjective swap"),
    Kind.NOUN: gettext_noop("noun swap"),
    Kind.VERB: gettext_noop("verb swap"),
    Kind.ADVERB: gettext_noop("adverb swap"),
    Kind.PREPOSITION: gettext_noop("preposition swap"),
    Kind.NOUN_PHRASE: gettext_noop("phrase swap"),
    Kind.ADVERBIAL: gettext_noop("adverbial moved"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence, and whether it differs from the other sentence."""

    text: str
    differs: bool


def pieces(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Split both sentences into pieces that add up to them.

    >>> [piece.text for piece in pieces("a cat sat", "a dog sat")[1] if piece.differs]
    ['dog']
    """
    tokens1, tokens2 = TOKEN.findall(before), TOKEN.findall(after)
    equal_blocks = SequenceMatcher(None, tokens1, tokens2, autojunk=False).get_matching_blocks()
    equal1 = {block.a + number for block in equal_blocks for number in range(block.size)}
    equal2 = {block.b + number for block in equal_blocks for number in range(block.size)}
    return _join_into_pieces(tokens1, equal1), _join_into_pieces(tokens2, equal2)


def kind_name(kind: str) -> str:
    """Return the name of a kind of change; unknown kinds of imported pairs as they are."""
    if not kind:
        return _("unspecified")
    return _(KINDS[kind]) if kind in KINDS else kind


def change_name(kind: str) -> str:
    """Return what happened to one pair, such as "noun swap"."""
    return _(SWAPS[kind]) if kind in SWAPS else kind_name(kind)


def _join_into_pieces(tokens: list[str], equal: set[int]) -> list[Piece]:
    """Mark space as different only between two words that differ."""
    differs = [number not in equal for number in range(len(tokens))]
    for index, token in enumerate(tokens):
        if token.isspace():
            differs[index] = (
                0 < index < len(tokens) - 1 and differs[index - 1] and differs[index + 1]
            )
    marked = zip(tokens, differs, strict=True)
    return [
        Piece("".join(token for token, _differs in run), differing)
        for differing, run in groupby(marked, key=lambda pair: pair[1])
    ]
