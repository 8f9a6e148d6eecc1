"""Grammatical frames: words are exchanged only within the same tag and the same frame.

The pools of the paper hold the words of one tag. An n-gram model accepts a noun without its article
or a verb without its preposition, so words of a pool here also share their context.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generation.nlp.change_kinds import Kind
from generation.nlp.phrases import PROPER, UNCERTAIN, Phrase
from generation.nlp.tagging import Token


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Adjectives that act as determiners, or that need the word after them.
BOUND_ADJECTIVES = _words(
    "other another same such own many much few fewer several more most less least certain various"
    " above only following due able unable likely last next little multiple numerous entire whole"
)
# Sentence-initial words with these endings may be nationalities or similar.
PROPER_ENDINGS = ("an", "ese", "ish", "ch", "i")
ORDINALS = _words("first second third fourth fifth sixth seventh eighth ninth tenth")
BOUND_VERBS = _words(
    "be am is are was were been being have has had having do does did done doing become becomes"
    " became becoming"
)
SINGULAR = _words("one 1")
KIN = _words(
    "father mother parents brother sister son daughter husband wife uncle aunt nephew niece cousin"
    " grandfather grandmother grandson granddaughter widow"
)
UNITS = _words("% percent")
# Tags that bind an adjective other than to a noun: "able to", "fast flowing", "red and blue".
BINDING = _words("IN TO HYPH CC VBG VBN")
# Scales, and marks for feet, inches and minutes.
BOUND_AFTER = _words("hundred thousand million billion trillion ' \" ′ ″ ’ ”")

_FORMS = (
    ("whole", re.compile(r"\d{1,3}(?:,\d{3})+|(?!(?:1[5-9]|20)\d\d$)\d+")),
    ("decimal", re.compile(r"\d*\.\d+")),
    ("word", re.compile(r"[a-z-]+")),
)

EDGE = Token(text="", tag="", pos="", space=" ")


@dataclass(frozen=True, slots=True)
class _Place:
    """A phrase: its first word in lower case, and the tokens before and after it.

    `is_first`: the word begins the sentence, so its capital carries no information.
    """

    label: str
    word: str
    is_first: bool
    is_capital: bool
    before: Token
    after: Token


def pool(tokens: Sequence[Token], phrase: Phrase) -> str | None:
    """Return the name of a phrase's pool, or None if it cannot be exchanged."""
    before = tokens[phrase.start - 1] if phrase.start else EDGE
    after = tokens[phrase.end] if phrase.end < len(tokens) else EDGE
    word = tokens[phrase.start].text
    place = _Place(phrase.label, word.lower(), phrase.start == 0, word[0].isupper(), before, after)
    frame = _FRAMES[phrase.kind](place) if phrase.kind in _FRAMES else phrase.label
    return None if frame is None else f"{phrase.kind} {frame}"


def _name(place: _Place) -> str | None:
    before = place.before.text.lower()
    is_bound = before in KIN or before[:1].isdigit() or place.after.text in ("(", "'", "’")
    if place.label == UNCERTAIN or is_bound or not place.is_capital:
        return None
    use = "modifier" if place.after.tag[:2] in ("NN", "JJ") else "head"
    return f"{place.label} {_article(place.before)} {use}"


def _article(before: Token) -> str:
    if before.tag not in ("DT", "PRP$", "POS"):
        return "bare"
    return "indefinite" if before.text.lower() in ("a", "an") else "definite"


def _number(place: _Place) -> str | None:
    bound = place.before.tag in PROPER or place.after.text.lower() in BOUND_AFTER
    form = next((name for name, form in _FORMS if form.fullmatch(place.word)), None)
    if bound or form is None or place.word in SINGULAR or place.word in BOUND_AFTER:
        return None
    use = "label" if place.before.tag == "NN" else _counted(place.after)
    return f"{use} {form}"


def _counted(after: Token) -> str:
    """Return what a number counts: percent, the following noun, or something mentioned earlier."""
    if after.text in UNITS:
        return after.text
    return "things" if after.tag[:2] in ("NN", "JJ", "VB") and after.tag != "VBG" else "alone"


def _adjective(place: _Place) -> str | None:
    in_title = place.is_capital and place.after.text[:1].isupper()
    unclear = place.is_first and place.word.endswith(PROPER_ENDINGS)
    bound = place.word in BOUND_ADJECTIVES or place.after.tag in BINDING
    if bound or in_title or unclear:
        return None
    if place.word in ORDINALS:
        return "ordinal"
    return f"{place.label} {_order(place)}"


def _order(place: _Place) -> str:
    """Return the position of an adjective: "the [outer] old wall", "the old [inner] wall"."""
    if place.after.tag[:2] == "JJ":
        return "outer"
    if place.after.tag[:2] != "NN":
        return "predicative"
    return "attributive"


def _noun(place: _Place) -> str | None:
    in_compound = place.before.tag[:2] in ("NN", "CD") or place.after.tag[:2] in ("NN", "JJ", "CD")
    is_symbol = len(place.word) == 1 or not place.word.replace("-", "").isalpha()
    return (
        None
        if in_compound or is_symbol
        else f"{place.label} {_article(place.before)} {_preposition(place.after)}"
    )


def _preposition(after: Token) -> str:
    return after.text.lower() if after.tag in ("IN", "TO", "RP") else "-"


def _verb(place: _Place) -> str | None:
    if place.word in BOUND_VERBS or place.word.startswith("'") or place.after.tag == "RB":
        return None
    return f"{place.label} {_complement(place.after)}"


def _complement(after: Token) -> str:
    """Return what a verb governs: its preposition, an object, a clause."""
    bound = after.tag[:2] in ("WP", "WD", "DT", "NN", "JJ", "PR", "VB", "RB")
    return after.tag[:2] if bound else _preposition(after)


def _adverb(place: _Place) -> str | None:
    return f"{place.label} {place.after.tag[:2]}" if place.word.endswith("ly") else None


_FRAMES: dict[Kind, Callable[[_Place], str | None]] = {
    Kind.NAME: _name,
    Kind.NUMBER: _number,
    Kind.ADJECTIVE: _adjective,
    Kind.NOUN: _noun,
    Kind.VERB: _verb,
    Kind.ADVERB: _adverb,
}
