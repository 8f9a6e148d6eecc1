"""Forms for settings and metadata of releases, withdrawal and removing the identity mapping."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

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
from releases.dataset.manifest import AnySettings
from releases.dataset.metadata import Author, Metadata
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.files import TranslationSettings
from releases.models import VERSION, Release
from releases.selectors.releases import (
    names_by_licence,
    next_metadata,
    planned_metadata,
    rewritten_corpora,
    suggested_metadata,
)
from releases.services import drafts

T = TypeVar("T")
MOST_SEED = 2**63 - 1
MOST_AUTHORS, EMPTY_ROWS = 200, 1
MOST_REASON = Release._meta.get_field("withdrawal_reason").max_length
AS_FAR_AS_THEY_LEAD = "all"
DEPTHS = {
    "0": _("none: judged pairs only"),
    "1": _("one step, as in the paper"),
    "2": _("two steps"),
    "3": _("three steps"),
    AS_FAR_AS_THEY_LEAD: _("as many steps as possible"),
}
_SIZE = re.compile(r"(\d{1,9})|(\d{1,3}(?:[.,]\d{1,4})?) ?%", re.ASCII)


class SizeField(forms.CharField):
    """A number of pairs (int), or a share entered in percent (float); None if it may be empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=20, **options)

    def prepare_value(self, value: Any) -> Any:
        return f"{100 * value:.10g} %" if isinstance(value, float) else value

    def clean(self, value: Any) -> int | float | None:
        text = super().clean(value).strip()
        if not text and not self.required:
            return None
        if not (match := _SIZE.fullmatch(text)):
            raise ValidationError(
                _now("Enter a number of pairs, such as 8000, or a share, such as 10 %.")
            )
        if match[1]:
            return int(match[1])
        if (share := float(match[2].replace(",", ".")) / 100) <= 1:
            return share
        raise ValidationError(_now("Enter at most 100 %."))


class VersionForm(forms.Form):
    version = forms.CharField(
        label=_("Version"),
        max_length=50,
        validators=[RegexValidator(VERSION, _("Letters, digits, and . _ + - between them."))],
        help_text=_("People cite the dataset by its version. Each version can be used only once."),
    )


class ReleaseForm(VersionForm):
    dev = SizeField(
        label=_("Pairs for dev"),
        help_text=_("A number, or a share of the labelled pairs: 8000 or 10 %."),
    )
    test = SizeField(
        label=_("Pairs for test"),
        help_text=_("As for dev. No sentence in dev or test is in another file."),
    )
    unlabeled_dev = SizeField(
        label=_("Unjudged pairs for dev"),
        help_text=_("Same, for pairs labelled by their generation method only."),
    )
    paraphrase_share = forms.FloatField(
        label=_("Paraphrases, in percent"),
        min_value=1,
        max_value=99,
        required=False,
        help_text=_("Random pairs are dropped to reach this share. Leave empty to keep all pairs."),
    )
    depth = forms.ChoiceField(
        label=_("Recombined pairs"),
        choices=list(DEPTHS.items()),
        help_text=_(
            "Adds labelled pairs without new judgments: where C is a back translation of B with "
            "the same meaning, A and C get the label of A and B. Each step goes one back "
            "translation further."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("Controls all random choices. The same seed and pairs give the same files."),
        min_value=0,
        max_value=MOST_SEED,
    )

    def choices(self) -> dict[str, Any]:
        values = dict(self.cleaned_data)
        values.pop("version")
        depth, share = values.pop("depth"), values["paraphrase_share"]
        reach = None if depth == AS_FAR_AS_THEY_LEAD else max(1, int(depth))
        values["paraphrase_share"] = None if share is None else share / 100
        return values | {"recombine": depth != "0", "recombination_reach": reach}


class TranslationReleaseForm(VersionForm):
    """The version of a release of translations, whose study determines all other settings."""

    accepts_errors = forms.BooleanField(
        label=_("Accept unvalidated translations and word errors"),
        required=False,
        help_text=_(
            "Builds the release although translations wait for validation or the word error rate "
            "is too high. Its card and manifest say so."
        ),
    )

    def choices(self) -> dict[str, Any]:
        return {"accepts_errors": self.cleaned_data["accepts_errors"]}


def initial_values(settings: AnySettings, *, version: str) -> dict[str, Any]:
    if isinstance(settings, TranslationSettings):
        return {"version": version, "accepts_errors": settings.accepts_errors}
    assert isinstance(settings, ReleaseSettings)  # noqa: S101 there are two
    reach, share = settings.recombination_reach, settings.paraphrase_share
    depth = AS_FAR_AS_THEY_LEAD if reach is None else str(reach)
    return {
        "version": version,
        "dev": settings.dev,
        "test": settings.test,
        "unlabeled_dev": settings.unlabeled_dev,
        "paraphrase_share": None if share is None else round(100 * share, 10),
        "depth": depth if settings.recombine else "0",
        "seed": settings.seed,
    }


class WithdrawalForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Shown permanently to anyone who requests this release."),
        max_length=MOST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )


class HubForm(forms.Form):
    repository = forms.CharField(
        label=_("Repository"),
        max_length=200,
        help_text=_(
            "Your user name or organization on the Hub, a slash, and the name of the dataset."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    visibility = forms.ChoiceField(
        label=_("Visibility"),
        choices=[
            ("private", _("Private: only you and your organization can see it")),
            ("public", _("Public: anyone can see and download it")),
        ],
        initial="private",
        widget=forms.RadioSelect,
    )
    token = forms.CharField(
        label=_("Access token"),
        max_length=200,
        help_text=_(
            "Create a token with write access in your settings on the Hub. It is used for this "
            "upload only, stored encrypted, and deleted afterwards."
        ),
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_repository(self) -> str:
        name: str = self.cleaned_data["repository"]
        try:
            validate_repo_id(name)
        except HFValidationError:
            name = ""
        if "/" not in name:
            raise ValidationError(
                _now("Enter a name such as my-lab/word-swaps, with letters, digits and - _ . only.")
            )
        return name

    def clean_token(self) -> str:
        token: str = self.cleaned_data["token"]
        if not token.isascii() or len(token.split()) > 1:
            raise ValidationError(_now("A token begins with hf_ and has no spaces. Copy it again."))
        return token

    def choices(self) -> dict[str, Any]:
        values = self.cleaned_data
        is_private = values["visibility"] == "private"
        names = ("repository", "token")
        return {name: values[name] for name in names} | {"is_private": is_private}


class ForgetForm(forms.Form):
    sure = forms.BooleanField(label=_("I know that this cannot be undone."))


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
