"""A second language model that judges rewrites: those that it finds too unlikely are dropped."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from generation.nlp.acceptance import Acceptance
from generation.nlp.language_model import Floats
from generation.nlp.phrases import Kind
from generation.nlp.recalibration import Recalibration
from generation.nlp.rewrites import Outcome, Rewrite
from generation.nlp.settings import WordSwapSettings

UNLIKELY = "below_second_threshold"
# Of the minimum probability of acceptance: rewrites above this are judged, since some gain by it.
SHORTLISTED = 0.7


class Judge(Protocol):
    """A language model that scores texts."""

    def log_likelihoods(self, groups: Iterable[Sequence[str]]) -> Iterator[Floats]:
        """Yield natural-log likelihoods of each group; texts that begin alike cost less."""
        ...


@dataclass(frozen=True, slots=True)
class Judging:
    """How rewrites are judged.

    Attributes:
        judge: the second language model.
        most: rewrites of a sentence that it scores: the best of the first model.
        threshold: nats by which it may find a rewrite less likely than the source, if the
            probability of its acceptance was not estimated.
        acceptance: combines that probability with what the judge finds.
    """

    judge: Judge
    most: int
    threshold: float
    acceptance: Acceptance | None = None

    def shortlisting(self, settings: WordSwapSettings) -> WordSwapSettings:
        """Return the settings of the first model; what is judged is recalibrated at the end."""
        return replace(
            settings,
            keep_alternatives=self.most - 1,
            acceptance=settings.acceptance * SHORTLISTED,
            acceptance_of_questions=settings.acceptance_of_questions * SHORTLISTED,
            estimate_slope=1.0,
            estimate_shift=0.0,
        )

    def outcomes(
        self, texts: Iterable[str], outcomes: Iterable[Outcome], settings: WordSwapSettings
    ) -> Iterator[Outcome]:
        """Yield the outcome of each text, in order, with what passes, best first.

        Its scores are those of the judge. If nothing passes, the outcome is UNLIKELY. Of several
        candidates of a sentence each is judged, and no alternative takes the place of another.
        """
        waiting: deque[Outcome] = deque()
        groups = self._groups(zip(texts, outcomes, strict=True), waiting)
        for scores in self.judge.log_likelihoods(groups):
            while not (outcome := waiting.popleft()).rewrites:
                yield outcome
            yield self._judge(outcome, scores.tolist(), settings)
        yield from waiting

    def _groups(
        self, texts_and_outcomes: Iterable[tuple[str, Outcome]], waiting: deque[Outcome]
    ) -> Iterator[list[str]]:
        for text, outcome in texts_and_outcomes:
            waiting.append(outcome)
            if outcome.rewrites:
                yield [text, *(rewrite.text for rewrite in self._rewrites_to_judge(outcome))]

    def _rewrites_to_judge(self, outcome: Outcome) -> list[Rewrite]:
        """Return the rewrites, or a single one and its alternatives, up to the number judged."""
        best, *rewrites = outcome.rewrites
        return [best, *(rewrites or best.alternatives)][: self.most]

    def _judge(self, outcome: Outcome, scores: list[float], settings: WordSwapSettings) -> Outcome:
        source, *scores_of_rewrites = scores
        rewrites_and_scores = zip(self._rewrites_to_judge(outcome), scores_of_rewrites, strict=True)
        judged = [
            self._add_score(rewrite, source, score, settings.recalibration)
            for rewrite, score in rewrites_and_scores
        ]
        passed = [rewrite for rewrite in judged if self._passes(rewrite, settings)]
        if not passed:
            return Outcome(UNLIKELY, refused=replace(max(judged, key=_estimate), alternatives=()))
        passed.sort(key=_rank, reverse=True)
        best, *rest = (replace(rewrite, alternatives=()) for rewrite in passed)
        if len(outcome.rewrites) > 1:
            return replace(outcome, rewrites=(best, *rest))
        alternatives = tuple(rest[: settings.keep_alternatives])
        return replace(outcome, rewrites=(replace(best, alternatives=alternatives),))

    def _add_score(
        self, rewrite: Rewrite, source: float, score: float, recalibration: Recalibration
    ) -> Rewrite:
        probability = rewrite.probability
        is_adverbial = (
            rewrite.kind == Kind.ADVERBIAL
        )  # its acceptance hardly depends on the likelihood
        if self.acceptance is not None and probability is not None and not is_adverbial:
            probability = self.acceptance.judged_probability(probability, source - score)
        if probability is not None:
            probability = recalibration.corrected(probability)
        return replace(rewrite, score=score, source_score=source, probability=probability)

    def _passes(self, rewrite: Rewrite, settings: WordSwapSettings) -> bool:
        if rewrite.probability is not None:
            return rewrite.probability >= settings.least_acceptance(rewrite.text)
        return (rewrite.source_score or 0.0) - (rewrite.score or 0.0) <= self.threshold


def _estimate(rewrite: Rewrite) -> tuple[float, float]:
    return rewrite.probability or 0.0, rewrite.score or 0.0


def _rank(rewrite: Rewrite) -> tuple[bool, float, float]:
    """Return what is largest for the best: exchanges come before adverbials that only move."""
    return (rewrite.kind != Kind.ADVERBIAL, *_estimate(rewrite))
