"""Languages by their tags (BCP 47): their names, found by any of them, and their direction.

The names are those of the Unicode CLDR (https://cldr.unicode.org), by Babel.
"""

import re
from functools import cache
from typing import NamedTuple

from babel import Locale, UnknownLocaleError
from django.conf.locale import LANG_INFO
from django.utils.translation import get_language

# A language, perhaps with script, region, variants and private parts: de, zh-Hant, pt-BR, sl-rozaj.
TAG = re.compile(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-x(-[A-Za-z0-9]{1,8})+)?"
)
# Written from right to left, by language and by script.
_CODES = "ar arc ckb dv fa he ks mzn nqo pnb prs ps sd syr ug ur yi"
RIGHT_TO_LEFT = frozenset(_CODES.split())
RIGHT_TO_LEFT_SCRIPTS = frozenset({"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"})
MOST_FOUND = 8
_NAMED_IN = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
# Codes for several, unknown and no languages.
NO_LANGUAGES = frozenset({"mis", "mul", "und", "zxx"})


class Language(NamedTuple):
    """A language: its tag, its name on the page, and the texts that find it, without case."""

    tag: str
    name: str
    texts: tuple[str, ...]


def direction(tag: str) -> str:
    """Return "rtl" or "ltr", as the attribute `dir` has it; a script in the tag decides.

    >>> direction("ar-EG"), direction("az-Arab"), direction("ku-Latn"), direction("ur-Latn")
    ('rtl', 'rtl', 'ltr', 'ltr')
    """
    language, *parts = tag.lower().replace("_", "-").split("-")
    script = next((part for part in parts if len(part) == 4 and part.isalpha()), "")
    is_right_to_left = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
    return "rtl" if is_right_to_left else "ltr"


def name_of(tag: str) -> str:
    """Return the name of a language in that of the page; the tag if there is no name."""
    return _name(tag, _locale_of(get_language() or "en")) or tag


def own_name_of(tag: str) -> str:
    """Return what speakers of a language call it; "" if that is not known."""
    try:
        return _name(tag, Locale.parse(tag, sep="-"))
    except (UnknownLocaleError, ValueError):
        return ""


def english_name_of(tag: str) -> str:
    """Return the English name of a language; the tag if there is no name.

    >>> english_name_of("pt-BR"), english_name_of("qqq")
    ('Brazilian Portuguese', 'qqq')
    """
    return _name(tag, _locale_of("en")) or tag


def search(text: str) -> list[str]:
    """Return the tags of languages whose name or tag has the text, those that begin with it first.

    Names in the language of the page and in English count, and what speakers call the usual ones.
    At most MOST_FOUND are returned; one whose whole name or tag is the text comes first.
    """
    words = text.strip().casefold()
    ranked = [
        (rank, language.name, language.tag)
        for language in _languages(get_language() or "en")
        if words and (rank := _rank(words, language)) is not None
    ]
    return [tag for _rank_of_fit, _name, tag in sorted(ranked)[:MOST_FOUND]]


def understand(text: str) -> str:
    """Return the tag that a name or a tag means.

    The name may be in any of the languages in _NAMED_IN, and a tag may have underscores.
    Raises ValueError, with the names of those that it may mean, if it is not one language.
    """
    words = text.strip()
    languages = {language.tag: language for language in _languages(get_language() or "en")}
    tags = search(words)
    if tags and _rank(words.casefold(), languages[tags[0]]) == 0:
        return tags[0]
    if tag := _tags_by_name().get(words.casefold()):
        return tag
    if len(tags) == 1:
        return tags[0]
    if TAG.fullmatch(tag := words.replace("_", "-")):
        return tag
    raise ValueError(", ".join(languages[tag].name for tag in tags))


@cache
def _locale_of(language: str) -> Locale:
    return Locale.parse(language, sep="-")


def _name(tag: str, locale: Locale) -> str:
    """Return the name of a tag in the language of a locale; "" if it has none."""
    if name := locale.languages.get(tag.replace("-", "_")):
        return str(name)
    try:
        return Locale.parse(tag, sep="-").get_display_name(locale) or ""
    except (UnknownLocaleError, ValueError):
        return ""


@cache
def _languages(page_language: str) -> list[Language]:
    english, languages = _locale_of("en").languages, []
    for code, name in _locale_of(page_language).languages.items():
        tag = str(code).replace("_", "-")
        own_name = str(LANG_INFO.get(tag.lower(), {}).get("name_local", ""))
        texts = [text.casefold() for text in (str(name), str(english.get(code, "")), own_name)]
        if code not in NO_LANGUAGES:
            languages.append(Language(tag, str(name), tuple(filter(None, texts))))
    return languages


@cache
def _tags_by_name() -> dict[str, str]:
    """Return the tag of each language by its names, in the languages that name many."""
    tags: dict[str, str] = {}
    for language in _NAMED_IN:
        for code, name in _locale_of(language).languages.items():
            if code not in NO_LANGUAGES:
                tags.setdefault(str(name).casefold(), str(code).replace("_", "-"))
    return tags


def _rank(text: str, language: Language) -> int | None:
    """Return how well a text fits: 0 for all of it, 1 for its beginning; None if not at all."""
    if text in (*language.texts, language.tag.casefold()):
        return 0
    if any(name.startswith(text) for name in language.texts):
        return 1
    return 2 if any(text in name for name in language.texts) else None
