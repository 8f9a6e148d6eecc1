"""Forms of recruiting: a new link, and the code of people who continue elsewhere."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.crowd import selectors
from annotation.models import Platform, SameBrowser
from annotation.models.crowd import MOST_ANSWERS, WEB_ADDRESS
from annotation.people.forms import ExpiringForm, KindsForm

MOST_PEOPLE = 10_000


def _code(label: Any, help_text: Any = "") -> forms.CharField:
    return forms.CharField(label=label, help_text=help_text, max_length=100, required=False)


def _url_field(label: Any, help_text: Any = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=500,
        required=False,
        validators=[WEB_ADDRESS],
        widget=forms.URLInput,
    )


class RecruitmentForm(KindsForm, ExpiringForm):
    """A new recruiting link."""

    platform = forms.ChoiceField(label=_("Platform"), choices=Platform.choices)
    kinds = forms.MultipleChoiceField(label=_("Work"), widget=forms.CheckboxSelectMultiple)
    most_people = forms.IntegerField(
        label=_("Maximum number of people"), min_value=1, max_value=MOST_PEOPLE, initial=20
    )
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Visible to managers only.")
    )
    completion_code = _code(
        _("Completion code"),
        _("Shown to participants who finish. For Prolific, the return link is created from it."),
    )
    completion_url = _url_field(
        _("Completion URL"),
        _("Where participants go when they finish. You can use {participant}, {study}, {session}."),
    )
    screen_out_code = _code(
        _("Screen-out code"), _("For participants who fail the qualification test. Optional.")
    )
    screen_out_url = _url_field(
        _("Screen-out URL"),
        _("Where participants who fail the qualification test go. Optional."),
    )
    least_answers = forms.IntegerField(
        label=_("Minimum answers for completion"),
        min_value=1,
        max_value=MOST_ANSWERS,
        required=False,
        help_text=_(
            "Skipped items don’t count. Empty: the limit of answers per person, or 1 without one."
        ),
    )
    nothing_left_code = _code(
        _("“Nothing left” code"),
        _("For participants whose work ends before the minimum of answers. Optional."),
    )
    nothing_left_url = _url_field(
        _("“Nothing left” URL"),
        _("Where participants go whose work ends before the minimum of answers. Optional."),
    )
    same_browser = forms.TypedChoiceField(
        label=_("If another participant has used the browser"),
        choices=SameBrowser.choices,
        initial=SameBrowser.REFUSE,
        required=False,
        empty_value=SameBrowser.REFUSE,
        help_text=_("Other browsers, private windows and other devices are not recognized."),
    )
    reward = forms.DecimalField(
        label=_("Pay per person"),
        min_value=0,
        max_digits=8,
        decimal_places=2,
        required=False,
        help_text=_("Used in the report to show the pay per hour."),
    )
    currency = forms.CharField(
        label=_("Currency"),
        max_length=3,
        required=False,
        help_text=_("For example EUR, GBP or USD."),
    )
    field_order = ("platform", "kinds", "most_people", "days")

    def clean(self) -> dict[str, Any]:
        """Require something that finished people can take along, and that someone can finish."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        proof = values.get("completion_code") or values.get("completion_url")
        if not proof and not self.errors:
            text = _("Enter a completion code or URL, so that you can pay participants who finish.")
            self.add_error("completion_code", str(text))
        least = values.get("least_answers")
        if reason := selectors.why_unreachable(self.project, values.get("kinds", []), least):
            self.add_error("least_answers", reason)
        return values

    def offer(self) -> dict[str, Any]:
        offer = super().offer()
        return offer | {"currency": offer["currency"].upper()}


class CodeForm(forms.Form):
    """The return code of a person who began in another browser."""

    code = forms.CharField(max_length=40)
