"""Forms for interventions, and for linking accounts of one person."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Intervention

MOST_REASON = Intervention._meta.get_field("reason").max_length


class StepForm(forms.Form):
    """The reason for an intervention, which the annotator can read."""

    reason = forms.CharField(
        label=_("Why"),
        help_text=_("The annotator reads this text. It stays on record."),
        max_length=MOST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        return reason.replace("\r\n", "\n")


class SearchForm(forms.Form):
    """Part of an account's name."""

    q = forms.CharField(label=_("Name of the other account"), max_length=150, required=False)


class OtherForm(forms.Form):
    """The selected account."""

    other = forms.UUIDField()
