"""Forms that describe a new corpus, and that correct the description of an existing one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.projects.forms.pickers import LanguageField, LicenceInput, understand_licence
from common import licences
from generation.models import Corpus


class AboutCorpus(forms.Form):
    """What describes a corpus."""

    corpus_name = forms.CharField(
        label=_("Name of the new corpus"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    language = LanguageField(label=_("Language"), required=False)
    licence = forms.CharField(
        label=_("Licence"),
        required=False,
        max_length=200,
        help_text=_(
            "The licence under which you may use and publish the sentences. If it has no name, "
            "leave this empty and describe it under Source."
        ),
        widget=LicenceInput(),
    )
    source = forms.CharField(
        label=_("Source"),
        required=False,
        max_length=2000,
        help_text=_(
            "Where the sentences come from, such as a web address or a citation. Releases state "
            "the address."
        ),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def clean_licence(self) -> str:
        text: str = self.cleaned_data["licence"].strip()
        return understand_licence(text) if text else ""

    def about(self) -> dict[str, str]:
        """Return what describes the corpus, as `services.corpora` takes it."""
        values = self.cleaned_data
        return {
            "name": values["corpus_name"],
            "language": values["language"],
            "licence": values["licence"],
            "description": values["source"],
        }


class ChangeCorpusForm(AboutCorpus):
    """What managers correct of a corpus; an earlier licence that we do not know may stay."""

    def __init__(self, *args: Any, corpus: Corpus, **options: Any) -> None:
        initial = {
            "corpus_name": corpus.name,
            "language": corpus.language,
            "licence": licences.name_of(corpus.licence),
            "source": corpus.description,
        }
        super().__init__(*args, **options | {"initial": initial, "label_suffix": ""})
        self.corpus = corpus
        self.fields["corpus_name"].label = _("Name")
        for name in ("corpus_name", "language"):
            self.fields[name].required = True
        style(self)

    def clean_licence(self) -> str:
        is_as_before = self.cleaned_data["licence"].strip() == self.initial["licence"]
        return self.corpus.licence if is_as_before else super().clean_licence()


def style(form: forms.Form) -> None:
    for field in form.fields.values():
        if not isinstance(field.widget, (forms.CheckboxInput, forms.RadioSelect)):
            field.widget.attrs["class"] = "input"
