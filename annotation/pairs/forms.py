"""Forms for pairs: judge them again, record an expert decision, or exclude one."""

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Adjudication, PairExclusion
from common.forms import ProseField

MOST_NOTE = Adjudication._meta.get_field("note").max_length
MOST_PAIRS = 10**9
LABELS = {"1": 1, "0": 0, "open": None}
EXCLUSIONS: dict[str, Promise] = {
    PairExclusion.Reason.OFFENSIVE: _("offensive"),
    PairExclusion.Reason.PRIVATE: _("private data of a person"),
    PairExclusion.Reason.BROKEN: _("not a valid sentence"),
    PairExclusion.Reason.OTHER: _("something else"),
}
VERDICTS = {1: _("Paraphrase"), 0: _("Not a paraphrase"), None: _("Unclear")}


class AdjudicationForm(forms.Form):
    """An expert decision on a pair; each label is a separate button."""

    label = forms.ChoiceField(
        label=_("The pair is"), choices=[(name, VERDICTS[label]) for name, label in LABELS.items()]
    )
    note = ProseField(
        label=_("Note"),
        help_text=_("Optional. Explains the decision to later readers."),
        rows=2,
        max_length=MOST_NOTE,
    )

    def clean_label(self) -> int | None:
        return LABELS[self.cleaned_data["label"]]


class ExclusionForm(forms.Form):
    """Why a pair is excluded."""

    reason = forms.ChoiceField(label=_("Reason"), choices=[("", _("Choose")), *EXCLUSIONS.items()])
    note = ProseField(
        label=_("Note"),
        help_text=_("Only managers and researchers read this. Required for “something else”."),
        rows=2,
        max_length=PairExclusion._meta.get_field("note").max_length,
    )


class ReopenForm(forms.Form):
    """The number of pairs shown for confirmation; if it has changed, the page asks again."""

    number = forms.IntegerField(min_value=0, max_value=MOST_PAIRS, widget=forms.HiddenInput)
