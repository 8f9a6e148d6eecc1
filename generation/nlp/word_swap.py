"""Word swapping: a sentence with the same words in another order (PAWS 3.1)."""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from generation.nlp import change_kinds, filters, templates
from generation.nlp.change_kinds import Kind
from generation.nlp.language_model import Beam, Floats, LanguageModel, Puzzle
from generation.nlp.swap_settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Tagger
from generation.nlp.templates import Template
from generation.nlp.vector_likeness import Likeness

__all__ = ["Alternative", "Outcome", "Reason", "Swap", "WordSwapSettings", "WordSwapper", "swap"]


class Reason(StrEnum):
    """Why a sentence has no swap; if several reasons apply, that of its likeliest rewrite."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOTHING_TO_SWAP = "nothing_to_swap"
    BELOW_THRESHOLD = "below_threshold"
    UNEVEN = "uneven"
    DOUBLED_WORD = "doubled_word"
    LIST_PERMUTATION = "list_permutation"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A rewritten sentence with its natural-log likelihood and its kind of change."""

    text: str
    log_likelihood: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Swap:
    """The best swap of a sentence, and the next best ones that passed all checks."""

    text: str
    log_likelihood: float
    source_log_likelihood: float
    kind: Kind
    alternatives: tuple[Alternative, ...]


Outcome: TypeAlias = Swap | Reason


@dataclass(frozen=True, slots=True)
class WordSwapper:
    """Swaps words in plain texts with one tagger, one language model and one configuration.

    Without a `likeness`, words are exchanged regardless of how similarly they are used.
    """

    tagger: Tagger
    model: LanguageModel
    settings: WordSwapSettings = WordSwapSettings()
    likeness: Likeness | None = None

    def outcomes(self, texts: Iterable[str]) -> Iterator[Outcome]:
        """Return an iterator of one outcome per text (one sentence each), in order."""
        return swaps(self.tagger.tag(texts), self.model, self.settings, self.likeness)


def swap(tagged: TaggedSentence, model: LanguageModel, settings: WordSwapSettings) -> Outcome:
    """Return the best swap of a tagged sentence, or the reason why there is none."""
    return next(swaps([tagged], model, settings))


def swaps(
    sentences: Iterable[TaggedSentence],
    model: LanguageModel,
    settings: WordSwapSettings,
    likeness: Likeness | None = None,
) -> Iterator[Outcome]:
    """Yield one outcome for each tagged sentence, in order; the model may read ahead."""
    drafts: deque[Template | Reason] = deque()
    puzzles = _puzzles(sentences, settings, likeness, drafts)
    for beam in model.search(puzzles, width=settings.beam):
        while isinstance(draft := drafts.popleft(), Reason):
            yield draft
        yield _best(draft, beam, settings)
    yield from (draft for draft in drafts if isinstance(draft, Reason))


def _puzzles(
    sentences: Iterable[TaggedSentence],
    settings: WordSwapSettings,
    likeness: Likeness | None,
    drafts: deque[Template | Reason],
) -> Iterator[Puzzle]:
    """Yield the puzzles to search; append each sentence's template or reason to `drafts`."""
    for tagged in sentences:
        drafts.append(draft := _draft(tagged, settings, likeness))
        if not isinstance(draft, Reason):
            yield Puzzle(draft, settings.max_changes)


def _draft(
    tagged: TaggedSentence, settings: WordSwapSettings, likeness: Likeness | None
) -> Template | Reason:
    """Return the template of a sentence, or the reason why it cannot be swapped."""
    if len(tagged.tokens) < settings.min_tokens:
        return Reason.TOO_SHORT
    if len(tagged.tokens) > settings.max_tokens:
        return Reason.TOO_LONG
    template = templates.build(tagged, settings, likeness)
    return template if template.has_choice else Reason.NOTHING_TO_SWAP


def _best(template: Template, beam: Beam, settings: WordSwapSettings) -> Outcome:
    """Return the likeliest valid rewrites, or the reason why the likeliest was rejected."""
    is_source = (beam.fillings == template.source).all(axis=1)
    source = beam.totals[is_source][0]
    rewrites = Beam(beam.fillings[~is_source], beam.totals[~is_source])
    passed: list[Alternative] = []
    objections: list[Reason] = []
    for verdict in _verdicts(template, source, rewrites, settings):
        if isinstance(verdict, Reason):
            objections.append(verdict)
        else:
            passed.append(verdict)
        if len(passed) > settings.keep_alternatives:
            break
    if not passed:
        return objections[0] if objections else Reason.NOTHING_TO_SWAP
    best, *others = passed
    return Swap(best.text, best.log_likelihood, float(source[-1]), best.kind, tuple(others))


def _verdicts(
    template: Template, source: Floats, rewrites: Beam, settings: WordSwapSettings
) -> Iterator[Alternative | Reason]:
    """Yield each rewrite or the reason to reject it, up to the first below the threshold."""
    falls = filters.largest_fall(rewrites.totals, source)
    keep_lists = _keeps_lists(template.text(template.source), settings)
    for row, totals, fall in zip(rewrites.fillings, rewrites.totals, falls, strict=True):
        filling = row.tolist()
        if totals[-1] < source[-1] - settings.threshold:
            yield Reason.BELOW_THRESHOLD
            return
        if fall > settings.largest_fall:
            yield Reason.UNEVEN
        elif filters.doubles_a_word(template, filling):
            yield Reason.DOUBLED_WORD
        elif not keep_lists and filters.is_list_permutation(template, filling):
            yield Reason.LIST_PERMUTATION
        else:
            yield _alternative(template, filling, float(totals[-1]))


def _alternative(template: Template, filling: list[int], log_likelihood: float) -> Alternative:
    slots = zip(template.slots, filling, strict=True)
    kind = change_kinds.of_change(slot.kind for slot, number in slots if slot.source != number)
    return Alternative(template.text(filling), log_likelihood, kind)


def _keeps_lists(text: str, settings: WordSwapSettings) -> bool:
    """Whether this sentence is in the share whose list permutations are kept, by text and seed."""
    digest = hashlib.blake2b(f"{settings.seed} {text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) < settings.list_pruning_keep * 2**64
