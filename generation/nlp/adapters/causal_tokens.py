"""Converts text into the tokens of a causal language model, piece by piece."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from generation.nlp import filler_texts
from generation.nlp.language_model import Puzzle
from generation.nlp.token_search import TokenPuzzle, Tokens

CACHED = 2**16
# Tokenisers that insert a leading space insert it before this, not before the piece.
ANCHOR = "\n"


class PieceTokenizer:
    """Tokenises the pieces of a sentence; each piece is tokenised once and cached.

    The tokens of a sentence are those of its pieces, so that a hypothesis keeps its tokens while it
    grows. Raises ValueError if the tokeniser has neither a begin nor an end token.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        known = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        ends = [token for token in known if token is not None]
        if not ends:
            raise ValueError("its tokeniser has no token for the beginning or the end of a text")
        self.begin, self.end = ends[0], ends[-1]
        self._anchor = self._encode(ANCHOR)
        self._opening = lru_cache(CACHED)(self._encode)
        self._inner = lru_cache(CACHED)(self._encode_inner)

    def puzzle(self, puzzle: Puzzle) -> TokenPuzzle:
        """Return the puzzle with the tokens of this model."""
        first, *others = filler_texts.of(puzzle.template)
        tokens = [list(map(self._opening, first.values()))]
        tokens += (list(map(self._inner, slot.values())) for slot in others)
        return TokenPuzzle(puzzle, tokens, self.begin, self.end)

    def _encode(self, text: str) -> Tokens:
        ids: Sequence[int] = self.tokenizer.encode(
            text, add_special_tokens=False, split_special_tokens=True
        )
        return tuple(ids)

    def _encode_inner(self, text: str) -> Tokens:
        """Return the tokens of a piece that follows another."""
        anchored, size = self._encode(ANCHOR + text), len(self._anchor)
        return anchored[size:] if anchored[:size] == self._anchor else self._encode(text)
