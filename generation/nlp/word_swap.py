"""Word swapping: a sentence with the same words in another order (PAWS 3.1)."""

import hashlib
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby, pairwise, tee

import numpy as np
from numpy.typing import NDArray

from generation.nlp import templates
from generation.nlp.judging import Judging
from generation.nlp.language_model import Beam, Floats, LanguageModel, Puzzle
from generation.nlp.phrases import Kind, word_set
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Tagger
from generation.nlp.templates import Template
from generation.nlp.vector_likeness import Likeness

SEPARATORS = word_set(", ; / & and or nor but versus vs. v.")
# Numbers of unchanged words that may belong to each list item: "the dog and the cat".
REACH = range(4)

Unit = tuple[str, ...]


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
class WordSwapper:
    """Swaps words in plain texts with one tagger, one language model and one configuration.

    Without a `likeness`, words are exchanged regardless of how similarly they are used. With
    `judging`, a second language model judges what the settings let pass.
    `identities` are the models by their role, as a run stores them.
    """

    tagger: Tagger
    model: LanguageModel
    settings: WordSwapSettings = WordSwapSettings()
    likeness: Likeness | None = None
    identities: dict[str, dict[str, str]] = field(default_factory=dict)
    judging: Judging | None = None

    def outcomes(self, texts: Iterable[str]) -> Iterator[Outcome]:
        if self.judging is None:
            return swaps(self.tagger.tag(texts), self.model, self.settings, self.likeness)
        keep = self.settings.keep_alternatives
        enough = replace(self.settings, keep_alternatives=self.judging.most - 1)
        ours, theirs = tee(texts)
        found = swaps(self.tagger.tag(theirs), self.model, enough, self.likeness)
        return self.judging.outcomes(ours, found, keep_alternatives=keep)


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
            yield Outcome(str(draft))
        yield _best(draft, beam, settings)
    yield from (Outcome(str(draft)) for draft in drafts)


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
    passed: list[Rewrite] = []
    objections: list[Reason] = []
    for verdict in _verdicts(template, source, rewrites, settings):
        if isinstance(verdict, Reason):
            objections.append(verdict)
        else:
            passed.append(verdict)
        if len(passed) > settings.keep_alternatives:
            break
    if not passed:
        return Outcome(str(objections[0] if objections else Reason.NOTHING_TO_SWAP))
    best, *others = passed
    alternatives = tuple(
        {"text": other.text, "log_likelihood": other.score, "kind": other.kind} for other in others
    )
    best = replace(best, source_score=float(source[-1]), alternatives=alternatives)
    return Outcome(ACCEPTED, (best,))


def _verdicts(
    template: Template, source: Floats, rewrites: Beam, settings: WordSwapSettings
) -> Iterator[Rewrite | Reason]:
    """Yield each rewrite or the reason to reject it, up to the first below the threshold."""
    falls = largest_fall(rewrites.totals, source)
    keep_lists = _keeps_lists(template.text(template.source), settings)
    for row, totals, fall in zip(rewrites.fillings, rewrites.totals, falls, strict=True):
        filling = row.tolist()
        if totals[-1] < source[-1] - settings.threshold:
            yield Reason.BELOW_THRESHOLD
            return
        if fall > settings.largest_fall:
            yield Reason.UNEVEN
        elif doubles_a_word(template, filling):
            yield Reason.DOUBLED_WORD
        elif not keep_lists and is_list_permutation(template, filling):
            yield Reason.LIST_PERMUTATION
        else:
            yield _rewrite(template, filling, float(totals[-1]))


def _rewrite(template: Template, filling: list[int], score: float) -> Rewrite:
    slots = zip(template.slots, filling, strict=True)
    kinds = {slot.kind for slot, number in slots if slot.source != number}
    kind = kinds.pop() if len(kinds) == 1 else Kind.MIXED
    return Rewrite(template.text(filling), str(kind), score)


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


def doubles_a_word(template: Template, filling: Sequence[int]) -> bool:
    """Whether a filling adds a doubled word such as "national national"."""
    return _doubles(template.words(filling)) > _doubles(template.words(template.source))


def _doubles(words: Sequence[str]) -> int:
    return sum(a.casefold() == b.casefold() for a, b in pairwise(words))


def is_list_permutation(template: Template, filling: Sequence[int]) -> bool:
    """Whether a filling only reorders list items: "A and B" for "B and A".

    Phrases that exchange places are checked group by group, so two lists in one sentence, each
    permuted within itself, count too.
    """
    source = template.source
    cycles = list(_cycles(source, filling))
    return bool(cycles) and all(_permutes_items(template, filling, cycle) for cycle in cycles)


def _cycles(source: Sequence[int], filling: Sequence[int]) -> Iterator[set[int]]:
    """Yield the sets of slots that exchanged their fillers among themselves."""
    origins: defaultdict[int, list[int]] = defaultdict(list)
    changed = [slot for slot, (a, b) in enumerate(zip(source, filling, strict=True)) if a != b]
    for slot in reversed(changed):
        origins[source[slot]].append(slot)
    came_from = {slot: origins[filling[slot]].pop() for slot in changed}
    while came_from:
        slot, origin = came_from.popitem()
        cycle = {slot}
        while origin != slot:
            cycle.add(origin)
            origin = came_from.pop(origin)
        yield cycle


def _permutes_items(template: Template, filling: Sequence[int], cycle: set[int]) -> bool:
    pairs = enumerate(zip(template.source, filling, strict=True))
    changed_alone = [new if slot in cycle else old for slot, (old, new) in pairs]
    before, after = _units(template, template.source), _units(template, changed_alone)
    changed = [place for place, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    first, end = changed[0], changed[-1] + 1
    are_neighbours = end - first == len(changed)
    reaches = ((max(first - left, 0), end + right) for left in REACH for right in REACH)
    return are_neighbours or any(
        _items(before[start:stop]) == _items(after[start:stop]) for start, stop in reaches
    )


def _units(template: Template, filling: Sequence[int]) -> list[Unit]:
    """Return a filling as movable phrases and single words, in lower case."""
    units: list[Unit] = []
    for slot, number in zip(template.slots, filling, strict=True):
        words = tuple(word.casefold() for word in template.fillers[number].words)
        units += [words] if len(slot.choices) > 1 else [(word,) for word in words]
    return units


def _items(units: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    parts = groupby(units, key=lambda unit: unit[0] in SEPARATORS)
    return sorted(tuple(part) for is_separator, part in parts if not is_separator)
