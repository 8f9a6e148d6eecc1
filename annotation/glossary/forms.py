"""Forms of the glossary."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Term

LONGEST = Term._meta.get_field("source").max_length
MOST_BYTES = 2_000_000
MOST_SEARCHED = 100


class TermForm(forms.Form):
    """A term with its translation."""

    source = forms.CharField(label=_("Term"), max_length=LONGEST)
    target = forms.CharField(label=_("Translation"), max_length=LONGEST)
    note = forms.CharField(label=_("Note"), max_length=LONGEST, required=False)

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", **options)
        for field in self.fields.values():
            field.widget.attrs |= {"dir": "auto", "autocomplete": "off"}

    @classmethod
    def of(cls, term: Term) -> "TermForm":
        values = {"source": term.source, "target": term.target, "note": term.note}
        return cls(initial=values)


class SearchForm(forms.Form):
    """Words that the terms contain."""

    words = forms.CharField(label=_("Words"), max_length=MOST_SEARCHED, required=False)


class UploadForm(forms.Form):
    """A file of terms."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or TSV: the term, its translation and, optionally, a note."),
        error_messages={"required": _("Choose a file."), "empty": _("The file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 2 MB. Split it."))
        return bytes(file.read())
