"""The beam search of PAWS 3.1 with a neural model, as one would first write it down.

One sentence at a time, filled word by word; at each step every extended prefix is read from its
beginning, with no cache. It says what a search with a cache must find, and what it saves.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generation.nlp.token_search import TokenPuzzle
from generation.nlp.token_tree import Tokens

# Sequences that one call of the model takes: their logits must fit into memory.
BATCH = 16


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The beginning of a sentence: what its slots hold, its tokens, and its log-likelihood."""

    filling: tuple[int, ...]
    tokens: Tokens
    total: float


class PlainBeam:
    """Searches puzzles; counts the tokens that the model read, padding aside.

    `tokens_read_by_slots` counts them as if runs of fixed words were read in one step.
    """

    def __init__(self, model: Any, *, width: int, opens_word: frozenset[int]) -> None:
        self._model, self._width, self._opens_word = model, width, opens_word
        self.tokens_read = self.tokens_read_by_slots = 0

    def search(self, puzzle: TokenPuzzle) -> list[Hypothesis]:
        """Complete fillings with their log-likelihoods, the likeliest first."""
        rows = [Hypothesis((), (puzzle.begin,), 0.0)]
        for slot, choices in enumerate(puzzle.tokens):
            if len(choices) == 1:
                *words, last = self._words(choices[0])
                for word in words:
                    rows = self._add_totals([_append(row, word) for row in rows], within_run=True)
                rows = self._add_totals([_append(row, last) for row in rows])
                number = puzzle.puzzle.choices[slot][0]
                rows = [replace(row, filling=(*row.filling, number)) for row in rows]
            else:
                rows = self._keep_best(
                    puzzle, self._add_totals(list(_extensions(puzzle, slot, rows)))
                )
        ended = self._add_totals([_append(row, (puzzle.end,)) for row in rows])
        return sorted(ended, key=lambda row: -row.total)

    def _words(self, tokens: Tokens) -> Iterator[Tokens]:
        """The tokens of a text, cut where a space is."""
        starts = [0, *(i for i, t in enumerate(tokens) if i and t in self._opens_word)]
        return (tokens[a:b] for a, b in zip(starts, [*starts[1:], len(tokens)], strict=True))

    def _keep_best(self, puzzle: TokenPuzzle, rows: Sequence[Hypothesis]) -> list[Hypothesis]:
        """The best, the source among them."""
        ordered = sorted(rows, key=lambda row: -row.total)
        kept = ordered[: self._width]
        source = puzzle.puzzle.source[: len(rows[0].filling)]
        if all(row.filling != source for row in kept):
            kept[-1] = next(row for row in ordered if row.filling == source)
        return kept

    def _add_totals(
        self, rows: Sequence[Hypothesis], *, within_run: bool = False
    ) -> list[Hypothesis]:
        """These rows with their log-likelihoods, read from their beginnings."""
        tokens_read = sum(len(row.tokens) for row in rows)
        self.tokens_read += tokens_read
        self.tokens_read_by_slots += 0 if within_run else tokens_read
        parts = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]
        totals = [total for part in parts for total in self._totals([row.tokens for row in part])]
        return [replace(row, total=total) for row, total in zip(rows, totals, strict=True)]

    def _totals(self, rows: Sequence[Tokens]) -> list[float]:
        import torch

        padded = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
        for place, tokens in enumerate(rows):
            padded[place, : len(tokens)] = torch.tensor(tokens)
        lengths = torch.tensor([len(tokens) for tokens in rows])
        mask = torch.arange(padded.shape[1]) < lengths[:, None]
        with torch.inference_mode():
            logits = self._model(
                input_ids=padded, attention_mask=mask.long(), use_cache=False
            ).logits
            log_probs = logits[:, :-1].log_softmax(-1).gather(2, padded[:, 1:, None])[:, :, 0]
        totals: list[float] = (log_probs.double() * mask[:, 1:]).sum(1).tolist()
        return totals


def word_openers(tokenizer: Any) -> frozenset[int]:
    """The tokens that begin with a space."""
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    return frozenset(i for token, i in vocabulary.items() if token[0] in ("Ġ", "▁"))


def _append(row: Hypothesis, tokens: Tokens) -> Hypothesis:
    return replace(row, tokens=row.tokens + tokens)


def _extensions(puzzle: TokenPuzzle, slot: int, rows: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
    """Each row with each filler that it may still draw."""
    source, available = puzzle.puzzle.source, Counter(puzzle.puzzle.source)
    for row in rows:
        for number, tokens in zip(puzzle.puzzle.choices[slot], puzzle.tokens[slot], strict=True):
            filling = (*row.filling, number)
            changes = sum(a != b for a, b in zip(filling, source, strict=False))
            times_used = filling.count(number)
            if times_used <= available[number] and changes <= puzzle.puzzle.max_changes:
                yield replace(_append(row, tokens), filling=filling)
