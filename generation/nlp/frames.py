"""What grammar asks of a place: words change places within one tag and one frame.

A pool of the paper holds the words of one tag. An n-gram model forgives a noun without its article
or a verb without its preposition, so words of a pool here also share what stands beside them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generation.nlp.kinds import Kind
from generation.nlp.phrases import PROPER, UNCERTAIN, Phrase
from generation.nlp.tagging import Token


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Adjectives that work as determiners, or that need the word after them.
BOUND_ADJECTIVES = _words(
    "other another same such own many much few fewer several more most less least certain various"
    " above only following due able unable likely last next"
)
# At the beginning of a sentence nothing tells whether these are nationalities and the like.
PROPER_ENDINGS = ("an", "ese", "ish", "ch", "i")
ORDINALS = _words("first second third fourth fifth sixth seventh eighth ninth tenth")
BOUND_VERBS = _words(
    "be am is are was were been being have has had having do does did done doing become becomes"
    " became becoming"
)
SINGULAR = _words("one 1")
# Scales, and marks of feet, inches and minutes.
BOUND_AFTER = _words("hundred thousand million billion trillion ' \" ′ ″ ’ ”")

_EDGE = Token(text="", tag="", pos="", space=" ")


@dataclass(frozen=True, slots=True)
class _Place:
    """A phrase: its first word in lower case, and the tokens before and after it.

    `is_capital`: the word begins with a capital that does not come from standing first.
    """

    label: str
    word: str
    is_capital: bool
    before: Token
    after: Token


def pool(tokens: Sequence[Token], phrase: Phrase) -> str | None:
    """The name of the pool that a phrase is in, or None where it can change places with nothing."""
    before = tokens[phrase.start - 1] if phrase.start else _EDGE
    after = tokens[phrase.end] if phrase.end < len(tokens) else _EDGE
    word = tokens[phrase.start].text
    is_capital = phrase.start > 0 and word[0].isupper()
    place = _Place(phrase.label, word.lower(), is_capital, before, after)
    frame = _FRAMES[phrase.kind](place) if phrase.kind in _FRAMES else phrase.label
    return None if frame is None else f"{phrase.kind} {frame}"


def _name(place: _Place) -> str | None:
    if place.label == UNCERTAIN or place.after.text == "(":
        return None
    use = "modifier" if place.after.tag[:2] in ("NN", "JJ") else "head"
    return f"{place.label} {_article(place.before)} {use}"


def _article(before: Token) -> str:
    if before.tag not in ("DT", "PRP$", "POS"):
        return "bare"
    return "indefinite" if before.text.lower() in ("a", "an") else "definite"


def _number(place: _Place) -> str | None:
    bound = place.before.tag in PROPER or place.after.text.lower() in BOUND_AFTER
    if bound or place.word in SINGULAR:
        return None
    use = "label" if place.before.tag == "NN" else "amount"
    return f"{use} {'digits' if place.word[0].isdigit() else 'word'}"


def _adjective(place: _Place) -> str | None:
    in_title = place.is_capital and place.after.text[:1].isupper()
    unclear = place.before is _EDGE and place.word.endswith(PROPER_ENDINGS)
    bound = place.word in BOUND_ADJECTIVES or place.after.tag in ("IN", "TO", "HYPH", "CC")
    if bound or in_title or unclear:
        return None
    if place.word in ORDINALS:
        return "ordinal"
    use = "attributive" if place.after.tag[:2] in ("NN", "JJ") else "predicative"
    return f"{place.label} {use}"


def _noun(place: _Place) -> str | None:
    in_compound = place.before.tag[:2] in ("NN", "CD") or place.after.tag[:2] in ("NN", "JJ", "CD")
    if in_compound:
        return None
    return f"{place.label} {_article(place.before)} {_preposition(place.after)}"


def _preposition(after: Token) -> str:
    return after.text.lower() if after.tag in ("IN", "TO", "RP") else "-"


def _verb(place: _Place) -> str | None:
    if place.word in BOUND_VERBS or place.word.startswith("'") or place.after.tag == "RB":
        return None
    return f"{place.label} {_complement(place.after)}"


def _complement(after: Token) -> str:
    """What follows a verb and is bound to it: its preposition, an object, a clause."""
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
