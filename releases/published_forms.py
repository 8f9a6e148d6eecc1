"""The forms of published sets: who published one, and its files."""

from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.projects.forms.pickers import LanguageField
from common import licences
from common.forms import ProseField
from releases.dataset.metadata import Metadata, parse_bibtex
from releases.models import Release
from releases.selectors.releases import metadata_of

MOST_FILES = 20


class Files(forms.FileInput):
    """A field of a browser that takes several files."""

    allow_multiple_selected = True

    def __init__(self) -> None:
        super().__init__(attrs={"multiple": True})

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return files.getlist(name) if hasattr(files, "getlist") else []


class FilesField(forms.FileField):
    """Several files, whose names differ."""

    widget, most = Files, MOST_FILES

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[Any]]":
        files = [super(FilesField, self).clean(file, initial) for file in data or [None]]
        names = {PurePosixPath(file.name).name for file in files}
        if len(files) > self.most or len(names) < len(files):
            text = _("Choose up to %(n)s files with different names.")
            raise ValidationError(text % {"n": self.most})
        return files


class AboutForm(forms.Form):
    """Who published a set, and in which language it is."""

    language = LanguageField(label=_("Language"))
    licence = forms.CharField(
        label=_("Licence"), max_length=200, help_text=_("As its publishers state it.")
    )
    citation = ProseField(
        label=_("How to cite it"), required=True, help_text=_("A sentence, or a BibTeX entry.")
    )
    homepage = forms.URLField(
        label=_("Where it is published"), required=False, max_length=500, assume_scheme="https"
    )

    def metadata(self) -> Metadata:
        values = self.cleaned_data
        bibtex = _bibtex(values["citation"])
        return Metadata(
            licence=licences.as_spdx(values["licence"]),
            citation="" if bibtex else " ".join(values["citation"].split()),
            bibtex=bibtex,
            languages=(values["language"],),
            homepage=values["homepage"],
        )


class VersionForm(AboutForm):
    """The files of a version too."""

    version = forms.CharField(label=_("Version"), max_length=50, initial="1.0")
    set_files = FilesField(
        label=_("Files"),
        help_text=_(
            "TSV, CSV, JSON, JSON Lines, Excel or Parquet, or a .zip or .tar.gz of them: up to 20 "
            "files, 1 GB together."
        ),
    )
    field_order = ("name", "version", "set_files")

    def uploads(self) -> dict[str, Any]:
        files = self.cleaned_data["set_files"]
        return {PurePosixPath(file.name).name: file.chunks() for file in files}


class SetForm(VersionForm):
    """The name of the set too, which its project gets."""

    name = forms.CharField(label=_("Name"), max_length=Project._meta.get_field("name").max_length)


def _bibtex(citation: str) -> str:
    try:
        return parse_bibtex(citation.strip())
    except ValueError:
        return ""


def values_about(release: Release) -> dict[str, Any]:
    """Return what was said about a release, as the form shows it."""
    metadata = metadata_of(release)
    return {
        "language": next(iter(metadata.languages), ""),
        "licence": metadata.licence,
        "citation": metadata.bibtex or metadata.citation,
        "homepage": metadata.homepage,
    }
