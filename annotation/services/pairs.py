"""Opening pairs for judgment: the pair, its slots, and who may not judge it, in one transaction."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.models import Correction, Judgment, Project, Recusal, SentencePair
from generation.models import Candidate, Sentence
from generation.services import sentences

# Room for the slots of one pair between the queue keys of two.
KEYS_PER_PAIR = 128


@dataclass(frozen=True, slots=True)
class FinalText:
    """A candidate with the text that goes to the judges, and the correction that it comes from."""

    candidate: Candidate
    text: str
    correction: Correction | None = None


@transaction.atomic
def open_pairs(project: Project, finals: Sequence[FinalText]) -> list[SentencePair]:
    """Make a pair with all its judgment slots of each final text."""
    derived = sentences.derive([(final.candidate, final.text) for final in finals])
    pairs = SentencePair.objects.bulk_create(
        _pair(project, final, sentence) for final, sentence in zip(finals, derived, strict=True)
    )
    Judgment.objects.bulk_create(
        (slot for pair in pairs for slot in _slots(project, pair)), batch_size=2000
    )
    Recusal.objects.bulk_create(_recusals(project, pairs, finals))
    return pairs


def stands_first(seed: int, candidate: Candidate) -> bool:
    """Whether judges see the rewrite first: drawn from the project's seed, one draw a candidate."""
    drawn = hashlib.sha256(f"{seed} sides {candidate.public_id}".encode()).digest()
    return bool(drawn[0] & 1)


def _pair(project: Project, final: FinalText, sentence: Sentence) -> SentencePair:
    return SentencePair(
        project=project,
        candidate=final.candidate,
        correction=final.correction,
        sentence1_id=final.candidate.sentence_id,
        sentence2=sentence,
        flipped=stands_first(project.seed, final.candidate),
        slots=project.judgments_per_pair,
    )


def _slots(project: Project, pair: SentencePair) -> list[Judgment]:
    return [
        Judgment(project=project, pair=pair, slot=slot, queue_key=pair.pk * KEYS_PER_PAIR + slot)
        for slot in range(1, pair.slots + 1)
    ]


def _recusals(
    project: Project, pairs: Sequence[SentencePair], finals: Sequence[FinalText]
) -> list[Recusal]:
    """Whoever corrected either sentence of a pair never judges it."""
    first = _correctors_of_first(project, finals)
    return [
        Recusal(pair=pair, annotator_id=person, reason=Recusal.Reason.CORRECTED)
        for pair, final in zip(pairs, finals, strict=True)
        for person in {
            first.get(pair.sentence1_id),
            final.correction.annotator_id if final.correction else None,
        }
        if person is not None
    ]


def _correctors_of_first(project: Project, finals: Sequence[FinalText]) -> dict[int, int]:
    """Rewritten sentence -> who corrected it, where it is itself the final text of a candidate."""
    rewritten = [final.candidate.sentence_id for final in finals]
    found = SentencePair.objects.filter(
        project=project, sentence2__in=rewritten, correction__isnull=False
    ).values_list("sentence2_id", "correction__annotator_id")
    return dict(found)
