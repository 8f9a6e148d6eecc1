"""Which samples of a chat model become candidates, and why the others do not.

A sample is one reply of the model to the prompt with one sentence.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from generation.nlp.chat_replies import Fault, sentence_of
from generation.nlp.judging import Judge
from generation.nlp.list_permutations import permutes_list
from generation.nlp.measures import ROUNDING, bow_similarity, inversion_rate
from generation.nlp.near_equal import NearEqual, near_equal, plain_text
from generation.nlp.prompted import PromptedSettings
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.text import folded
from generation.nlp.words import tokens, words


class Reason(StrEnum):
    """Why a sample is no candidate, in the order of the checks."""

    REFUSED_BY_SERVER = "refused_by_server"
    CUT_OFF = "cut_off"
    FILTERED = "filtered"
    DECLINED = Fault.DECLINED.value
    EMPTY = Fault.EMPTY.value
    ECHO = Fault.ECHO.value
    SEVERAL_LINES = Fault.SEVERAL_LINES.value
    BAD_TEXT = Fault.BAD_TEXT.value
    UNCHANGED = "unchanged"
    REPEATED = "repeated"
    OTHER_WORDS = "other_words"
    BELOW_SIMILARITY = "below_similarity"
    SAME_ORDER = "same_order"
    LIST_PERMUTATION = "list_permutation"
    CONTAINED = "contained"
    UNLIKELY = "unlikely"
    SURPLUS = "surplus"


STAGES = {reason: stage for stage, reason in enumerate(Reason)}


@dataclass(frozen=True, slots=True)
class Sample:
    """A reply: its text, and why it ended, as the server says ("stop", "length").

    `is_refused` is whether the server refused the request; then there is no text.
    """

    text: str
    finish: str = "stop"
    is_refused: bool = False


def outcome(
    source: str, samples: Sequence[Sample], settings: PromptedSettings, scorer: Judge | None = None
) -> Outcome:
    """Return the best rewrites among the samples of a sentence, which are in a fixed order.

    Each sample is a rewrite, an alternative of the first one, or counted in `dropped`. If none is
    kept, the outcome is the reason of the sample that passed most checks.
    """
    rewrites: list[Rewrite] = []
    refused: list[tuple[Reason, Rewrite]] = []
    texts: set[str] = set()
    for sample in samples:
        text, reason = _text_or_reason(source, sample, settings)
        if reason is None and (key := folded(text).casefold()) in texts:
            reason = Reason.REPEATED
        elif reason is None:
            texts.add(key)
            reason = fault(source, text, settings)
        rewrite = Rewrite(text, settings.kind)
        if reason is None:
            rewrites.append(rewrite)
        else:
            refused.append((reason, rewrite))
    if scorer and rewrites:
        scored = sorted(_scored(source, rewrites, scorer), key=_loss)
        rewrites = [rewrite for rewrite in scored if _loss(rewrite) <= settings.max_loss]
        refused += [(Reason.UNLIKELY, rewrite) for rewrite in scored[len(rewrites) :]]
    return _outcome(rewrites, refused, settings)


def fault(source: str, text: str, settings: PromptedSettings) -> Reason | None:
    """Return why a rewrite is dropped although it is a new sentence; None if it is kept."""
    if settings.same_words and _counts(source) != _counts(text):
        return Reason.OTHER_WORDS
    before, after = tokens(source), tokens(text)
    if bow_similarity(before, after) < settings.min_similarity - ROUNDING:
        return Reason.BELOW_SIMILARITY
    least = settings.reordered_above
    if least and inversion_rate(before, after) <= least:
        return Reason.SAME_ORDER
    if settings.same_words and permutes_list(before, after, settings.corpus_language):
        return Reason.LIST_PERMUTATION
    if near_equal(plain_text(source), plain_text(text)) is NearEqual.CONTAINED:
        return Reason.CONTAINED
    return None


def _counts(text: str) -> Counter[str]:
    return Counter(words(text.casefold()))


def _text_or_reason(
    source: str, sample: Sample, settings: PromptedSettings
) -> tuple[str, Reason | None]:
    """Return the sentence of a sample, or "" and why it has none that differs from the source."""
    if sample.is_refused:
        return "", Reason.REFUSED_BY_SERVER
    if sample.finish == "length":
        return "", Reason.CUT_OFF
    if sample.finish == "content_filter":
        return "", Reason.FILTERED
    text = sentence_of(sample.text, source=source, instruction=settings.instruction)
    if isinstance(text, Fault):
        return "", Reason(text.value)
    return text, Reason.UNCHANGED if plain_text(text) == plain_text(source) else None


def _scored(source: str, rewrites: Sequence[Rewrite], scorer: Judge) -> Iterable[Rewrite]:
    [scores] = scorer.log_likelihoods([[source, *(rewrite.text for rewrite in rewrites)]])
    source_score, *own_scores = map(float, scores)
    for rewrite, score in zip(rewrites, own_scores, strict=True):
        yield replace(rewrite, score=score, source_score=source_score)


def _loss(rewrite: Rewrite) -> float:
    """Return by how many nats a scored rewrite is less likely than its source."""
    return (rewrite.source_score or 0.0) - (rewrite.score or 0.0)


def _outcome(
    rewrites: Sequence[Rewrite],
    refused: Sequence[tuple[Reason, Rewrite]],
    settings: PromptedSettings,
) -> Outcome:
    """Return the outcome of a sentence from its good rewrites, best first, and the other ones."""
    dropped = Counter(str(reason) for reason, _ in refused)
    if not rewrites:
        reason, furthest = max(refused, key=lambda pair: STAGES[pair[0]])
        return Outcome(str(reason), dropped=dropped, refused=furthest if furthest.text else None)
    number = settings.per_sentence
    best, *next_best = rewrites[:number]
    others = rewrites[number : number + settings.keep_alternatives]
    if surplus := len(rewrites) - number - len(others):
        dropped[str(Reason.SURPLUS)] = surplus
    return Outcome(ACCEPTED, (replace(best, alternatives=tuple(others)), *next_best), dropped)
