"""The form that asks for an evaluation."""

from importlib.util import find_spec
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation import models_by_name
from evaluation.models import MOST_SEEDS, Evaluation

ABOUT = {
    "never": _("never: always the more frequent label"),
    "overlap": _("overlap: shared words and their order"),
    "bow": _("bow: words and pairs of neighbouring words"),
    "bilstm": _("bilstm: each sentence alone, in word order"),
    "esim": _("esim: each sentence alone, compared by a classifier"),
    "decatt": _("decatt: words aligned, order unseen"),
    "decatt_bilstm": _("decatt_bilstm: words aligned, in word order"),
    "esim_attention": _("esim_attention: words aligned, in word order, then read again"),
    "diin": _("diin: every word with every word"),
}


class EvaluationForm(forms.Form):
    """Which question to answer, by which models."""

    experiment = forms.ChoiceField(
        label=_("Question"),
        choices=Evaluation.Experiment.choices,
        initial=Evaluation.Experiment.PLAIN,
        widget=forms.RadioSelect,
    )
    names = forms.MultipleChoiceField(
        label=_("Models"),
        widget=forms.CheckboxSelectMultiple,
        initial=models_by_name.WITHOUT_TORCH,
        help_text=_("From simple to powerful. The last six need a minute or more each."),
    )
    seeds = forms.IntegerField(
        label=_("Seeds"),
        min_value=1,
        max_value=MOST_SEEDS,
        initial=3,
        help_text=_("Each model is fitted this often; the pages show the mean and the range."),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        has_torch = find_spec("torch") is not None
        usable = models_by_name.NAMES if has_torch else models_by_name.WITHOUT_TORCH
        names: Any = self.fields["names"]
        names.choices = [(name, ABOUT[name]) for name in usable]
        if not has_torch:
            names.help_text = _(
                "Neural models need torch on the server: pip install -r requirements-neural.txt"
            )
