"""The words that differ between two sentences."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

# A word with its apostrophes, a run of spaces, or one symbol; in Chinese and Japanese, where
# spaces do not separate words, one character.
TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:['’][^\W_]+)*|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence, and whether it differs from the other sentence."""

    text: str
    differs: bool


def of(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Split both sentences into pieces that add up to them.

    >>> [piece.text for piece in of("a cat sat", "a dog sat")[1] if piece.differs]
    ['dog']
    """
    one, other = TOKEN.findall(before), TOKEN.findall(after)
    same = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    in_one = {block.a + number for block in same for number in range(block.size)}
    in_other = {block.b + number for block in same for number in range(block.size)}
    return _pieces(one, in_one), _pieces(other, in_other)


def _pieces(tokens: list[str], same: set[int]) -> list[Piece]:
    """Mark space as different only between two words that differ."""
    differs = [number not in same for number in range(len(tokens))]
    for at, token in enumerate(tokens):
        if token.isspace():
            differs[at] = 0 < at < len(tokens) - 1 and differs[at - 1] and differs[at + 1]
    marked = zip(tokens, differs, strict=True)
    return [
        Piece("".join(token for token, _ in run), differing)
        for differing, run in groupby(marked, key=lambda pair: pair[1])
    ]
