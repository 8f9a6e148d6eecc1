"""The forms of published sets: who published one, its files, and what they do not say."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
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
from releases.dataset.published import stated
from releases.dataset.published.settings import Choices
from releases.forms import MOST_SEED
from releases.models import Release
from releases.selectors.releases import metadata_of
from releases.services.published import choices_now
from releases.services.published_drafts import MOST_FILES

# What is stated of how the files are read: a field of Choices, and what parses it.
STATED: Mapping[str, Callable[[str], Any]] = {
    "columns": stated.parse_named,
    "labels": stated.parse_labels,
    "paraphrase_from": stated.parse_number,
    "votes": stated.parse_votes,
    "draw": stated.parse_sizes,
}
# The fields of what the files do not say.
UNSAID = {*STATED, "files_of_splits", "config", "seed", "accepts_refused"}


class Files(forms.FileInput):
    """A field of a browser that takes several files."""

    allow_multiple_selected = True

    def __init__(self) -> None:
        super().__init__(attrs={"multiple": True})

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return files.getlist(name) if hasattr(files, "getlist") else []


class FilesField(forms.FileField):
    """Several files, whose names differ."""

    widget = Files

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[Any]]":
        files = [super(FilesField, self).clean(file, initial) for file in data or [None]]
        names = {PurePosixPath(file.name).name for file in files}
        if len(files) > MOST_FILES or len(names) < len(files):
            text = _("Choose up to %(n)s files with different names.")
            raise ValidationError(text % {"n": MOST_FILES})
        return files


class ReadingForm(forms.Form):
    """Who published a set, and what its files do not say."""

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
    columns = forms.CharField(
        label=_("Columns"),
        required=False,
        help_text=_("Where the names don’t say it: label=4, id=-"),
    )
    labels = forms.CharField(
        label=_("Names of labels"), required=False, help_text=_("entailment=1, neutral=0")
    )
    paraphrase_from = forms.CharField(
        label=_("A paraphrase from"), required=False, help_text=_("Of grades and scores.")
    )
    votes = forms.CharField(
        label=_("Votes"),
        required=False,
        help_text=_("3,4: three yes make a paraphrase, four no make none."),
    )
    files_of_splits = forms.CharField(
        label=_("Files of splits"), required=False, help_text=_("dev=valid.tsv, test=eval.tsv")
    )
    config = forms.CharField(
        label=_("Config"), required=False, help_text=_("Of README.md, if it names several.")
    )
    draw = forms.CharField(
        label=_("Splits to draw"), required=False, help_text=_("Out of train: dev=0.1, test=500")
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=MOST_SEED, initial=0)
    accepts_refused = forms.BooleanField(
        label=_("Leave out lines that can’t be read, however many"), required=False
    )

    def about(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in UNSAID]

    def unsaid(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in UNSAID]

    def clean(self) -> None:
        for name, parse in STATED.items():
            self._parse(name, parse)
        self._parse("files_of_splits", _parse_splits)

    def _parse(self, name: str, parse: Callable[[str], Any]) -> None:
        text = self.cleaned_data.get(name)
        try:
            self.cleaned_data[name] = parse(text) if text else None
        except ArgumentTypeError as error:
            self.add_error(name, str(error))

    def choices(self) -> Choices:
        values = self.cleaned_data
        parts = {name: values[name] for name in STATED if values[name] is not None}
        return Choices(
            config=values["config"],
            files=values["files_of_splits"] or {},
            language=values["language"],
            seed=values["seed"],
            accepts_refused=values["accepts_refused"],
            **parts,
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


class VersionForm(ReadingForm):
    """The files of a version too."""

    version = forms.CharField(label=_("Version"), max_length=50, initial="1.0")
    set_files = FilesField(
        label=_("Files"),
        help_text=_("TSV, CSV, JSON, JSON Lines, Excel, Parquet, or an archive of them."),
    )
    field_order = ("name", "version", "set_files")

    def uploads(self) -> dict[str, Any]:
        files = self.cleaned_data["set_files"]
        return {PurePosixPath(file.name).name: file.chunks() for file in files}


class SetForm(VersionForm):
    """The name of the set too, which its project gets."""

    name = forms.CharField(label=_("Name"), max_length=Project._meta.get_field("name").max_length)


def _parse_splits(text: str) -> dict[Any, str]:
    return stated.files_by_split(stated.parse_split(entry.strip()) for entry in text.split(","))


def _bibtex(citation: str) -> str:
    try:
        return parse_bibtex(citation.strip())
    except ValueError:
        return ""


def values_of(release: Release) -> dict[str, Any]:
    """Return what was said of a release, as the form shows it."""
    choices, metadata = choices_now(release), metadata_of(release)
    return {
        "language": next(iter(metadata.languages), ""),
        "licence": metadata.licence,
        "citation": metadata.bibtex or metadata.citation,
        "homepage": metadata.homepage,
        "columns": _entries(choices.columns),
        "labels": _entries(choices.labels),
        "paraphrase_from": ""
        if choices.paraphrase_from is None
        else f"{choices.paraphrase_from:g}",
        "votes": ",".join(map(str, choices.votes or ())),
        "files_of_splits": _entries(choices.files),
        "config": choices.config,
        "draw": _entries(choices.draw),
        "seed": choices.seed,
        "accepts_refused": choices.accepts_refused,
    }


def _entries(values: Mapping[Any, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
