"""The forms that ask for an evaluation, and that bring predictions of another model."""

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation import models_by_name
from evaluation.brought import Unscorable, checked_name
from evaluation.models import MOST_SEEDS, Evaluation

# About ten times the predictions of the largest test set that the papers have.
MOST_BYTES = 5_000_000
SETS = {"test": _("Test set"), "dev": _("Dev set")}


class EvaluationForm(forms.Form):
    """Which questions to answer, by which models."""

    experiments = forms.MultipleChoiceField(
        label=_("Questions"),
        choices=Evaluation.Experiment.choices,
        initial=(Evaluation.Experiment.PLAIN, Evaluation.Experiment.CURVE),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Answered in this order. Each result appears as soon as it is ready."),
    )
    names = forms.MultipleChoiceField(
        label=_("Models"),
        widget=forms.CheckboxSelectMultiple,
        initial=models_by_name.WITHOUT_TORCH,
        help_text=_(
            "From simple to powerful. Each of the last six needs a minute or more for each seed."
        ),
    )
    seeds = forms.IntegerField(
        label=_("Seeds"),
        min_value=1,
        max_value=MOST_SEEDS,
        initial=3,
        help_text=_(
            "Each model is trained once for each seed, from another random start. "
            "The page shows the mean and the range."
        ),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        has_torch = find_spec("torch") is not None
        usable = models_by_name.NAMES if has_torch else models_by_name.WITHOUT_TORCH
        names: Any = self.fields["names"]
        names.choices = [(name, gettext(models_by_name.ABOUT[name])) for name in usable]
        if not has_torch:
            names.help_text = _(
                "Neural models need torch on the server: pip install -r requirements-neural.txt"
            )


class PredictionsForm(forms.Form):
    """A file of predictions that were made elsewhere, for one of the sets of a release."""

    name = forms.CharField(
        label=_("Name of the model"),
        max_length=60,
        help_text=_("Letters, digits and .+-_ without spaces, such as MyModel-2."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    split = forms.ChoiceField(label=_("Set"))
    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "Tab-separated text (TSV), up to 5 MB. The first line names the columns id, and score "
            "(0 to 1) or label (0 or 1). Each pair of the set has one line."
        ),
        error_messages={"required": _("Choose a file."), "empty": _("The file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".tsv,.tab,.txt,text/plain"}),
    )
    replaces = forms.BooleanField(
        label=_("Replace predictions of the same name for this set"), required=False
    )

    def __init__(self, *arguments: Any, sets: Iterable[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        split: Any = self.fields["split"]
        split.choices = [(name, SETS[name]) for name in sets]

    def clean_name(self) -> str:
        try:
            return checked_name(self.cleaned_data["name"])
        except Unscorable as error:
            raise forms.ValidationError(in_words(error)) from error

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(
                _("The file is larger than 5 MB. Write only the columns id and score.")
            )
        return bytes(file.read())


def in_words(error: Unscorable) -> list[str]:
    """Return what is wrong with a file of predictions, in the language of the page."""
    return [gettext(fault.message) % fault.values for fault in error.faults]
