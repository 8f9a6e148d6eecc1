"""What a kind of work says about itself. Everything else is written once for all kinds."""

import re
import uuid
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, ClassVar, Protocol

from django import forms
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotation.errors import AnnotationError
from annotation.models import Correction, Duty, Item, Membership, Project, Slot
from annotation.work.simulated_texts import Wording

# Longer than any session of work: a larger value means that a clock was changed.
MAX_SECONDS = 24 * 60 * 60
# What a person did with a text of others.
ACTIONS: dict[str, Promise] = {
    Correction.Action.ACCEPT: _("accepted"),
    Correction.Action.FIX: _("fixed"),
    Correction.Action.REJECT: _("rejected"),
}


class AnswerForm(forms.Form):
    """The answered item and the seconds that its page was in view; kinds add their answer."""

    item = forms.UUIDField()
    seconds = forms.FloatField(required=False, min_value=0)

    def clean_seconds(self) -> float | None:
        seconds: float | None = self.cleaned_data["seconds"]
        return None if seconds is None else min(seconds, MAX_SECONDS)


class FixForm(AnswerForm):
    """An answer that accepts, fixes or rejects a text; `text` is used for a fix only."""

    action = forms.CharField(max_length=20)
    text = forms.CharField(required=False)

    def clean_text(self) -> str:
        return on_one_line(self.cleaned_data["text"])


def on_one_line(text: str) -> str:
    """Return a text without the line breaks and tabs that a text area may add."""
    return re.sub(r"[\t\r\n]+", " ", text)


@dataclass(frozen=True, slots=True)
class Shown:
    """All that a person gets of an item, in display order: no model row, so they stay blind."""

    id: uuid.UUID
    sentences: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Given:
    """An earlier answer of the person; `text` is what they wrote: a sentence, a note, a reason."""

    shown: Shown
    answer: str | Promise
    text: str
    at: datetime | None
    is_note: bool = False
    words: Sequence[str] = ()  # that decide a label


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of a person's answers: all of them, and those since midnight."""

    total: int
    today: int

    @property
    def paws(self) -> int:
        """The paws of the trail that are filled, of ten: all of them until a new row begins."""
        return (self.today - 1) % 10 + 1 if self.today else 0

    @classmethod
    def of_duty(cls, duty: Duty) -> "Tally":
        total, before_today = duty.totals(midnight())
        return cls(total, total - before_today)


def midnight() -> datetime:
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class Turn:
    """What follows an answer, or a look at the page.

    `saved` names the answer that was stored, `refusal` is why it was not; both are empty without an
    answer. `shown` is the item that the person has in progress now; None if nothing is left.
    """

    shown: Shown | None
    tally: Tally
    saved: str | Promise = ""
    refusal: AnnotationError | None = None


class Simulated(Protocol):
    """A simulated person (simulation.py), as a kind of work asks what they answer."""

    membership: Membership
    random: Random
    accuracy: float

    def share(self, purpose: str, text: str) -> float:
        """Return a number in [0, 1) that depends only on the seed, the purpose and the text."""

    def label(self, pair: Item) -> int:
        """Return their label of a pair."""

    def reason(self, pair: Item, label: int) -> str:
        """Return why they chose a label of a pair."""

    def wording(self, source: str) -> Wording:
        """Return the right translation of a sentence, and one with a slip."""

    def translation(self, source: str) -> str | None:
        """Return their translation of a sentence; None if they give it up."""


class Kind(ABC):
    """A kind of work. Its templates are NAME.html and parts/NAME.html in its folder."""

    name: ClassVar[str]
    templates: ClassVar[str] = "annotation/work"  # their folder
    title: ClassVar[str | Promise]
    list_title: ClassVar[str | Promise]  # the page that lists its items with their answers
    items: ClassVar[str | Promise]  # what its items are called, in the plural
    # The message for a person who can no longer change an answer.
    complete: ClassVar[str | Promise] = _(
        "This sentence is complete; your answer can no longer be changed."
    )
    # What its answers are called, in the plural and in English: pages translate it, columns of
    # tables and the keys to sort by have it as it is.
    answers: ClassVar[str]
    offer: ClassVar[str | Promise]  # what people who are invited to it read that they will do
    form: ClassVar[type[AnswerForm]]
    reads: ClassVar[tuple[str, ...]]  # related rows of a slot that `shown` needs
    # The chapters of our guidelines that are about it, which others need not read.
    chapters: ClassVar[tuple[str, ...]] = ()
    # Whether what a person may have depends on what their other accounts are claiming now.
    bars_accounts: ClassVar[bool] = False
    # Whether its items come from candidates: they have a method then, and can be excluded.
    of_candidates: ClassVar[bool] = True
    # Whether a text that people write is a change of the last sentence, and shown as one.
    revises: ClassVar[bool] = True
    # Whether several answers decide an item together: then its list is one of items, and what
    # pages say of a person is how they agree with others.
    has_consensus: ClassVar[bool] = False
    # Whether managers may know the answer of some of its items, which check attention.
    has_gold: ClassVar[bool] = False
    # The filters of a list of answers, by which they are counted too.
    outcomes: ClassVar[Mapping[str, tuple[str | Promise, Q]]] = {
        "answered": (_("answered"), Q(submitted_at__isnull=False))
    }
    # Alerts: that `n` answers wait, and of the `slots` people whom an item needs only some (`able`)
    # can be given work; and that `n` of the next items can reach too few of them.
    too_few: ClassVar[str | Promise] = _(
        "Items wait for answers, and too few people can give them."
    )
    stuck: ClassVar[str | Promise] = ngettext_lazy(
        "%(n)s of the next items can’t be answered: too few people remain who can do so.",
        "%(n)s of the next items can’t be answered: too few people remain who can do so.",
        "n",
    )
    # Why a project of this work can't be duplicated; empty if it can.
    not_duplicated: ClassVar[str | Promise] = ""

    @abstractmethod
    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        """Return what a simulated person answers."""

    @property
    def file(self) -> str:
        """Return the name of the table with its answers, one a row (projects/views/files.py)."""
        return f"answers-{self.name}"

    def is_usual_in(self, project: Project) -> bool:
        """Return whether people are invited to do this work in a project that has it."""
        return True

    def slots_in(self, project: Project) -> int:
        """Return how many answers by different people an item needs."""
        return 1

    def people_in(self, project: Project) -> int:
        """Return how many people the work needs at least."""
        return self.slots_in(project)

    def list_title_in(self, project: Project) -> str | Promise:
        """Return what a project calls the page that lists the items with their answers."""
        return self.list_title

    def title_in(self, project: Project) -> str | Promise:
        """Return what a project calls this work."""
        return self.title

    def offer_in(self, project: Project) -> str | Promise:
        """Return what people whom a project invites to this work read that they will do."""
        return self.offer

    @abstractmethod
    def sentences(self, item: Item) -> tuple[str, ...]:
        """Return the texts of an item, in the order in which people see them."""

    def language(self, item: Item) -> str:
        """Return the language of an item's texts (BCP 47)."""
        assert item.sentence1 is not None  # noqa: S101 a constraint requires it
        return item.sentence1.corpus.language

    def languages(self, item: Item) -> tuple[str, ...]:
        """Return the language of each of the sentences."""
        return tuple(self.language(item) for _sentence in self.sentences(item))

    def written_in(self, item: Item) -> str:
        """Return the language of the texts that people write."""
        return self.language(item)

    def shown_item(self, item: Item) -> Shown:
        """Return all that a person gets to see of an item."""
        return Shown(item.public_id, self.sentences(item), self.language(item))

    @abstractmethod
    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the cleaned data of the form as columns of the slot. Raises Refused."""

    @abstractmethod
    def name_of(self, slot: Slot) -> str | Promise:
        """Return the name of an answer for the person who gave it."""

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        """Do what follows from a new answer; `others` are the item's other slots, all locked."""
        return

    def withdraw(self, slot: Slot) -> bool:
        """Undo what followed from an answer; False if others have built on it since."""
        return True

    def barred_items(self, membership: Membership) -> Q:
        """Match slots that this person may not have, beyond recusals."""
        return Q(pk=None)

    def kept_apart(self, project: Project, items: Collection[int]) -> Iterable[tuple[int, int]]:
        """Return, of these items and others, the pairs of which one person gets only one."""
        return ()

    def lock(self, item: Item) -> None:
        """Lock what `follow` and `withdraw` change before the slots of the item are locked."""
        return

    def states(self) -> dict[str, tuple[str | Promise, Q]]:
        """Return the filters of a list of answers: the name of each, and its condition."""
        # Few, so looked up once and not joined to each slot.
        is_out = Q(item__in=Item.objects.filter(excluded_by__isnull=False).values("pk"))
        is_aside = Q(submitted_at=None, item__set_aside_at__isnull=False)
        return {
            "": (_("all"), Q()),
            "waiting": (_("waiting"), Q(submitted_at=None) & ~is_out),
            **self.outcomes,
            "set_aside": (_("set aside"), is_aside & ~is_out),
            "excluded": (_("excluded"), is_out),
        }

    def is_note(self, slot: Slot) -> bool:
        """Return whether the text of an answer is a note about the item, and no sentence."""
        return False

    def background(self, item: Item) -> str:
        """Return what managers see with an item, such as its source sentence."""
        return ""

    def context(
        self, project: Project, keys: Mapping[str, str], shown: Shown | None
    ) -> dict[str, Any]:
        """Return what the templates of this kind need beyond the item, with the person's keys."""
        return {}

    def outcome_of(self, slot: Slot, answer: Mapping[str, Any]) -> str | Promise:
        """Return what the status line says about a stored answer."""
        return self.name_of(slot)

    def draft(self, posted: Mapping[str, str]) -> str | None:
        """Return the text that a person wrote in an answer that was refused, to show it again."""
        return None

    def turn(self, duty: Duty, answer: Mapping[str, Any] | None) -> Turn | None:
        """Do the whole turn in a faster way than `answers.turn`, where there is one."""
        return None


class Fixing(Kind):
    """A kind of work whose answers accept, fix or reject a text."""

    form = FixForm
    fixes: ClassVar[tuple[str, ...]] = (Correction.Action.FIX,)  # actions with a text

    def name_of(self, slot: Slot) -> str | Promise:
        return ACTIONS[slot.action]

    def outcome_of(self, slot: Slot, answer: Mapping[str, Any]) -> str | Promise:
        if slot.action == Correction.Action.ACCEPT != answer["action"]:
            return _("accepted, as nothing was changed")
        return self.name_of(slot)

    def draft(self, posted: Mapping[str, str]) -> str | None:
        return posted.get("text", "") if posted.get("action") in self.fixes else None
