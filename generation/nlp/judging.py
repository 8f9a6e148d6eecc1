"""A second language model that judges rewrites: those that lose too much likelihood are dropped."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from generation.nlp.language_model import Floats
from generation.nlp.rewrites import Outcome, Rewrite

UNLIKELY = "below_second_threshold"


class Judge(Protocol):
    """A language model that scores texts."""

    def log_likelihoods(self, groups: Iterable[Sequence[str]]) -> Iterator[Floats]:
        """Yield the natural-log likelihoods of the texts of each group, in order.

        Texts of one group that begin alike cost less. A model may read ahead to process several
        groups together.
        """
        ...


def likelihood_lost(judge: Judge, groups: Iterable[tuple[str, Sequence[str]]]) -> Iterator[Floats]:
    """Yield, for each source with its candidates, the nats that each candidate loses against it.

    A candidate that is likelier than its source loses less than nothing.
    """
    for scores in judge.log_likelihoods([source, *texts] for source, texts in groups):
        yield scores[0] - scores[1:]


@dataclass(frozen=True, slots=True)
class Judging:
    """How rewrites are judged.

    Attributes:
        judge: the second language model.
        most: rewrites of a sentence that it scores: the likeliest of the first model.
        threshold: nats by which it may find a rewrite less likely than the source.
    """

    judge: Judge
    most: int
    threshold: float

    def outcomes(
        self, texts: Iterable[str], outcomes: Iterable[Outcome], *, keep_alternatives: int
    ) -> Iterator[Outcome]:
        """Yield the outcome of each text, in order, with what passes, likeliest first.

        Its scores are those of the judge. If nothing passes, the outcome is UNLIKELY.
        """
        waiting: deque[Outcome] = deque()
        groups = self._groups(zip(texts, outcomes, strict=True), waiting)
        for scores in self.judge.log_likelihoods(groups):
            while not (outcome := waiting.popleft()).rewrites:
                yield outcome
            yield self._judged(outcome, scores.tolist(), keep_alternatives)
        yield from waiting

    def _groups(
        self, found: Iterable[tuple[str, Outcome]], waiting: deque[Outcome]
    ) -> Iterator[list[str]]:
        for text, outcome in found:
            waiting.append(outcome)
            if outcome.rewrites:
                yield [text, *(rewrite.text for rewrite in self._tried(outcome))]

    def _tried(self, outcome: Outcome) -> list[Rewrite]:
        """Return the best rewrite and its alternatives, up to the number that is judged."""
        (best,) = outcome.rewrites
        others = (Rewrite(other["text"], other["kind"]) for other in best.alternatives)
        return [best, *others][: self.most]

    def _judged(self, outcome: Outcome, scores: list[float], keep_alternatives: int) -> Outcome:
        source, *others = scores
        tried = zip(self._tried(outcome), others, strict=True)
        passed = [
            replace(rewrite, score=score, source_score=source)
            for rewrite, score in tried
            if source - score <= self.threshold
        ]
        if not passed:
            return Outcome(UNLIKELY)
        best, *rest = sorted(passed, key=lambda rewrite: -(rewrite.score or 0.0))
        alternatives = tuple(
            {"text": other.text, "log_likelihood": other.score, "kind": other.kind}
            for other in rest[:keep_alternatives]
        )
        return replace(outcome, rewrites=(replace(best, alternatives=alternatives),))
