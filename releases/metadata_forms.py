"""Forms for what people declare of a dataset: licence, languages, citation, authors."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Project
from annotation.projects.forms.pickers import (
    LicenceCards,
    understand_language,
    understand_licence,
)
from annotation.projects.forms.projects import SettingsForm
from common import languages
from releases.dataset import metadata
from releases.dataset.metadata import Author, Metadata
from releases.selectors.releases import (
    names_by_licence,
    next_metadata,
    planned_metadata,
    rewritten_corpora,
    suggested_metadata,
)
from releases.services import drafts

T = TypeVar("T")
MOST_AUTHORS, EMPTY_ROWS = 200, 1


class DatasetForm(forms.Form):
    """What managers say of a dataset before it has a release."""

    licence = forms.CharField(
        label=_("Licence"),
        max_length=100,
        required=False,
        widget=LicenceCards(),
        help_text=_("What readers of a release may do. The sources must allow it."),
    )
    languages = forms.CharField(
        label=_("Languages"),
        max_length=200,
        required=False,
        help_text=_("Names or tags, with commas between them, such as English, pt-BR."),
    )

    def clean_licence(self) -> str:
        text = self.cleaned_data["licence"]
        return understand_licence(text) if text else ""

    def clean_languages(self) -> tuple[str, ...]:
        names = re.split("[,;]", self.cleaned_data["languages"])
        return tuple(dict.fromkeys(understand_language(name) for name in names if name.strip()))


class MetadataForm(DatasetForm):
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

    def clean_homepage(self) -> str:
        text = self.cleaned_data["homepage"]
        refusal = _("Enter a web address that begins with https:// or http://.")
        return _understood(metadata.parse_web_address, text, refusal) if text else ""

    def clean_bibtex(self) -> str:
        text = self.cleaned_data["bibtex"]
        refusal = _("Enter one entry that begins as @misc{key, and ends with its closing brace.")
        return _understood(metadata.parse_bibtex, text, refusal) if text else ""


class AuthorForm(forms.Form):
    """An author; a row without a name, ORCID and affiliation is none."""

    name = forms.CharField(label=_("Family name, given names"), max_length=200, required=False)
    orcid = forms.CharField(label="ORCID", max_length=60, required=False)
    affiliation = forms.CharField(label=_("Affiliation"), max_length=200, required=False)

    def clean_orcid(self) -> str:
        text = self.cleaned_data["orcid"]
        refusal = _("Invalid ORCID. Check its digits; an example is 0000-0002-1825-0097.")
        return _understood(metadata.parse_orcid, text, refusal) if text else ""

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

    def __init__(
        self,
        sent: Mapping[str, Any] | None,
        given: Metadata,
        *,
        corpora: Mapping[str, list[str]],
        form_class: type[DatasetForm] = MetadataForm,
    ) -> None:
        options: dict[str, Any] = {"label_suffix": ""}
        self.about = form_class(sent, initial=_field_values(given), **options)
        self.about.fields["licence"].widget.corpora = corpora
        rows = [_row(author) for author in given.authors]
        self.authors = Authors(sent, initial=rows, prefix="authors", form_kwargs=options)

    def is_valid(self) -> bool:
        return all([self.about.is_valid(), self.authors.is_valid()])

    def metadata(self) -> Metadata:
        """Return what was entered, once both are valid."""
        rows = (form.cleaned_data for form in self.authors)
        authors = [row for row in rows if row.get("name")]
        return metadata.parse_metadata(self.about.cleaned_data | {"authors": authors})


class StudyForm(SettingsForm):
    """The page of the settings about the study, and its dataset until there is a release."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.template = "releases/parts/study_settings.html"
        self.release = self.instance.releases.first()
        corpora = [] if self.release else rewritten_corpora(self.instance)
        self.suggested = suggested_metadata(self.instance, corpora).to_dict()
        self.planned = {} if self.release else planned_metadata(self.instance)
        self.dataset = None if self.release else self._dataset_forms(names_by_licence(corpora))

    def _dataset_forms(self, corpora: Mapping[str, list[str]]) -> MetadataForms:
        values = Metadata.from_dict(self.suggested | self.planned)
        sent = self.data if self.is_bound else None
        return MetadataForms(sent, values, corpora=corpora, form_class=DatasetForm)

    def is_valid(self) -> bool:
        return all([super().is_valid(), self.dataset is None or self.dataset.is_valid()])

    def stamp(self, project: Project) -> str:
        return drafts.planning_stamp(project) if self.dataset else super().stamp(project)

    def store(self, project: Project, *, by: User, read: str) -> list[str]:
        entered = self.dataset.metadata().to_dict().items() if self.dataset else ()
        # What the corpora suggest stays theirs: they may still change.
        planned = {name: value for name, value in entered if self.suggested.get(name) != value}
        if planned == self.planned:
            return super().store(project, by=by, read=read)
        return drafts.plan_dataset(project, planned, self.settings(), by=by, read=read)

    def newer_values(self, project: Project, names: Collection[str]) -> dict[str, str]:
        newer_values = super().newer_values(project, [n for n in names if n != drafts.DATASET])
        if drafts.DATASET in names:
            planned = next_metadata(project)
            values = [*_field_values(planned).values(), *(row.name for row in planned.authors)]
            newer_values[_now("The dataset")] = "; ".join(filter(None, values)) or "–"
        return newer_values


def _field_values(declared: Metadata) -> dict[str, str]:
    names = ("licence", "homepage", "citation", "bibtex")
    values = {name: getattr(declared, name) for name in names}
    return values | {"languages": _listed(declared.languages)}


def _listed(tags: Iterable[str]) -> str:
    """Return the languages by name as the field reads them; a name with a comma stays a tag."""
    names = {tag: languages.name_of(tag) for tag in tags}
    return ", ".join(tag if "," in name else name for tag, name in names.items())


def _row(author: Author) -> dict[str, str]:
    return {"name": author.name, "orcid": author.orcid, "affiliation": author.affiliation}


def _understood(read: Callable[[Any], T], text: Any, said: str | Promise) -> T:
    try:
        return read(text)
    except ValueError as error:
        raise ValidationError(str(said)) from error
