"""Forms for how a release may be used and is cited."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases.dataset import licences, metadata
from releases.dataset.metadata import Author, Metadata

T = TypeVar("T")
MOST_AUTHORS, EMPTY_ROWS = 200, 2


class MetadataForm(forms.Form):
    licence = forms.CharField(
        label=_("Licence of the dataset"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"list": "licences", "autocomplete": "off"}),
        help_text=_("An SPDX identifier, such as CC-BY-4.0. The sources must allow it."),
    )
    languages = forms.CharField(
        label=_("Languages"),
        max_length=200,
        required=False,
        help_text=_("Language tags with commas between them, such as en, pt-BR."),
    )
    homepage = forms.CharField(
        label=_("Home page"),
        max_length=500,
        required=False,
        widget=forms.URLInput,
        help_text=_("A page about the dataset, such as https://example.org/dataset."),
    )
    citation = forms.CharField(
        label=_("How to cite it"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text=_("One sentence. Leave empty to create it from the authors and the version."),
    )
    bibtex = forms.CharField(
        label=_("BibTeX"),
        max_length=10_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false", "class": "code"}),
        help_text=_("One entry. Leave empty to create it from the authors and the version."),
    )

    def clean_licence(self) -> str:
        text = self.cleaned_data["licence"]
        refusal = _("Unknown licence. Choose one from the list, or see spdx.org/licenses.")
        return _understood(licences.spdx, text, refusal) if text else ""

    def clean_languages(self) -> tuple[str, ...]:
        tags = re.split(r"[,;\s]+", self.cleaned_data["languages"])
        return _understood(
            metadata.languages, tags, _("Enter language tags such as en, de or pt-BR.")
        )

    def clean_homepage(self) -> str:
        text = self.cleaned_data["homepage"]
        refusal = _("Enter a web address that begins with https:// or http://.")
        return _understood(metadata.web_address, text, refusal) if text else ""

    def clean_bibtex(self) -> str:
        text = self.cleaned_data["bibtex"]
        refusal = _("Enter one entry that begins as @misc{key, and ends with its closing brace.")
        return _understood(metadata.bibtex, text, refusal) if text else ""


class AuthorForm(forms.Form):
    """An author; a row without a name, ORCID and affiliation is none."""

    name = forms.CharField(label=_("Family name, given names"), max_length=200, required=False)
    orcid = forms.CharField(label="ORCID", max_length=60, required=False)
    affiliation = forms.CharField(label=_("Affiliation"), max_length=200, required=False)

    def clean_orcid(self) -> str:
        text = self.cleaned_data["orcid"]
        refusal = _("Invalid ORCID. Check its digits; an example is 0000-0002-1825-0097.")
        return _understood(metadata.orcid_of, text, refusal) if text else ""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = self.cleaned_data
        if any(values.values()) and not values.get("name"):
            self.add_error("name", _("Enter the author’s name, or clear the row."))
        return values


Authors = forms.formset_factory(
    AuthorForm, extra=EMPTY_ROWS, max_num=MOST_AUTHORS, absolute_max=MOST_AUTHORS
)


class MetadataForms:
    """Both forms as one: what is declared once for a release, and its authors."""

    def __init__(self, sent: QueryDict | None, given: Metadata) -> None:
        options: dict[str, Any] = {"label_suffix": ""}
        self.about = MetadataForm(sent, initial=_entered(given), **options)
        rows = [_row(author) for author in given.authors]
        self.authors = Authors(sent, initial=rows, prefix="authors", form_kwargs=options)

    def is_valid(self) -> bool:
        return all([self.about.is_valid(), self.authors.is_valid()])

    def metadata(self) -> Metadata:
        """Return what was entered, once both are valid."""
        rows = (form.cleaned_data for form in self.authors)
        authors = [row for row in rows if row.get("name")]
        return metadata.checked(self.about.cleaned_data | {"authors": authors})


def _entered(given: Metadata) -> dict[str, str]:
    names = ("licence", "homepage", "citation", "bibtex")
    languages = {"languages": ", ".join(given.languages)}
    return {name: getattr(given, name) for name in names} | languages


def _row(author: Author) -> dict[str, str]:
    return {"name": author.name, "orcid": author.orcid, "affiliation": author.affiliation}


def _understood(read: Callable[[Any], T], text: Any, said: str | Promise) -> T:
    try:
        return read(text)
    except ValueError as error:
        raise ValidationError(str(said)) from error
