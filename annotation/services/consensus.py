"""Deciding a pair once its slots are full."""

from annotation import protocols
from annotation.models import Consensus, Judgment, Project, SentencePair
from annotation.stats.consensus import decide


def decide_if_full(project: Project, pair: SentencePair) -> Consensus | None:
    """Store the consensus of a pair whose slots are all answered; the caller holds its lock."""
    labels = list(Judgment.objects.filter(pair=pair).values_list("label", flat=True))
    answered = [label for label in labels if label is not None]
    if len(answered) < len(labels):
        return None
    decision = decide(answered, protocols.of(project))
    return Consensus.objects.create(
        pair=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )
