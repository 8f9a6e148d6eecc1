"""The seal chain, and the answers to seal next."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, Q, QuerySet, TextField, Value, When

from annotation.models import (
    Consensus,
    Correction,
    Item,
    Judgment,
    Project,
    Seal,
    SentencePair,
    Slot,
)
from annotation.models.slots import SlotQuerySet
from annotation.seals.chain import START, Answer, Fault, Link, breaks
from common.bulk import Written

CHUNK = 5000
# In the order of the fields of annotation.seals.chain.Answer.
_COLUMNS = (
    "pk",
    Written("item__public_id"),
    "item__sentence1__text",
    "item__sentence2__text",
    "item__flipped",
    "annotator_id",
    "label",
    "seconds",
    "highlighted",
    "serial",
    "submitted_at",
    "action",
    "text",
    # A judgment is about the sentences of its pair instead.
    Case(
        When(kind=Correction.KIND, then="item__candidate__text"),
        default=Value(""),
        output_field=TextField(),
    ),
    "words",
)


class Head(NamedTuple):
    """The last seal of the chain. A copy kept elsewhere proves all seals up to it."""

    number: int
    digest: bytes

    @classmethod
    def parse(cls, text: str) -> "Head":
        """Parse the printed form `number:digest`. Raises ValueError."""
        number, _, digest = text.partition(":")
        return cls(int(number), bytes.fromhex(digest))

    def __str__(self) -> str:
        return f"{self.number}:{self.digest.hex()}"


class Broken(NamedTuple):
    """A break with the pair, slot and project of its first answer, if that still exists."""

    fault: Fault
    first: int
    last: int
    pair: UUID | None = None
    slot: int | None = None
    project: int | None = None


class Added(NamedTuple):
    """An answer that was added to a pair after it was sealed."""

    pair: UUID
    slot: int
    project: int


def head() -> Head:
    """Return the last seal; number 0 if there is none."""
    last = Seal.objects.order_by("-number").values_list("number", "digest").first()
    return Head(last[0], bytes(last[1])) if last else Head(0, START)


def digest_at(number: int) -> bytes | None:
    """Return the digest of the seal with this number; None if there is none."""
    digest = Seal.objects.filter(number=number).values_list("digest", flat=True).first()
    return bytes(digest) if digest is not None else None


def waiting_consensus() -> QuerySet[Consensus]:
    """Return decided pairs whose answers are not sealed, in the order of their decisions."""
    return Consensus.objects.filter(sealed_at=None).order_by("decided_at")


def unsealed_answers(pairs: Iterable[int]) -> Iterator[Answer]:
    """Yield the answers without a seal of pairs, by key, whether they count or not.

    These are their judgments, and the corrections that the pairs were made from.
    """
    answers = evidence(pairs).answered().filter(seal=None)
    return _read_answers(answers.order_by("item_id", "submitted_at", "pk"))


def evidence(pairs: Iterable[int]) -> SlotQuerySet:
    """Return the slots of pairs, by key, and of the corrections that they were made from."""
    pairs = list(pairs)
    corrected = Item.objects.filter(pk__in=pairs).values("origin")
    return Slot.objects.filter(Q(item__in=pairs) | Q(pk__in=corrected))


def broken_links() -> Iterator[Broken]:
    """Yield the faults of the chain, from its start to the current head."""
    columns = ("item__public_id", "number", "project_id")
    for fault in breaks(_links(head().number)):
        answers = Slot.objects.filter(seal__number=fault.first).values_list(*columns)
        yield Broken(*fault, *(answers.first() or ()))


def unsealed_on_sealed_pairs() -> Iterator[Added]:
    """Yield answers without a seal on sealed pairs. No regular operation creates one."""
    answers = Judgment.objects.filter(
        item__consensus__sealed_at__isnull=False, label__isnull=False, seal=None
    )
    columns = ("item__public_id", "number", "project_id")
    return map(Added._make, answers.values_list(*columns).order_by("pk").iterator(CHUNK))


def untrusted_pairs(project: Project) -> set[UUID | None]:
    """Return the pairs of a project whose answers or correction differ from the sealed ones.

    Includes None if some seals are missing or have lost their answer, which may be of any pair.
    """
    faults: list[Broken | Added] = [*broken_links(), *unsealed_on_sealed_pairs()]
    items = {fault.pair for fault in faults if fault.project in (None, project.pk)}
    corrected = SentencePair.objects.filter(origin__item__public_id__in=[*filter(None, items)])
    return items | set(corrected.values_list("public_id", flat=True))


def _links(last: int) -> Iterator[Link]:
    """The chain up to a number, with its answers, in chunks of CHUNK."""
    for first in range(1, last + 1, CHUNK):
        numbers = (first, min(first + CHUNK - 1, last))
        seals = Seal.objects.filter(number__range=numbers).order_by("number")
        answers_read = _read_answers(Slot.objects.filter(seal__number__range=numbers))
        answers = {answer.judgment: answer for answer in answers_read}
        for number, judgment, digest in seals.values_list("number", "judgment_id", "digest"):
            yield Link(number, bytes(digest), answers.get(judgment))


def _read_answers(rows: SlotQuerySet) -> Iterator[Answer]:
    return (Answer(*row) for row in rows.values_list(*_COLUMNS))
