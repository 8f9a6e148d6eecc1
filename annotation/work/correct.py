"""Blind correction: accept, fix or reject a candidate without its source (PAWS 4)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import NotStorable, Refused
from annotation.models import Correction, Item, Slot
from annotation.pairs.services import pairs
from annotation.work.contract import AnswerForm, Kind
from generation.nlp.text import RefusedText, check

MAX_CHARACTERS = 5000
Action = Correction.Action
ACTIONS: dict[str, Promise] = {
    Action.ACCEPT: gettext_lazy("accepted"),
    Action.FIX: gettext_lazy("fixed"),
    Action.REJECT: gettext_lazy("rejected"),
}


class CorrectionForm(AnswerForm):
    """A correction; `text` is used for a fix only."""

    action = forms.CharField(max_length=10)
    text = forms.CharField(required=False)

    def clean_text(self) -> str:
        """Return the text on one line; a text area may add line breaks."""
        return re.sub(r"[\t\r\n]+", " ", self.cleaned_data["text"])


class Correct(Kind):
    """An accepted or fixed candidate becomes a pair with its source, to be judged."""

    name = "correct"
    title = gettext_lazy("Correct sentences")
    items = gettext_lazy("candidates")
    form = CorrectionForm
    outcomes = {
        "accepted": (ACTIONS[Action.ACCEPT], Q(action=Action.ACCEPT)),
        "fixed": (ACTIONS[Action.FIX], Q(action=Action.FIX)),
        "rejected": (ACTIONS[Action.REJECT], Q(action=Action.REJECT)),
    }
    reads = ("item__candidate__run__corpus", "item__candidate__sentence")

    def sentences(self, item: Item) -> tuple[str, ...]:
        return (str(_candidate(item).text),)

    def language(self, item: Item) -> str:
        return str(_candidate(item).run.corpus.language)

    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return action and text; a fix that changes nothing is an accept."""
        action, text = answer["action"], answer.get("text", "")
        if action not in Action.values:
            raise Refused(_("Accept, fix or reject the sentence."))
        if action != Action.FIX:
            return {"action": action, "text": ""}
        try:
            fixed = check(text, max_characters=MAX_CHARACTERS)
        except RefusedText as refusal:
            raise NotStorable(refusal.reason) from refusal
        if fixed == _candidate(slot.item).text:
            return {"action": Action.ACCEPT, "text": ""}
        return {"action": action, "text": fixed}

    def background(self, item: Item) -> str:
        """Return the source sentence of the candidate."""
        return str(_candidate(item).sentence.text)

    def name_of(self, slot: Slot) -> str | Promise:
        return ACTIONS[slot.action]

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        """Open the pair of an accepted or fixed candidate."""
        pairs.recuse_corrector(slot)
        if slot.action != Action.REJECT:
            candidate = _candidate(slot.item)
            final = pairs.FinalText.of(candidate, slot.text or candidate.text, slot)
            pairs.open_pairs(slot.project, [final])

    def outcome_of(self, slot: Slot, answer: Mapping[str, Any]) -> str | Promise:
        if slot.action != answer["action"]:
            return _("accepted, since nothing was changed")
        return self.name_of(slot)

    def draft(self, posted: Mapping[str, str]) -> str | None:
        return posted.get("text", "") if posted.get("action") == Action.FIX else None

    def withdraw(self, slot: Slot) -> bool:
        """Delete the pair, unless a person has one of its slots or has skipped it."""
        return pairs.withdraw(slot)


def _candidate(item: Item) -> Any:
    """The candidate of an item to correct, which a constraint requires."""
    return item.candidate
