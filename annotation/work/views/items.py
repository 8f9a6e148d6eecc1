"""The data of an item that templates get instead of model rows, so that annotators stay blind."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Correction, Judgment
from annotation.work.services.turns import HeldPair


@dataclass(frozen=True, slots=True)
class Item:
    """The sentences of an item, in display order, and its public id."""

    id: uuid.UUID
    sentences: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A possible answer: its key, the stored value and the displayed texts."""

    key: str
    value: int
    name: str | Promise
    criterion: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Given:
    """An earlier answer of the person; `text` is the sentence if they fixed it."""

    sentences: tuple[str, ...]
    language: str
    answer: str | Promise
    text: str
    at: datetime | None


SAME_OR_DIFFERENT = (
    Answer("1", 1, _("Same meaning")),
    Answer("2", 0, _("Different meaning")),
)
# The grades of PARADE (4.2, Table 4), in our words.
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
    """Return the candidate without its source or method (design: rule 4)."""
    candidate = correction.candidate
    return Item(correction.public_id, (candidate.text,), candidate.run.corpus.language)


def to_judge(held: HeldPair) -> Item:
    """Return both sentences in the order drawn for the pair, without naming the source."""
    texts = (held.sentence1, held.sentence2)
    return Item(held.public_id, texts[::-1] if held.flipped else texts, held.language)


def corrected(correction: Correction) -> Given:
    """Return a correction of the person. Raises KeyError if it has no answer yet."""
    candidate = correction.candidate
    return Given(
        sentences=(candidate.text,),
        language=candidate.run.corpus.language,
        answer=ACTIONS[str(correction.action)],
        text=correction.text,
        at=correction.submitted_at,
    )


def judged(judgment: Judgment, max_label: int) -> Given:
    """Return a judgment, its sentences in the order shown. Raises StopIteration without a label."""
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
    """Return the answers of a scale, named by their numbers if the scale has no names."""
    numbers = (Answer(str(label), label, str(label)) for label in range(max_label + 1))
    return SCALES.get(max_label) or tuple(numbers)


def name_of(label: int | None, max_label: int) -> str:
    """Return the displayed name of the answer with this label."""
    return next(str(each.name) for each in answers(max_label) if each.value == label)
