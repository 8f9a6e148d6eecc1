"""The rewrites that a language model found for a template, and why some are rejected."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generation.nlp.balancing import draw
from generation.nlp.language_model import Beam, Floats
from generation.nlp.list_permutations import is_list_permutation, only_seems_a_list
from generation.nlp.moves import Move
from generation.nlp.phrases import Kind
from generation.nlp.rewrites import Rewrite
from generation.nlp.sense_rules import count_joined_to_themselves
from generation.nlp.settings import WordSwapSettings
from generation.nlp.templates import Template

# About where one clause ends and another begins.
CLAUSE_ENDS = frozenset({",", ";", ":", "(", ")", "and", "or", "but", "that", "while", "which"})


class Reason(StrEnum):
    """Why a sentence has no swap; if several reasons apply, that of its likeliest rewrite."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOTHING_TO_SWAP = "nothing_to_swap"
    BELOW_THRESHOLD = "below_threshold"
    UNEVEN = "uneven"
    DOUBLED_WORD = "doubled_word"
    LIST_PERMUTATION = "list_permutation"
    ODD = "odd"
    THINNED = "thinned"


@dataclass(frozen=True, slots=True)
class Tried:
    """A rewrite, its likelihood, and why it is rejected; `move` if parts move whole."""

    template: Template
    filling: Sequence[int]
    score: float
    loss: float
    objection: Reason | None
    move: Move | None = None
    probability: float | None = None
    paraphrase: float | None = None

    @property
    def text(self) -> str:
        return self.template.text(self.filling)

    @property
    def moved_places(self) -> frozenset[int]:
        return self.move.moved_places if self.move else self.template.moved_places(self.filling)

    def features_of_move(self) -> Mapping[str, float]:
        """Return the features of the move, of one into another clause with what it loses."""
        if self.move is None:
            return {}
        return (
            {**self.move.features, "move_loss": self.loss}
            if self.move.reattaches
            else self.move.features
        )

    def rewrite(self) -> Rewrite:
        kind = Kind.ADVERBIAL if self.move else _kind(self.template, self.filling)
        source = self.score + self.loss
        return Rewrite(
            self.text,
            str(kind),
            self.score,
            source,
            probability=self.probability,
            paraphrase=self.paraphrase,
        )


def try_fillings(
    template: Template, beam: Beam, settings: WordSwapSettings, *, most: int
) -> Iterator[Tried]:
    """Yield the rewrites, likeliest first, up to the first below the threshold.

    Ends after `most` valid ones.
    """
    valid = 0
    is_rewrite = (beam.fillings != template.source).any(axis=1)
    source = source_totals(template, beam)
    totals = beam.totals[is_rewrite]
    falls = largest_fall(totals, source)
    keep_lists = _keeps_lists(template.text(template.source), settings)
    for row, score, fall in zip(
        beam.fillings[is_rewrite], totals[:, -1].tolist(), falls, strict=True
    ):
        filling, objection = row.tolist(), None
        if score < source[-1] - settings.threshold:
            objection = Reason.BELOW_THRESHOLD
        elif fall > settings.largest_fall:
            objection = Reason.UNEVEN
        elif settings.rules and repeats_a_word(template, filling):
            objection = Reason.DOUBLED_WORD
        elif is_list_permutation(template, filling) and (
            not keep_lists or (settings.balance and only_seems_a_list(template, filling))
        ):
            objection = Reason.LIST_PERMUTATION
        yield Tried(template, filling, score, float(source[-1]) - score, objection)
        valid += objection is None
        if objection is Reason.BELOW_THRESHOLD or valid == most:
            return


def try_move(move: Move, beam: Beam, source: float, settings: WordSwapSettings) -> Tried:
    """Return a move as tried; `source` is the log-likelihood of the sentence."""
    score = float(beam.totals[0, -1])
    objection = Reason.BELOW_THRESHOLD if score < source - settings.threshold else None
    template = move.template
    return Tried(template, template.source, score, source - score, objection, move)


def source_totals(template: Template, beam: Beam) -> Floats:
    totals: Floats = beam.totals[(beam.fillings == template.source).all(axis=1)][0]
    return totals


def _kind(template: Template, filling: Sequence[int]) -> Kind:
    slots = zip(template.slots, filling, strict=True)
    kinds = {slot.kind for slot, number in slots if slot.source != number}
    return kinds.pop() if len(kinds) == 1 else Kind.MIXED


def _keeps_lists(text: str, settings: WordSwapSettings) -> bool:
    """Whether this sentence is in the share whose list permutations are kept, by text and seed."""
    return draw(f"{settings.seed} {text}") < settings.list_pruning_keep


def largest_fall(totals: NDArray[np.float64], source: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest loss of each hypothesis over any stretch of slots.

    The place that lost reads badly, even if another gained what it lost. Running totals have
    shape (n, slots + 1) and (slots + 1,).
    """
    lead = np.concatenate([np.zeros((len(totals), 1)), totals - source], axis=1)
    falls = np.maximum.accumulate(lead, axis=1) - lead
    worst: NDArray[np.float64] = falls.max(axis=1)
    return worst


def repeats_a_word(template: Template, filling: Sequence[int]) -> bool:
    """Whether a filling adds "national national", "2.4 997", "The dog saw the dog" or "X and X".

    Names that occur twice keep their place anyway.
    """
    nouns = {
        template.tokens[place].text.casefold()
        for place in template.moved_places(filling)
        if template.tokens[place].tag in ("NN", "NNS")
    }
    after, before = (template.words(words) for words in (filling, template.source))
    return _count_repetitions(after, nouns) > _count_repetitions(
        before, nouns
    ) or count_joined_to_themselves(after) > count_joined_to_themselves(before)


def _count_repetitions(words: Sequence[str], nouns: Collection[str]) -> int:
    """Count doubled words, numbers next to each other, and these nouns again within a clause."""
    number = 0
    clause: set[str] = set()
    for before, word in pairwise(["", *map(str.casefold, words)]):
        number += before == word or (before[:1].isdigit() and word[:1].isdigit())
        if word in CLAUSE_ENDS:
            clause.clear()
        elif word in nouns:
            number += word in clause
            clause.add(word)
    return number
