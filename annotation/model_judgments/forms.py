"""Forms to import a model's labels and to select a model."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotation.pairs.labelled_lines import LabelFault
from annotation.pairs.uploads import REASONS, LabelledFile, LabelledFileForm
from annotation.projects.forms.filters import PageForm

MAX_BYTES = 20_000_000


class ModelJudgmentsForm(LabelledFileForm):
    """A model, and the file with its labels."""

    added = ngettext_lazy("%(count)s label was added.", "%(count)s labels were added.", "count")
    duplicates = ngettext_lazy(
        "%(count)s label was there already.", "%(count)s labels were there already.", "count"
    )
    reasons: ClassVar[dict[str, Any]] = REASONS | {
        LabelFault.BAD_PAIR: _("Invalid pair ID."),
        LabelFault.BAD_LABEL: _("The label is not on this project’s scale."),
        LabelFault.BAD_SCORE: _("The score is not a number from 0 to 1."),
        LabelFault.UNKNOWN_PAIR: _("This project has no such pair."),
        LabelFault.OTHERWISE_BEFORE: _("The model already has another label for this pair."),
    }
    otherwise = _("Invalid label.")
    name = forms.CharField(
        label=_("Name of the model"),
        max_length=200,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    revision = forms.CharField(
        label=_("Its revision"),
        max_length=200,
        required=False,
        help_text=_("A version, a date or a digest. Each revision counts as a separate model."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    note = forms.CharField(
        label=_("How it was asked"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    file = LabelledFile(
        most=MAX_BYTES, too_large=_("The file is too large: use manage.py import_model_judgments.")
    )


class VisitForm(PageForm):
    """The model whose disagreements are shown; by default, the latest."""

    model = forms.UUIDField(required=False)
