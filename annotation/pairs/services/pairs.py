"""Open pairs for judgment: the pair, its slots and its recusals in one transaction."""

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import ProtectedError, Q

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Item, Project, Recusal, SentencePair, Slot
from annotation.work import queue
from common import bulk
from generation.models import Candidate
from generation.services import sentences

Reason = Recusal.Reason
# A gold pair has no limit on judgments: the maximum of the column.
WITHOUT_END = 32767
PAIR = ("id", "candidate_id", "origin_id", "sentence1_id", "sentence2_id", "flipped", "gold_label")


@dataclass(frozen=True, slots=True)
class FinalText:
    """A candidate with the text that is judged, and who corrected it.

    All but the texts are primary keys; `public_id` and `group` are those of the candidate and its
    sentence.
    """

    candidate: int
    public_id: uuid.UUID
    sentence: int
    corpus: int
    group: str
    text: str
    origin: int | None = None
    corrector: int | None = None

    @classmethod
    def of(cls, candidate: Candidate, text: str, correction: Slot | None = None) -> "FinalText":
        """Return the final text of a candidate, as generated or as corrected."""
        return cls(
            candidate.pk,
            candidate.public_id,
            candidate.sentence_id,
            candidate.sentence.corpus_id,
            candidate.sentence.group,
            text,
            correction.pk if correction else None,
            correction.annotator_id if correction else None,
        )


@transaction.atomic
def open_pairs(project: Project, finals: Sequence[FinalText]) -> None:
    """Create a pair with all its judgment slots for each final text."""
    pairs = _made(project, finals, slots=project.judgments_per_pair, labels=[None] * len(finals))
    Recusal.objects.bulk_create(_recusals(project, pairs, finals))
    queue.open_slots(project, "judge", pairs, each=project.judgments_per_pair)


@transaction.atomic
def open_gold(project: Project, finals: Sequence[tuple[FinalText, int]]) -> list[SentencePair]:
    """Create a gold pair for each final text with a known label.

    Slots are created when people are given the pair; it is never decided. Raises Refused if a label
    is outside the project's scale.
    """
    if not all(0 <= label <= project.max_label for _, label in finals):
        raise Refused("A known answer is not one of this project's scale.")
    texts = [final for final, _ in finals]
    pairs = _made(project, texts, slots=WITHOUT_END, labels=[label for _, label in finals])
    Recusal.objects.bulk_create(_recusals(project, pairs, texts))
    return list(SentencePair.objects.filter(pk__in=pairs).order_by("pk"))


def withdraw(correction: Slot) -> bool:
    """Delete the pair of a correction; False if others have built on it.

    A person has a slot of it or has skipped it, or its rewrite was rewritten again. Locks its slots
    first, in order of number, as an answer does.
    """
    pair = SentencePair.objects.filter(origin=correction).first()
    if pair is None:
        return True
    slots = list(pair.slots.select_for_update(of=("self",)).order_by("number"))
    if any(slot.annotator_id is not None for slot in slots) or pair.skips.exists():
        return False
    try:
        with transaction.atomic():
            pair.slots.all().delete()
            pair.delete()
            pair.sentence2.delete()
    except ProtectedError:
        return False
    return True


def is_flipped(seed: int, candidate: uuid.UUID) -> bool:
    """Return whether judges see the rewrite first: one draw per candidate from the seed."""
    drawn = hashlib.sha256(f"{seed} sides {candidate}".encode()).digest()
    return bool(drawn[0] & 1)


def _made(
    project: Project, finals: Sequence[FinalText], *, slots: int, labels: Sequence[int | None]
) -> Sequence[int]:
    """Create a pair for each final text; return the primary keys."""
    derived = sentences.derive(
        [(final.candidate, final.corpus, final.group, final.text) for final in finals]
    )
    pairs = bulk.keys(Item, len(finals))
    rows = (
        (
            pair,
            final.candidate,
            final.origin,
            final.sentence,
            sentence,
            is_flipped(project.seed, final.public_id),
            label,
        )
        for pair, final, sentence, label in zip(pairs, finals, derived, labels, strict=True)
    )
    bulk.insert(Item, rows, fields=PAIR, project_id=project.pk, kind="judge", slot_count=slots)
    return pairs


def _recusals(project: Project, pairs: Sequence[int], finals: Sequence[FinalText]) -> list[Recusal]:
    """Exclude the correctors of either sentence, with all their accounts, from judging the pair."""
    correctors = _correctors(project, finals)
    if not any(correctors):
        return []
    others = _other_accounts(set().union(*correctors))
    recusals = []
    for pair, people in zip(pairs, correctors, strict=True):
        same = {account for person in people for account in others.get(person, ())} - people
        for accounts, reason in ((people, Reason.CORRECTED), (same, Reason.SAME_PERSON)):
            recusals += [Recusal(item_id=pair, annotator_id=key, reason=reason) for key in accounts]
    return recusals


def _correctors(project: Project, finals: Sequence[FinalText]) -> list[set[int]]:
    """Return the people who corrected either sentence, for each pair."""
    # The rewritten sentence may itself be a corrected text.
    rewritten = bulk.among("sentence2", {final.sentence for final in finals})
    found = SentencePair.objects.filter(rewritten, project=project, origin__isnull=False)
    first = dict(found.values_list("sentence2_id", "origin__annotator_id"))
    people = [(first.get(final.sentence), final.corrector) for final in finals]
    return [{person for person in both if person is not None} for both in people]


def _other_accounts(people: Iterable[int]) -> dict[int, set[int]]:
    """Return all accounts of each of `people` who has several."""
    mains = _mains(Q(pk__in=people))
    accounts = _mains(Q(pk__in=mains.values()) | Q(main_account__in=mains.values()))
    return {
        person: {account for account, other in accounts.items() if other == main}
        for person, main in mains.items()
    }


def _mains(condition: Q) -> dict[int, int]:
    """Return the main account of each account; an account without one is its own."""
    rows = User.objects.filter(condition).values_list("pk", "main_account")
    return {account: main or account for account, main in rows}
