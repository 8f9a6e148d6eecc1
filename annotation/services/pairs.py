"""Opening pairs for judgment: the pair, its slots, and who may not judge it, in one transaction."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Correction, Judgment, Project, Recusal, SentencePair
from annotation.services import queues
from generation.models import Candidate
from generation.services import sentences

# As many people judge a hidden pair as come by it: all that the column holds.
WITHOUT_END = 32767


@dataclass(frozen=True, slots=True)
class FinalText:
    """A candidate with the text that goes to the judges, and the correction that it comes from."""

    candidate: Candidate
    text: str
    correction: Correction | None = None


@transaction.atomic
def open_pairs(project: Project, finals: Sequence[FinalText]) -> list[SentencePair]:
    """Make a pair with all its judgment slots of each final text."""
    unknown = [None] * len(finals)
    pairs = _made(project, finals, slots=project.judgments_per_pair, labels=unknown)
    slots = _slots(project, pairs)
    Judgment.objects.bulk_create(slots, batch_size=2000)
    Recusal.objects.bulk_create(_recusals(project, pairs, finals))
    queues.call_back(project, queues.JUDGMENT_PLACE, [slot.queue_key for slot in slots])
    return pairs


@transaction.atomic
def open_known(project: Project, finals: Sequence[tuple[FinalText, int]]) -> list[SentencePair]:
    """Make a hidden pair of each final text whose label is known.

    Its slots are made when people come by it (turns); it is never decided. Raises Refused for a
    label outside the project's scale.
    """
    if not all(0 <= label <= project.max_label for _, label in finals):
        raise Refused("A known answer is not one of this project's scale.")
    pairs = _made(
        project,
        [final for final, _ in finals],
        slots=WITHOUT_END,
        labels=[label for _, label in finals],
    )
    Recusal.objects.bulk_create(_recusals(project, pairs, [final for final, _ in finals]))
    return pairs


def stands_first(seed: int, candidate: Candidate) -> bool:
    """Whether judges see the rewrite first: drawn from the project's seed, one draw a candidate."""
    drawn = hashlib.sha256(f"{seed} sides {candidate.public_id}".encode()).digest()
    return bool(drawn[0] & 1)


def _made(
    project: Project,
    finals: Sequence[FinalText],
    *,
    slots: int,
    labels: Sequence[int | None],
) -> list[SentencePair]:
    derived = sentences.derive([(final.candidate, final.text) for final in finals])
    return SentencePair.objects.bulk_create(
        SentencePair(
            project=project,
            candidate=final.candidate,
            correction=final.correction,
            sentence1_id=final.candidate.sentence_id,
            sentence2=sentence,
            flipped=stands_first(project.seed, final.candidate),
            slots=slots,
            known_label=label,
        )
        for final, sentence, label in zip(finals, derived, labels, strict=True)
    )


def _slots(project: Project, pairs: Sequence[SentencePair]) -> list[Judgment]:
    """All slots of new pairs, with the keys of those that enter the queue now."""
    made, now = [], timezone.now()
    for ahead, pair in enumerate(pairs):
        numbers = range(1, pair.slots + 1)
        slots = [Judgment(project=project, pair=pair, slot=number) for number in numbers]
        queues.give_keys(project, pair, slots, now=now, ahead=ahead)
        made += slots
    return made


def _recusals(
    project: Project, pairs: Sequence[SentencePair], finals: Sequence[FinalText]
) -> list[Recusal]:
    """Whoever corrected either sentence of a pair never judges it, under no account of theirs."""
    correctors = _correctors(project, pairs, finals)
    others = _other_accounts(set().union(*correctors))
    recusals = []
    for pair, people in zip(pairs, correctors, strict=True):
        same = {account for person in people for account in others.get(person, ())} - people
        recusals += [_recusal(pair, person, Recusal.Reason.CORRECTED) for person in people]
        recusals += [_recusal(pair, person, Recusal.Reason.SAME_PERSON) for person in same]
    return recusals


def _recusal(pair: SentencePair, person: int, reason: Recusal.Reason) -> Recusal:
    return Recusal(pair=pair, annotator_id=person, reason=reason)


def _correctors(
    project: Project, pairs: Sequence[SentencePair], finals: Sequence[FinalText]
) -> list[set[int]]:
    """Whoever corrected either sentence, for each pair."""
    first = _correctors_of_first(project, finals)
    found = [
        (first.get(pair.sentence1_id), final.correction.annotator_id if final.correction else None)
        for pair, final in zip(pairs, finals, strict=True)
    ]
    return [{person for person in people if person is not None} for people in found]


def _other_accounts(people: Iterable[int]) -> dict[int, set[int]]:
    """All accounts of each person who has several, by each of `people`."""
    if not (mains := _mains(Q(pk__in=people))):
        return {}
    accounts = _mains(Q(pk__in=mains.values()) | Q(main_account__in=mains.values()))
    return {
        person: {account for account, other in accounts.items() if other == main}
        for person, main in mains.items()
    }


def _mains(condition: Q) -> dict[int, int]:
    """The main account of each account; one that stands for itself is its own."""
    rows = User.objects.filter(condition).values_list("pk", "main_account")
    return {account: main or account for account, main in rows}


def _correctors_of_first(project: Project, finals: Sequence[FinalText]) -> dict[int, int]:
    """Rewritten sentence -> who corrected it, where it is itself the final text of a candidate."""
    rewritten = [final.candidate.sentence_id for final in finals]
    found = SentencePair.objects.filter(
        project=project, sentence2__in=rewritten, correction__isnull=False
    ).values_list("sentence2_id", "correction__annotator_id")
    return dict(found)
