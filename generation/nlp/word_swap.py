"""Word swapping: a sentence with the same words in another order (PAWS 3.1)."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, tee
from typing import Any, Self

from generation.nlp import (
    acceptance,
    adjacent_adverbials,
    adverbials,
    balancing,
    clause_exchanges,
    ngram,
    noun_phrases,
    paraphrase,
    reattached_adverbials,
    templates,
    tries,
    vector_likeness,
    word_swap_presets,
)
from generation.nlp.acceptance import Acceptance
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.balancing import Cell
from generation.nlp.estimates import MOST_ESTIMATED, Estimate
from generation.nlp.judging import Judging
from generation.nlp.language_model import Beam, LanguageModel, Puzzle
from generation.nlp.logistic import Logistic
from generation.nlp.moves import Move
from generation.nlp.ngram_scorer import NgramLanguageModel
from generation.nlp.phrases import Kind
from generation.nlp.rewrites import ACCEPTED, Outcome
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Tagger
from generation.nlp.templates import Sentence, Template
from generation.nlp.tries import Reason, Tried
from generation.nlp.vector_likeness import VectorLikeness

# Characters of a token, on average, above which a text is no sentence.
LONGEST_TOKENS = 20


@dataclass(frozen=True, slots=True)
class _Draft:
    """The templates of a sentence, and the moves of its parts."""

    templates: list[Template]
    moves: list[Move]

    @property
    def searched_templates(self) -> list[Template]:
        """The templates to search; those of moves come last."""
        return [*self.templates, *(move.template for move in self.moves)]


@dataclass(frozen=True, slots=True)
class WordSwapper:
    """Swaps words in plain texts with one tagger, one language model and one configuration.

    Without a `likeness`, words are exchanged regardless of how similarly they are used. Without an
    `acceptance` how likely people accept a rewrite is not estimated, and without a `paraphrase` not
    how likely it means the same. With `judging`, a second language model judges what the settings
    let pass.
    `identities` are the models by their role, as a run stores them.
    """

    tagger: Tagger
    model: LanguageModel
    settings: WordSwapSettings = WordSwapSettings()
    likeness: VectorLikeness | None = None
    acceptance: Acceptance | None = None
    paraphrase: Logistic | None = None
    identities: dict[str, dict[str, str]] = field(default_factory=dict)
    judging: Judging | None = None

    @classmethod
    def embedded(cls, preset: str = "balanced", **others: Any) -> Self:
        """Return a swapper with the English models that ship with Pawsmith.

        `others` are settings that differ from the preset, such as `acceptance=0.8` or `seed=1`.
        Raises ValueError.
        """
        return cls(
            tagger=SpacyTagger(),
            model=NgramLanguageModel(ngram.load_embedded()),
            settings=word_swap_presets.settings_of(preset, **others),
            likeness=vector_likeness.load_embedded(),
            acceptance=acceptance.load_embedded(),
            paraphrase=paraphrase.load_embedded(),
        )

    def outcomes(self, texts: Iterable[str]) -> Iterator[Outcome]:
        """Yield one outcome for each text, in order: its rewrites, or why there are none."""
        if self.judging is None:
            return self._swaps(texts, self.settings)
        texts_to_judge, texts_to_swap = tee(texts)
        outcomes_of_swaps = self._swaps(texts_to_swap, self.judging.shortlisting(self.settings))
        return self.judging.outcomes(texts_to_judge, outcomes_of_swaps, self.settings)

    def _swaps(self, texts: Iterable[str], settings: WordSwapSettings) -> Iterator[Outcome]:
        sentences = self.tagger.tag(texts)
        return swaps(
            sentences, self.model, settings, self.likeness, self.acceptance, self.paraphrase
        )


def swaps(
    sentences: Iterable[TaggedSentence],
    model: LanguageModel,
    settings: WordSwapSettings,
    likeness: VectorLikeness | None = None,
    acceptance: Acceptance | None = None,
    paraphrase: Logistic | None = None,
) -> Iterator[Outcome]:
    """Yield one outcome for each tagged sentence, in order; the model may read ahead."""
    drafts: deque[_Draft | Reason] = deque()
    estimate = Estimate(settings, likeness, acceptance, paraphrase)
    beams = model.search(_puzzles(sentences, settings, likeness, drafts), width=settings.beam)
    for beam in beams:
        while isinstance(draft := drafts.popleft(), Reason):
            yield Outcome(str(draft))
        beams_of_draft = [beam, *islice(beams, len(draft.searched_templates) - 1)]
        yield _best_outcome(draft, beams_of_draft, settings, estimate)
    yield from (Outcome(str(draft)) for draft in drafts)


def _puzzles(
    sentences: Iterable[TaggedSentence],
    settings: WordSwapSettings,
    likeness: VectorLikeness | None,
    drafts: deque[_Draft | Reason],
) -> Iterator[Puzzle]:
    """Yield the puzzles to search; append each sentence's templates or reason to `drafts`."""
    for tagged in sentences:
        drafts.append(draft := _draft(tagged, settings, likeness))
        if not isinstance(draft, Reason):
            yield from (
                Puzzle(template, settings.max_changes) for template in draft.searched_templates
            )


def _draft(
    tagged: TaggedSentence, settings: WordSwapSettings, likeness: VectorLikeness | None
) -> _Draft | Reason:
    """Return what may change in a sentence, or the reason why it cannot be swapped."""
    if len(tagged.tokens) < settings.min_tokens:
        return Reason.TOO_SHORT
    is_long = len(tagged.text) > LONGEST_TOKENS * settings.max_tokens
    if is_long or len(tagged.tokens) > settings.max_tokens:
        return Reason.TOO_LONG
    sentence = Sentence.from_tagged(tagged, settings)
    all_templates = [templates.build(sentence, settings, likeness)]
    if Kind.NOUN_PHRASE in settings.movable:
        all_templates.append(noun_phrases.build(sentence, settings, likeness))
    moves = list(_moves(sentence, settings)) if Kind.ADVERBIAL in settings.movable else []
    # A move is compared with its source, which every template has.
    templates_to_search = [template for template in all_templates if template.has_choice] or (
        all_templates[:1] if moves else []
    )
    return _Draft(templates_to_search, moves) if templates_to_search else Reason.NOTHING_TO_SWAP


def _moves(sentence: Sentence, settings: WordSwapSettings) -> Iterator[Move]:
    """Yield the move of an adverbial within its clause, and the others of a balanced run."""
    move = adverbials.build(sentence)
    reattached = list(reattached_adverbials.build(sentence)) if settings.balance else []
    if move and all(other.moved_places != move.moved_places for other in reattached):
        yield move
    if settings.balance:
        yield from reattached
        yield from clause_exchanges.build(sentence)
        yield from adjacent_adverbials.build(sentence)


def _best_outcome(
    draft: _Draft, beams: Sequence[Beam], settings: WordSwapSettings, estimate: Estimate
) -> Outcome:
    """Return the best valid rewrites, or the reason why the likeliest was rejected."""
    tries = list(_try_all(draft, beams, settings))
    tries.sort(key=lambda rewrite: -rewrite.score)
    valid = estimate.with_probabilities([rewrite for rewrite in tries if rewrite.objection is None])
    valid.sort(key=_rank)
    rewrite_of_text = {
        rewrite.text: rewrite for rewrite in reversed(valid) if rewrite.objection is None
    }
    if not rewrite_of_text:
        return _refusal(valid, tries)
    passed = [*reversed(rewrite_of_text.values())]
    winners, rest = (_balance if settings.balance else _split_winners)(passed, draft, settings)
    if not winners:
        return Outcome(str(Reason.THINNED), refused=passed[0].rewrite())
    alternatives = tuple(rewrite.rewrite() for rewrite in _limit(rest, settings.keep_alternatives))
    best, *next_best = (winner.rewrite() for winner in winners)
    return Outcome(ACCEPTED, (replace(best, alternatives=alternatives), *next_best))


def _refusal(odd: Sequence[Tried], likeliest: Sequence[Tried]) -> Outcome:
    """Return the reason, with the odd rewrite of the highest estimate, or else the likeliest."""
    objections = [rewrite.objection for rewrite in (*odd, *likeliest) if rewrite.objection]
    best = max(odd, key=lambda rewrite: rewrite.probability or 0.0, default=None)
    refused = best or next(iter(likeliest), None)
    return Outcome(
        str(objections[0] if objections else Reason.NOTHING_TO_SWAP),
        refused=refused.rewrite() if refused else None,
    )


def _try_all(draft: _Draft, beams: Sequence[Beam], settings: WordSwapSettings) -> Iterator[Tried]:
    most = max(MOST_ESTIMATED, settings.per_sentence + settings.keep_alternatives)
    for template, beam in zip(draft.templates, beams, strict=False):
        yield from tries.try_fillings(template, beam, settings, most=most)
    source = float(tries.source_totals(draft.templates[0], beams[0])[-1])
    for move, beam in zip(draft.moves, beams[len(draft.templates) :], strict=True):
        yield tries.try_move(move, beam, source, settings)


def _rank(tried: Tried) -> tuple[bool, float]:
    """Return what is smallest for the best: moves come last, as they hardly change the meaning."""
    return tried.move is not None, -(tried.probability or 0.0)


def _balance(
    passed: Sequence[Tried], draft: _Draft, settings: WordSwapSettings
) -> tuple[list[Tried], list[Tried]]:
    """Return a rotation and another rewrite at most, so that shapes tell no label; and others.

    The others are those like the first, which one of them may replace (`judging.py`).
    """
    source = draft.templates[0]
    text = source.text(source.source)
    cells = [Cell.measure(text, rewrite.text, rewrite.paraphrase) for rewrite in passed]
    chosen = balancing.choose([*enumerate(cells)], text, settings.seed)
    places = chosen[: settings.per_sentence]
    winners = [passed[place] for place in places]
    others = [
        rewrite
        for place, rewrite in enumerate(passed)
        if places and place not in places and cells[place] == cells[places[0]]
    ]
    return winners, others


def _split_winners(
    passed: Sequence[Tried], _draft: _Draft, settings: WordSwapSettings
) -> tuple[list[Tried], list[Tried]]:
    """Return the best rewrites, up to `per_sentence`, that move different words; and the rest."""
    winners: list[Tried] = []
    rest: list[Tried] = []
    places_moved: set[int] = set()
    for rewrite in passed:
        if len(winners) < settings.per_sentence and places_moved.isdisjoint(rewrite.moved_places):
            winners.append(rewrite)
            places_moved |= rewrite.moved_places
        else:
            rest.append(rewrite)
    return winners, rest


def _limit(others: Sequence[Tried], most: int) -> list[Tried]:
    moves = [rewrite for rewrite in others if rewrite.move][:most]
    return [*[rewrite for rewrite in others if not rewrite.move][: most - len(moves)], *moves]
