"""The languages that translations are usually made into, by tag."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# The languages of PAWS-X first, then others that are often translated into; any tag can be typed.
LANGUAGES: dict[str, str | Promise] = {
    "fr": _("French"),
    "es": _("Spanish"),
    "de": _("German"),
    "zh": _("Chinese"),
    "ja": _("Japanese"),
    "ko": _("Korean"),
    "ar": _("Arabic"),
    "bn": _("Bengali"),
    "cs": _("Czech"),
    "da": _("Danish"),
    "el": _("Greek"),
    "en": _("English"),
    "fa": _("Persian"),
    "fi": _("Finnish"),
    "he": _("Hebrew"),
    "hi": _("Hindi"),
    "hu": _("Hungarian"),
    "id": _("Indonesian"),
    "it": _("Italian"),
    "nb": _("Norwegian"),
    "nl": _("Dutch"),
    "pl": _("Polish"),
    "pt": _("Portuguese"),
    "pt-BR": _("Portuguese (Brazil)"),
    "ro": _("Romanian"),
    "ru": _("Russian"),
    "sv": _("Swedish"),
    "sw": _("Swahili"),
    "th": _("Thai"),
    "tr": _("Turkish"),
    "uk": _("Ukrainian"),
    "ur": _("Urdu"),
    "vi": _("Vietnamese"),
    "zh-Hant": _("Chinese (traditional)"),
}


def name_of(tag: str) -> str:
    """Return the name of a language with its tag, or the tag alone if it is not listed."""
    return f"{LANGUAGES[tag]} ({tag})" if tag in LANGUAGES else tag
