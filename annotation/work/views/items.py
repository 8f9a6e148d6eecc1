"""What an annotator sees of an item. Templates get these and never a row: blind by construction."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Correction, Judgment
from annotation.work.services.turns import HeldPair


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
    criterion: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer of one's own, to be read again; `text` is the sentence as one fixed it."""

    sentences: tuple[str, ...]
    language: str
    answer: str | Promise
    text: str
    at: datetime | None


SAME_OR_DIFFERENT = (
    Answer("1", 1, _("Same meaning")),
    Answer("2", 0, _("Different meaning")),
)
# What the grades of PARADE (4.2, Table 4) ask, in our words.
GRADES = (
    Answer("0", 0, _("Not equivalent"), _("They speak of two different things.")),
    Answer("1", 1, _("Roughly equivalent"), _("One thing, but something that matters differs.")),
    Answer(
        "2",
        2,
        _("Mostly equivalent"),
        _("One thing; only examples differ, or what follows from the rest."),
    ),
    Answer("3", 3, _("Completely equivalent"), _("One thing, in the same details.")),
)
SCALES = {1: SAME_OR_DIFFERENT, 3: GRADES}
ACTIONS: dict[str, Promise] = {
    Correction.Action.ACCEPT: _("accepted"),
    Correction.Action.FIX: _("fixed"),
    Correction.Action.REJECT: _("rejected"),
}


def to_correct(correction: Correction) -> Item:
    """The candidate alone: neither its source nor how it was made (design: rule 4)."""
    candidate = correction.candidate
    return Item(correction.public_id, (candidate.text,), candidate.run.corpus.language)


def to_judge(held: HeldPair) -> Item:
    """Both sentences in the order that was drawn for the pair; which is the source is not said."""
    texts = (held.sentence1, held.sentence2)
    return Item(held.public_id, texts[::-1] if held.flipped else texts, held.language)


def corrected(correction: Correction) -> Given:
    """A correction of one's own. Raises KeyError where there is no answer yet."""
    candidate = correction.candidate
    return Given(
        sentences=(candidate.text,),
        language=candidate.run.corpus.language,
        answer=ACTIONS[str(correction.action)],
        text=correction.text,
        at=correction.submitted_at,
    )


def judged(judgment: Judgment, max_label: int) -> Given:
    """A judgment of one's own, its sentences as they stood. Raises StopIteration without label."""
    pair = judgment.pair
    texts = (pair.sentence1.text, pair.sentence2.text)
    return Given(
        sentences=texts[::-1] if pair.flipped else texts,
        language=pair.sentence1.corpus.language,
        answer=name_of(judgment.label, max_label),
        text="",
        at=judgment.submitted_at,
    )


def answers(max_label: int) -> tuple[Answer, ...]:
    """The answers of a project's scale; a scale without names of its own shows its numbers."""
    numbers = (Answer(str(label), label, str(label)) for label in range(max_label + 1))
    return SCALES.get(max_label) or tuple(numbers)


def name_of(label: int | None, max_label: int) -> str:
    """The answer that stores this label, as the person read it."""
    return next(str(each.name) for each in answers(max_label) if each.value == label)
