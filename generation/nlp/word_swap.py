"""Word swapping: a sentence with the same words in another order (PAWS 3.1)."""

import hashlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice, pairwise, tee

import numpy as np
from numpy.typing import NDArray

from generation.nlp import noun_phrases, templates
from generation.nlp.acceptance import Acceptance, Exchange
from generation.nlp.judging import Judging
from generation.nlp.language_model import Beam, Floats, LanguageModel, Puzzle
from generation.nlp.list_permutations import cycles, is_list_permutation
from generation.nlp.phrases import Kind
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Tagger
from generation.nlp.templates import Sentence, Template
from generation.nlp.vector_likeness import VectorLikeness

# Characters of a token, on average, above which a text is no sentence.
LONGEST_TOKENS = 20
# Rewrites of a sentence whose acceptance is estimated: the likeliest of those that pass.
MOST_ESTIMATED = 12
# About where one clause ends and another begins.
CLAUSE_ENDS = frozenset({",", ";", ":", "(", ")", "and", "or", "but", "that", "while", "which"})

Templates = list[Template]


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


@dataclass(frozen=True, slots=True)
class WordSwapper:
    """Swaps words in plain texts with one tagger, one language model and one configuration.

    Without a `likeness`, words are exchanged regardless of how similarly they are used, and
    without an `acceptance` how likely people accept a rewrite is not estimated. With `judging`, a
    second language model judges what the settings let pass.
    `identities` are the models by their role, as a run stores them.
    """

    tagger: Tagger
    model: LanguageModel
    settings: WordSwapSettings = WordSwapSettings()
    likeness: VectorLikeness | None = None
    acceptance: Acceptance | None = None
    identities: dict[str, dict[str, str]] = field(default_factory=dict)
    judging: Judging | None = None

    def outcomes(self, texts: Iterable[str]) -> Iterator[Outcome]:
        if self.judging is None:
            return self._swaps(texts, self.settings)
        ours, theirs = tee(texts)
        found = self._swaps(theirs, self.judging.shortlisting(self.settings))
        return self.judging.outcomes(ours, found, self.settings)

    def _swaps(self, texts: Iterable[str], settings: WordSwapSettings) -> Iterator[Outcome]:
        sentences = self.tagger.tag(texts)
        return swaps(sentences, self.model, settings, self.likeness, self.acceptance)


def swaps(
    sentences: Iterable[TaggedSentence],
    model: LanguageModel,
    settings: WordSwapSettings,
    likeness: VectorLikeness | None = None,
    acceptance: Acceptance | None = None,
) -> Iterator[Outcome]:
    """Yield one outcome for each tagged sentence, in order; the model may read ahead."""
    drafts: deque[Templates | Reason] = deque()
    estimate = _Estimate(settings, likeness, acceptance)
    beams = model.search(_puzzles(sentences, settings, likeness, drafts), width=settings.beam)
    for first in beams:
        while isinstance(draft := drafts.popleft(), Reason):
            yield Outcome(str(draft))
        found = [first, *islice(beams, len(draft) - 1)]
        yield _best([*zip(draft, found, strict=True)], settings, estimate)
    yield from (Outcome(str(draft)) for draft in drafts)


def _puzzles(
    sentences: Iterable[TaggedSentence],
    settings: WordSwapSettings,
    likeness: VectorLikeness | None,
    drafts: deque[Templates | Reason],
) -> Iterator[Puzzle]:
    """Yield the puzzles to search; append each sentence's templates or reason to `drafts`."""
    for tagged in sentences:
        drafts.append(draft := _draft(tagged, settings, likeness))
        if not isinstance(draft, Reason):
            yield from (Puzzle(template, settings.max_changes) for template in draft)


def _draft(
    tagged: TaggedSentence, settings: WordSwapSettings, likeness: VectorLikeness | None
) -> Templates | Reason:
    """Return the templates of a sentence, or the reason why it cannot be swapped."""
    if len(tagged.tokens) < settings.min_tokens:
        return Reason.TOO_SHORT
    is_long = len(tagged.text) > LONGEST_TOKENS * settings.max_tokens
    if is_long or len(tagged.tokens) > settings.max_tokens:
        return Reason.TOO_LONG
    sentence = Sentence.of(tagged, settings)
    built = [templates.build(sentence, settings, likeness)]
    if Kind.NOUN_PHRASE in settings.movable:
        built.append(noun_phrases.build(sentence, settings, likeness))
    return [each for each in built if each.has_choice] or Reason.NOTHING_TO_SWAP


@dataclass(frozen=True, slots=True)
class _Tried:
    """A rewrite, and why it is rejected: its likelihood, and the places of the words it moves."""

    template: Template
    filling: list[int]
    score: float
    loss: float
    objection: Reason | None
    probability: float | None = None

    @property
    def text(self) -> str:
        return self.template.text(self.filling)

    @property
    def moved(self) -> frozenset[int]:
        return self.template.moved(self.filling)

    def rewrite(self) -> Rewrite:
        kind, source = _kind(self.template, self.filling), self.score + self.loss
        return Rewrite(self.text, str(kind), self.score, source, probability=self.probability)


@dataclass(frozen=True, slots=True)
class _Estimate:
    """How likely people must accept a rewrite, and what estimates it."""

    settings: WordSwapSettings
    likeness: VectorLikeness | None
    acceptance: Acceptance | None

    def of(self, tried: Sequence[_Tried]) -> list[_Tried]:
        """Return rewrites with their probabilities, best first; those below the least are ODD.

        Without an estimate, they are returned as they are: likeliest first.
        """
        if not self.settings.acceptance or self.likeness is None or self.acceptance is None:
            return [*tried]
        found = []
        for each in tried[:MOST_ESTIMATED]:
            probability = self._probability(each, self.likeness, self.acceptance)
            least = self.settings.least_acceptance(each.text)
            objection = None if probability >= least else Reason.ODD
            found.append(replace(each, probability=probability, objection=objection))
        return sorted(found, key=lambda each: -(each.probability or 0.0))

    def _probability(
        self, tried: _Tried, likeness: VectorLikeness, acceptance: Acceptance
    ) -> float:
        """Return the probability that each of the exchanges is accepted, as if independent."""
        template = tried.template
        words = template.words(template.source)
        result = 1.0
        for cycle in cycles(template.source, tried.filling):
            phrases = [template.phrases[slot] for slot in sorted(cycle)]
            for one, other in pairwise(phrases):
                exchange = Exchange(template.tokens, words, one, other, tried.loss)
                result *= acceptance.probability(exchange.features(likeness))
        return result


def _best(
    found: Sequence[tuple[Template, Beam]], settings: WordSwapSettings, estimate: _Estimate
) -> Outcome:
    """Return the best valid rewrites, or the reason why the likeliest was rejected."""
    tried = [each for template, beam in found for each in _tried(template, beam, settings)]
    tried.sort(key=lambda each: -each.score)
    valid = estimate.of([each for each in tried if each.objection is None])
    passed = {each.text: each for each in reversed(valid) if each.objection is None}
    if not passed:
        objections = [each.objection for each in (*valid, *tried) if each.objection]
        return Outcome(str(objections[0] if objections else Reason.NOTHING_TO_SWAP))
    chosen, others = _chosen([*reversed(passed.values())], settings.per_sentence)
    kept = others[: settings.keep_alternatives]
    alternatives = tuple(each.rewrite().as_alternative() for each in kept)
    best, *more = (each.rewrite() for each in chosen)
    return Outcome(ACCEPTED, (replace(best, alternatives=alternatives), *more))


def _chosen(passed: Sequence[_Tried], most: int) -> tuple[list[_Tried], list[_Tried]]:
    """Return up to `most` rewrites, best first, which all move different words; and the rest."""
    chosen: list[_Tried] = []
    others: list[_Tried] = []
    moved: set[int] = set()
    for each in passed:
        if len(chosen) < most and moved.isdisjoint(each.moved):
            chosen.append(each)
            moved |= each.moved
        else:
            others.append(each)
    return chosen, others


def _tried(template: Template, beam: Beam, settings: WordSwapSettings) -> Iterator[_Tried]:
    """Yield the rewrites, likeliest first, up to the first below the threshold.

    Ends once there are enough valid ones to choose from.
    """
    most, valid = max(MOST_ESTIMATED, settings.per_sentence + settings.keep_alternatives), 0
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
        elif not keep_lists and is_list_permutation(template, filling):
            objection = Reason.LIST_PERMUTATION
        yield _Tried(template, filling, score, float(source[-1]) - score, objection)
        valid += objection is None
        if objection is Reason.BELOW_THRESHOLD or valid == most:
            return


def source_totals(template: Template, beam: Beam) -> Floats:
    """Return the running totals of the source, which every beam has."""
    totals: Floats = beam.totals[(beam.fillings == template.source).all(axis=1)][0]
    return totals


def _kind(template: Template, filling: Sequence[int]) -> Kind:
    slots = zip(template.slots, filling, strict=True)
    kinds = {slot.kind for slot, number in slots if slot.source != number}
    return kinds.pop() if len(kinds) == 1 else Kind.MIXED


def _keeps_lists(text: str, settings: WordSwapSettings) -> bool:
    """Whether this sentence is in the share whose list permutations are kept, by text and seed."""
    digest = hashlib.blake2b(f"{settings.seed} {text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) < settings.list_pruning_keep * 2**64


def largest_fall(totals: NDArray[np.float64], source: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest loss in nats of each hypothesis over any stretch of slots.

    A sentence may score well overall because one place gained what another lost; the place that
    lost still reads badly. Running totals of shape (n, slots + 1) and (slots + 1,) give shape (n,).
    """
    lead = np.concatenate([np.zeros((len(totals), 1)), totals - source], axis=1)
    falls = np.maximum.accumulate(lead, axis=1) - lead
    worst: NDArray[np.float64] = falls.max(axis=1)
    return worst


def repeats_a_word(template: Template, filling: Sequence[int]) -> bool:
    """Whether a filling adds "national national", "2.4 997" or "The dog saw the dog".

    Names that occur twice keep their place anyway.
    """
    nouns = {
        template.tokens[place].text.casefold()
        for place in template.moved(filling)
        if template.tokens[place].tag in ("NN", "NNS")
    }
    after, before = (template.words(each) for each in (filling, template.source))
    return _repeated(after, nouns) > _repeated(before, nouns)


def _repeated(words: Sequence[str], nouns: Collection[str]) -> int:
    """Count doubled words, numbers next to each other, and these nouns again within a clause."""
    found = 0
    clause: set[str] = set()
    for before, word in pairwise(["", *map(str.casefold, words)]):
        found += before == word or (before[:1].isdigit() and word[:1].isdigit())
        if word in CLAUSE_ENDS:
            clause.clear()
        elif word in nouns:
            found += word in clause
            clause.add(word)
    return found
