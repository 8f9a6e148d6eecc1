"""Places that stay as they are: inside quotation marks, brackets and hyphenated compounds."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from generation.nlp.tagging import Token

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
QUOTES_OPENING, QUOTES_CLOSING = frozenset(("“", "``", "«", "„")), frozenset(("”", "''", "»"))
STRAIGHT_QUOTES = frozenset(('"',))
# What may touch a word without being part of it.
BEFORE_WORDS = OPENING | QUOTES_OPENING | STRAIGHT_QUOTES | frozenset("$£€¥'‘")
AFTER_WORDS = (
    CLOSING
    | QUOTES_CLOSING
    | STRAIGHT_QUOTES
    | frozenset((",", ".", ";", ":", "?", "!", "'", "’", "'s", "’s", "...", "…", "%"))
)


def in_brackets(tokens: Sequence[Token]) -> list[bool]:
    """Whether each token stands inside round, square or curly brackets."""
    steps = ((t.text in OPENING) - (t.text in CLOSING) for t in tokens)
    depths = accumulate(steps, lambda depth, step: max(depth + step, 0))
    return [depth > 0 for depth in depths]


def in_quotes(tokens: Sequence[Token]) -> list[bool]:
    """Whether each token stands inside quotation marks; unclosed ones reach to the end."""
    return list(_quoted(tokens))


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
