"""Forms for pairs: judge them again, record an expert decision, or exclude one."""

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Adjudication, HiddenReason, PairExclusion
from annotation.projects.labels import outcome_names, outcomes_in_order
from annotation.stats.labels import Scheme
from common.forms import ProseField

MOST_NOTE = Adjudication._meta.get_field("note").max_length
MOST_PAIRS = 10**9
MOST_SLOTS = 2**15 - 1
UNCLEAR = "open"
EXCLUSIONS: dict[str, Promise] = {
    PairExclusion.Reason.OFFENSIVE: _("offensive"),
    PairExclusion.Reason.PRIVATE: _("private data of a person"),
    PairExclusion.Reason.BROKEN: _("not a valid sentence"),
    PairExclusion.Reason.OTHER: _("something else"),
}
UNCLEAR_VERDICT = _("Unclear")


def verdict_name(scheme: Scheme, outcome: int | None) -> str | Promise:
    """Return what an expert decided on a pair."""
    return UNCLEAR_VERDICT if outcome is None else outcome_names(scheme)[outcome]


class AdjudicationForm(forms.Form):
    """An expert decision on a pair; each outcome of the scheme is a separate button."""

    label = forms.ChoiceField(label=_("The pair is"))
    note = ProseField(
        label=_("Note"),
        help_text=_("Optional. Explains the decision to later readers."),
        rows=2,
        max_length=MOST_NOTE,
    )

    def __init__(self, *args: Any, scheme: Scheme, **options: Any) -> None:
        super().__init__(*args, **options)
        outcomes = [(str(outcome), name) for outcome, name in outcomes_in_order(scheme)]
        self.fields["label"].choices = [*outcomes, (UNCLEAR, UNCLEAR_VERDICT)]  # type: ignore[attr-defined]

    def clean_label(self) -> int | None:
        label: str = self.cleaned_data["label"]
        return None if label == UNCLEAR else int(label)


class ExclusionForm(forms.Form):
    """Why a pair is excluded."""

    reason = forms.ChoiceField(label=_("Reason"), choices=[("", _("Choose")), *EXCLUSIONS.items()])
    note = ProseField(
        label=_("Note"),
        help_text=_("Only managers and researchers read this. Required for “something else”."),
        rows=2,
        max_length=PairExclusion._meta.get_field("note").max_length,
    )


class HideReasonForm(forms.Form):
    """The answer whose reason is hidden, and why."""

    number = forms.IntegerField(min_value=1, max_value=MOST_SLOTS, widget=forms.HiddenInput)
    why = forms.CharField(
        label=_("Why you hide it"),
        required=False,
        max_length=HiddenReason._meta.get_field("why").max_length,
    )


class ReopenForm(forms.Form):
    """The number of pairs shown for confirmation; if it has changed, the page asks again."""

    number = forms.IntegerField(min_value=0, max_value=MOST_PAIRS, widget=forms.HiddenInput)
