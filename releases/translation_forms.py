"""The form of a translation study."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.imports.forms import LANGUAGE_TAG
from annotation.models import Project, TranslationPlan
from releases.forms import MOST_SEED

MOST_PAIRS = 1_000_000
AT_LEAST = format_lazy(
    _("At least {least} of each translator are validated, and all if a translator has fewer."),
    least=TranslationPlan._meta.get_field("least_validated").default,
)
SHARE: Any = TranslationPlan._meta.get_field("validated_share")


class TranslationForm(forms.Form):
    """The name of the new project, the language, and how many pairs are translated."""

    name = forms.CharField(
        label=_("Name of the new project"), max_length=Project._meta.get_field("name").max_length
    )
    language = forms.CharField(
        label=_("Translate into"),
        help_text=_("Choose a language or type its tag (BCP 47), such as de, pt-BR or zh-Hant."),
        max_length=35,
        validators=[LANGUAGE_TAG],
        widget=forms.TextInput(attrs={"list": "languages", "autocomplete": "off"}),
    )
    dev = forms.IntegerField(
        label=_("Pairs of dev"),
        help_text=_("At most this number, in whole groups of linked sentences. Empty: all."),
        min_value=1,
        max_value=MOST_PAIRS,
        required=False,
    )
    test = forms.IntegerField(
        label=_("Pairs of test"),
        help_text=_("As for dev."),
        min_value=1,
        max_value=MOST_PAIRS,
        required=False,
    )
    validated_share = forms.FloatField(
        label=SHARE.verbose_name,
        help_text=format_lazy("{} {}", SHARE.help_text, AT_LEAST),
        min_value=0.0,
        max_value=1.0,
        initial=SHARE.default,
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("The same seed draws the same pairs, order and validations."),
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
    )
