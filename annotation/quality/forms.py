"""Forms about people's quality: interventions, gold pairs and the qualification set."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.imports.reasons import in_words
from annotation.models import Intervention
from annotation.pairs.labelled_lines import MAX_EXPLANATION, GoldPair
from common.forms import ProseField
from generation.nlp.text import RefusedText, check
from generation.readers import MAX_CHARACTERS

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
