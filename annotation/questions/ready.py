"""Ready-made questions. They are stored in English, for releases, and shown in the page's language.

Languages and countries have the names of the Unicode CLDR, by Babel.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from babel import Locale
from django.utils.functional import Promise
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from annotation.models import AnnotatorQuestion

# Regions of the CLDR that are no countries or territories: islands of others, unions, tests.
_CODES = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ"
NO_COUNTRIES = frozenset(_CODES.split())
ANOTHER_LANGUAGE = _("Another language")


class Ready(NamedTuple):
    """A question to pick: its title and text, and its choices unless they are in the CLDR."""

    title: str | Promise
    text: str | Promise
    choices: tuple[str | Promise, ...] = ()


READY: Mapping[str, Ready] = {
    "age": Ready(
        _("Age"),
        _("How old are you?"),
        (
            _("18 to 24"),
            _("25 to 34"),
            _("35 to 44"),
            _("45 to 54"),
            _("55 to 64"),
            _("65 or older"),
        ),
    ),
    "gender": Ready(
        _("Gender"),
        _("What is your gender?"),
        (_("Woman"), _("Man"), _("Non-binary"), _("Another gender")),
    ),
    "first_language": Ready(_("First language"), _("Which language did you learn first?")),
    "level": Ready(
        _("Language level"),
        _("How well do you know the language of the sentences?"),
        (
            _("It is my first language"),
            _("Like a first language (C2)"),
            _("Fluently (C1)"),
            _("Well (B2)"),
            _("Moderately (B1)"),
            _("A little (A1 or A2)"),
        ),
    ),
    "education": Ready(
        _("Education"),
        _("What is the highest level of education that you have completed?"),
        (
            _("Primary school or less"),
            _("Secondary school"),
            _("Vocational training"),
            _("Bachelor’s degree"),
            _("Master’s degree"),
            _("Doctorate"),
        ),
    ),
    "field": Ready(
        _("Field"),
        _("In which field do you study or work?"),
        (
            _("Linguistics and languages"),
            _("Other humanities and arts"),
            _("Social sciences and education"),
            _("Law, business and administration"),
            _("Natural sciences and mathematics"),
            _("Computer science and engineering"),
            _("Health and care"),
            _("Trades and services"),
            _("Another field"),
        ),
    ),
    "country": Ready(_("Country"), _("In which country do you live?")),
}


class Texts(NamedTuple):
    """The title, the text and the choices of a question."""

    title: str
    text: str
    choices: list[str]


def english(key: str) -> Texts:
    """Return a ready-made question as it is stored."""
    with override("en"):
        return _texts(key)


def shown(question: AnnotatorQuestion) -> Texts:
    """Return a question as a page shows it: in its language if it is a ready-made one."""
    if question.ready not in READY:
        return Texts(question.title, question.text, question.choices)
    stored = english(question.ready).choices
    texts = _texts(question.ready)
    translated = dict(zip(stored, texts.choices, strict=True))
    # Another version of the CLDR may have other names.
    choices = [translated.get(choice, choice) for choice in question.choices]
    return texts._replace(choices=choices)


def _texts(key: str) -> Texts:
    title, text, choices = READY[key]
    names = [*map(str, choices)] or _names(key, get_language() or "en")
    return Texts(str(title), str(text), names)


@cache
def _names(key: str, language: str) -> list[str]:
    """Return the languages or countries in a language, in the alphabetical order of English."""
    is_of_languages = key == "first_language"
    in_english, names = (_cldr(tag, of_languages=is_of_languages) for tag in ("en", language))
    codes = [code for code in in_english if len(code) == 2 and code not in NO_COUNTRIES]
    codes.sort(key=lambda code: sort_key(in_english[code]))
    last = [str(ANOTHER_LANGUAGE)] if is_of_languages else []
    return [names.get(code, in_english[code]) for code in codes] + last


def _cldr(tag: str, *, of_languages: bool) -> dict[str, str]:
    """Return the names that a language has for languages, or for regions, by their codes."""
    locale = Locale.parse(tag, sep="-")
    names = locale.languages if of_languages else locale.territories
    return {str(code): str(name) for code, name in names.items()}


def sort_key(name: str) -> str:
    """Return a name without accents and case: “Österreich” comes after “Oman”."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()
