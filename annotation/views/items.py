"""What an annotator sees of an item. Templates get these and never a row: blind by construction."""

import uuid
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Correction
from annotation.services.turns import HeldPair


@dataclass(frozen=True, slots=True)
class Item:
    """The sentences to be read, in the order in which they stand, and the name of the item."""

    id: uuid.UUID
    sentences: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer that can be given: its key, what is stored, and what the person reads."""

    key: str
    value: int
    name: str | Promise


SAME_OR_DIFFERENT = (
    Answer("1", 1, _("Same meaning")),
    Answer("2", 0, _("Different meaning")),
)
# PARADE 4.2, Table 4.
GRADES = (
    Answer("0", 0, _("Not equivalent")),
    Answer("1", 1, _("Roughly equivalent")),
    Answer("2", 2, _("Mostly equivalent")),
    Answer("3", 3, _("Completely equivalent")),
)
SCALES = {1: SAME_OR_DIFFERENT, 3: GRADES}


def to_correct(correction: Correction) -> Item:
    """The candidate alone: neither its source nor how it was made (design: rule 4)."""
    candidate = correction.candidate
    return Item(correction.public_id, (candidate.text,), candidate.run.corpus.language)


def to_judge(held: HeldPair) -> Item:
    """Both sentences in the order that was drawn for the pair; which is the source is not said."""
    texts = (held.sentence1, held.sentence2)
    return Item(held.public_id, texts[::-1] if held.flipped else texts, held.language)


def answers(max_label: int) -> tuple[Answer, ...]:
    """The answers of a project's scale; a scale without names of its own shows its numbers."""
    numbers = (Answer(str(label), label, str(label)) for label in range(max_label + 1))
    return SCALES.get(max_label) or tuple(numbers)


def name_of(label: int, max_label: int) -> str:
    """The answer that stores this label, as the person read it."""
    return next(str(each.name) for each in answers(max_label) if each.value == label)
