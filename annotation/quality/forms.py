"""Forms about people's quality: interventions, gold pairs and the qualification set."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.imports.reasons import in_words
from annotation.models import Intervention
from annotation.pairs.labelled_lines import MAX_EXPLANATION, GoldPair
from annotation.stats.reissue import BOUNDS, PARADE
from common.forms import ProseField
from generation.nlp.text import RefusedText, check
from generation.readers import MAX_CHARACTERS

STEP = 0.01
MOST_REASON = Intervention._meta.get_field("reason").max_length


class StepForm(forms.Form):
    """The reason for an intervention, which the annotator can read."""

    reason = ProseField(
        label=_("Message to the annotator"),
        help_text=_("Shown to the annotator and kept in their record."),
        rows=3,
        required=True,
        max_length=MOST_REASON,
    )


def _bounds_of(name: str) -> dict[str, Any]:
    """Return the bounds of a rule of a re-issue, as arguments of its field."""
    low, high = BOUNDS[name]
    return {"min_value": low, "max_value": high}


class RulesForm(forms.Form):
    """Who is low and who is best; the defaults are those of PARADE."""

    below = forms.FloatField(
        label=_("Low: kappa below"),
        help_text=_("The answers of these annotators are replaced."),
        step_size=STEP,
        **_bounds_of("below"),
    )
    above = forms.FloatField(
        label=_("Best: kappa above"),
        help_text=_("These annotators judge the pairs instead."),
        step_size=STEP,
        **_bounds_of("above"),
    )
    most = forms.IntegerField(
        label=_("Maximum number of best annotators"),
        help_text=_("Those with the highest kappa."),
        **_bounds_of("most"),
    )
    fewest = forms.IntegerField(
        label=_("Minimum number of decided pairs"),
        help_text=_("With fewer, a kappa says too little."),
        **_bounds_of("fewest"),
    )

    @classmethod
    def bound(cls, asked: Mapping[str, Any]) -> "RulesForm":
        """Return the form bound to what was asked, and to the defaults for the rest."""
        values = {name: asked.get(name, usual) for name, usual in asdict(PARADE).items()}
        return cls(values, label_suffix="")

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if not self.errors and values["below"] > values["above"]:
            raise forms.ValidationError(
                _("The lower threshold must not exceed the upper one: no one may be both.")
            )
        return values


class ReissueForm(StepForm):
    """The confirmation of a re-issue, by the digest of the plan that was shown."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    anybody = forms.BooleanField(
        label=_("Let anyone judge the pairs that none of the best can judge"), required=False
    )


class SearchForm(forms.Form):
    """Part of an account's name."""

    q = forms.CharField(label=_("Name of the other account"), max_length=150, required=False)


class OtherForm(forms.Form):
    """The selected account."""

    other = forms.UUIDField()


class TextLine(forms.CharField):
    """One line of text that is valid in a pair."""

    def __init__(self, *, most: int, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 2, "dir": "auto"})
        super().__init__(widget=widget, max_length=most, **options)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        try:
            return text and check(" ".join(text.split()), max_characters=self.max_length or 0)
        except RefusedText as refused:
            raise forms.ValidationError(in_words(refused.reason)) from refused


class PairForm(forms.Form):
    """One pair with its known answer."""

    sentence1 = TextLine(label=_("First sentence"), most=MAX_CHARACTERS)
    sentence2 = TextLine(label=_("Second sentence"), most=MAX_CHARACTERS)
    label = forms.TypedChoiceField(label=_("Known answer"), coerce=int)
    explanation = TextLine(
        label=_("Explanation"),
        most=MAX_EXPLANATION,
        required=False,
        help_text=_("Shown after each attempt."),
    )

    def __init__(self, *arguments: Any, answers: list[tuple[int, str]], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["label"].choices = answers  # type: ignore[attr-defined]

    def pair(self) -> GoldPair:
        """Return the pair for qualification.add."""
        return GoldPair(**self.cleaned_data)
