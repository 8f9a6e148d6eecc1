"""What the tables of a running study can be asked for. Every name is one of a list."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Skip
from annotation.pairs.selectors import pairs
from annotation.pairs.selectors.pairs import Wanted
from annotation.work.selectors import skips
from common.keyset import Key
from generation.models import Method

MOST_CHARACTERS, MOST_WORDS = 100, 6
# Of a primary key or a margin; a number of 19 digits may be more than a column holds.
KEY = r"^-?\d{1,18}(\.-?\d{1,18})?$"

PAIR_STATES = {
    "": _("all pairs"),
    "undecided": _("undecided"),
    "decided": _("decided"),
    "kept": _("kept"),
    "not_kept": _("not kept"),
    "set_aside": _("set aside"),
    "first": _("to be judged first"),
}
LABELS = {
    "": _("any majority"),
    "paraphrase": _("paraphrase"),
    "different": _("not a paraphrase"),
    "tie": _("a tie"),
}
CORRECTED = {
    "": _("corrected or not"),
    "accepted": _("accepted as it was"),
    "fixed": _("fixed"),
    "none": _("not corrected first"),
}
ORDERS = {
    "disagreement": _("closest votes first"),
    "newest": _("newest first"),
    "oldest": _("oldest first"),
}
CORRECTION_STATES = {
    "": _("all candidates"),
    "waiting": _("waiting"),
    "accepted": _("accepted"),
    "fixed": _("fixed"),
    "rejected": _("rejected"),
    "set_aside": _("set aside"),
}
METHODS = {
    "": _("any method"),
    Method.WORD_SWAP: _("word swap"),
    Method.BACK_TRANSLATION: _("back translation"),
    Method.IMPORTED: _("made elsewhere"),
}
KINDS = {"": _("all items"), "pair": _("pairs"), "correction": _("candidates")}
REASONS = {
    "": _("any reason"),
    Skip.Reason.UNCLEAR: _("I cannot tell"),
    Skip.Reason.BROKEN: _("it is not a sentence of the language"),
    Skip.Reason.OFFENSIVE: _("I would rather not read this"),
    Skip.Reason.OTHER: _("something else"),
}
ANNOTATOR_STATES = {
    "": _("everyone with answers"),
    "flagged": _("flagged"),
    "paused": _("paused"),
    "held_out": _("held out"),
}
ANNOTATOR_ORDERS = {
    "name": _("Name"),
    "corrections": _("Corrections"),
    "judgments": _("Judgments"),
    "seconds": _("Median seconds"),
    "agreement": _("Agreement"),
    "known": _("Known answers"),
    "last_seen": _("Last seen"),
}


def _choice(choices: dict[Any, Any], label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(choices=[*choices.items()], label=label, required=False)


class KeyField(forms.RegexField):
    """Where a page begins: integers with points between them."""

    def __init__(self) -> None:
        super().__init__(KEY, required=False, widget=forms.HiddenInput)

    def clean(self, value: Any) -> Key | None:
        text = super().clean(value)
        return tuple(map(int, text.split("."))) if text else None


class PageForm(forms.Form):
    """Where a page of a table begins or ends."""

    after = KeyField()
    before = KeyField()

    def place(self, columns: int) -> dict[str, Key | None]:
        """Both keys, if each has a number for each column; otherwise the first page."""
        keys = {name: self.cleaned_data[name] for name in ("after", "before")}
        return {
            name: key if key is None or len(key) == columns else None for name, key in keys.items()
        }


class PairsForm(PageForm):
    """The table of pairs."""

    words = forms.CharField(max_length=MOST_CHARACTERS, required=False, label=_("Words or an id"))
    state = _choice(PAIR_STATES, _("State"))
    method = _choice(METHODS, _("Method"))
    label = _choice(LABELS, _("Majority"))
    correction = _choice(CORRECTED, _("Correction"))
    order = _choice(ORDERS, _("Order"))
    hidden = forms.BooleanField(required=False, label=_("hidden pairs with known answers"))

    def wanted(self) -> Wanted:
        """What was asked for, in the words of the selector."""
        asked = self.cleaned_data
        public_id, words = _sought(asked["words"])
        return Wanted(
            state=asked["state"],
            label=asked["label"],
            correction=asked["correction"],
            method=asked["method"],
            order=asked["order"] or next(iter(ORDERS)),
            words=words,
            public_id=public_id,
            hidden=asked["hidden"],
        )

    def columns(self) -> int:
        """Of the order that was asked for."""
        return len(pairs.ORDERS[self.wanted().order])


class CorrectionsForm(PageForm):
    """The table of candidates that are corrected first."""

    words = forms.CharField(max_length=MOST_CHARACTERS, required=False, label=_("Words"))
    state = _choice(CORRECTION_STATES, _("State"))
    method = _choice(METHODS, _("Method"))

    def wanted(self) -> dict[str, Any]:
        """Arguments of `selectors.dashboard.corrections.chosen`."""
        asked = self.cleaned_data
        return {"state": asked["state"], "method": asked["method"], "words": _words(asked["words"])}


class SkipsForm(PageForm):
    """The table of what was passed over."""

    kind = _choice(KINDS, _("Items"))
    reason = _choice(REASONS, _("Reason"))

    def wanted(self) -> dict[str, str]:
        """Arguments of `selectors.dashboard.skips.chosen`."""
        return {"kind": self.cleaned_data["kind"], "reason": self.cleaned_data["reason"]}


class AnnotatorsForm(forms.Form):
    """The table of people: whom, by what, and from which end."""

    state = _choice(ANNOTATOR_STATES, _("State"))
    order = _choice(ANNOTATOR_ORDERS, _("Order"))
    down = forms.BooleanField(required=False)


class PriorityForm(forms.Form):
    """Before all others, among them, or after them."""

    level = forms.TypedChoiceField(choices=[(1, ""), (0, ""), (-1, "")], coerce=int)


class ItemForm(forms.Form):
    """An item that is set aside or put back."""

    kind = forms.ChoiceField(choices=[(kind, kind) for kind in skips.KINDS if kind])
    item = forms.UUIDField()


def _sought(text: str) -> tuple[uuid.UUID | None, tuple[str, ...]]:
    """An id, if that is what was typed, or a few words."""
    try:
        return uuid.UUID(text.strip()), ()
    except ValueError:
        return None, _words(text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split()[:MOST_WORDS])
