"""Finds phrases that must not move: quoted, bracketed, glued, in ranges ..."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from generation.nlp.change_kinds import Kind
from generation.nlp.phrases import Phrase
from generation.nlp.tagging import Token

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
QUOTES_OPENING, QUOTES_CLOSING = frozenset(("“", "``", "«", "„")), frozenset(("”", "''", "»"))
STRAIGHT_QUOTES = frozenset(('"',))
CURRENCIES = frozenset("$£€¥")
# Characters that may touch a word without being part of it.
BEFORE_WORDS = OPENING | QUOTES_OPENING | STRAIGHT_QUOTES | CURRENCIES
AFTER_WORDS = (
    CLOSING
    | QUOTES_CLOSING
    | STRAIGHT_QUOTES
    | frozenset((",", ".", ";", ":", "?", "!", "'", "’", "'s", "’s", "...", "…", "%"))
)
RANGE_WORDS = frozenset(
    ("to", "until", "till", "through", "and", "or", "of", "out of", "–", "—", "-")
)
DIRECTIONS = frozenset(("to", "until", "till", "through"))
NEARLY = frozenset(("early", "mid", "late", "about", "around", "over", "nearly"))
PASSED_OVER = CURRENCIES | NEARLY | {"the", "its", "his", "her", "their"}


def in_brackets(tokens: Sequence[Token]) -> set[int]:
    """Return the places of tokens in round, square or curly brackets, opening bracket included."""
    steps = ((token.text in OPENING) - (token.text in CLOSING) for token in tokens)
    depths = accumulate(steps, lambda depth, step: max(depth + step, 0))
    return {place for place, depth in enumerate(depths) if depth}


def in_quotes(tokens: Sequence[Token]) -> set[int]:
    """Return the places of tokens in quotation marks; an unclosed quotation extends to the end."""
    return {place for place, inside in enumerate(_quoted(tokens)) if inside}


def _quoted(tokens: Sequence[Token]) -> Iterator[bool]:
    inside = False
    for token in tokens:
        if token.text in QUOTES_OPENING:
            inside = True
        elif token.text in QUOTES_CLOSING:
            inside = False
        elif token.text in STRAIGHT_QUOTES:
            inside = not inside
        yield inside


def is_glued(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether tokens[start:end] touch more than punctuation: a hyphen, a slash, a unit."""
    left = start > 0 and not tokens[start - 1].space and tokens[start - 1].text not in BEFORE_WORDS
    right = end < len(tokens) and not tokens[end - 1].space and tokens[end].text not in AFTER_WORDS
    return left or right


def in_ranges(tokens: Sequence[Token], found: Sequence[Phrase]) -> set[int]:
    """Return starts of dates and numbers in ranges: "from 1990 to 1995", "six of the nine"."""
    ends: set[int] = set()
    for one, other in pairwise(
        phrase for phrase in found if phrase.kind in (Kind.DATE, Kind.NUMBER)
    ):
        between = tokens[one.end : other.start]
        if _joined(between) in RANGE_WORDS or _joined(_without_units(between)) in DIRECTIONS:
            ends |= {one.start, other.start}
    return ends


def _joined(between: Sequence[Token]) -> str:
    words = (token.text.lower() for token in between)
    return " ".join(word for word in words if word not in PASSED_OVER)


def _without_units(between: Sequence[Token]) -> list[Token]:
    """Return the tokens between two numbers without units: "from 20 % to", "from 40 km to"."""
    return [token for token in between if token.text != "%" and token.tag[:2] != "NN"]


def mentioned_again(tokens: Sequence[Token], found: Sequence[Phrase]) -> set[int]:
    """Return starts of names whose words all occur in another name, and of that other name."""
    names = [
        (phrase.start, {token.text for token in tokens[phrase.start : phrase.end]})
        for phrase in found
        if phrase.kind is Kind.NAME
    ]
    pairs = ((a, b) for a in names for b in names if a[0] != b[0] and a[1] <= b[1])
    return {start for one, other in pairs for start in (one[0], other[0])}
