"""Forms for settings of releases, uploads, withdrawal and removing the identity mapping."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

from releases.dataset.manifest import AnySettings
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.files import TranslationSettings
from releases.models import VERSION, Release

MOST_SEED = 2**63 - 1
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


OF_SIDES = ("unlabeled_dev", "paraphrase_share", "depth")


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
    skill = forms.BooleanField(
        label=_("Labels of the annotator model"),
        required=False,
        help_text=_(
            "Adds columns with the likeliest label of each judged pair, if some people err more "
            "than others, and its probability. No other column changes."
        ),
    )
    hard_for = forms.ChoiceField(
        label=_("Only pairs that a model gets wrong"),
        required=False,
        help_text=_(
            "Leaves out kept pairs to which the model gave the same label as people. It must have "
            "labelled all kept pairs. Its figures on the dataset are then low by construction."
        ),
    )
    reasons = forms.BooleanField(
        label=_("Release the reasons"),
        required=False,
        help_text=_(
            "Adds people’s reasons and marked words to judgments.jsonl. Read those below first: "
            "words that people wrote may identify someone."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("Controls all random choices. The same seed and pairs give the same files."),
        min_value=0,
        max_value=MOST_SEED,
    )

    def offer_models(self, titles: Sequence[str]) -> None:
        """Offer models by name and revision; without any, leave out what needs one."""
        if titles:
            choices = [("", _("all kept pairs")), *((title, title) for title in titles)]
            self.fields["hard_for"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["hard_for"]

    def leave_out_sides(self) -> None:
        """Leave out what only labels with two sides allow."""
        for name in OF_SIDES:
            del self.fields[name]

    def choices(self) -> dict[str, Any]:
        values = dict(self.cleaned_data)
        values.pop("version")
        if "depth" not in values:
            return values
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
        "skill": settings.skill,
        "reasons": settings.reasons,
        "hard_for": settings.hard_for,
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
