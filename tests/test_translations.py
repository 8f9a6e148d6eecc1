"""Every language is complete, and a person can choose among them."""

import re
import shutil
from datetime import datetime
from io import BytesIO

from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.base import Lexer, TokenType
from django.utils.formats import date_format
from django.utils.translation import gettext, override

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
[LOCALE] = settings.LOCALE_PATHS
PATHS = sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))
PLACEHOLDERS = re.compile(r"%(?:\(\w+\))?[a-z%]|\{\w*\}|</?\w+")
SIGN_IN = "/accounts/login/"
# Names and keys are the same in every language; <kbd> contains a key, <code> what a machine reads.
SAME_IN_ALL = {
    "Pawsmith",
    "Ctrl",
    "Enter",
    "Esc",
    "CSV",
    "TSV",
    "JSON",
    "PAWS",
    "PARADE",
    "SHA",
    "ORCID",
    "BibTeX",
}
TAG = re.compile(r"<(kbd|code)>.*?</\1>|<[^>]*>|[\w-]+=\"[^\"]*\"", re.DOTALL)
READ_OUT = re.compile(r'\b(?:aria-label|title|placeholder|alt|data-say)="([^"]*)"')
BLOCK = re.compile(r"\{% (blocktranslate|comment)\b.*?\{% end\1 %\}", re.DOTALL)
# What a template may ask for; the last two are for machines.
DATE_FORMS = {'"DATE_FORMAT"', '"DATETIME_FORMAT"', '"TIME_FORMAT"', "'c'"}


def test_every_language_has_a_complete_catalogue_which_is_compiled(tmp_path):
    template = tmp_path / "django.pot"
    options = ["--mapping-file=pyproject.toml", f"--output-file={template}"]
    CommandLineInterface().run(["pybabel", "--quiet", "extract", *options, str(settings.BASE_DIR)])
    wanted = read_po(BytesIO(template.read_bytes()))
    assert [path.parent.parent.name for path in PATHS] == LANGUAGES
    for path in PATHS:
        found = read_po(
            BytesIO(path.read_bytes()), locale=path.parent.parent.name, abort_invalid=True
        )
        keys = [{(each.id, each.context) for each in catalogue} for catalogue in (wanted, found)]
        assert (keys[0] - keys[1], keys[1] - keys[0]) == (set(), set()), "scripts/messages"
        assert {each.id: errors for each, errors in found.check()} == {}
        for message in found:
            assert message.id == "" or faults(message) == [], message.id
        copy = tmp_path / "locale" / path.relative_to(LOCALE)
        copy.parent.mkdir(parents=True)
        shutil.copy(path, copy)
        folder = ["--directory", str(tmp_path / "locale"), "--domain", "django"]
        CommandLineInterface().run(["pybabel", "--quiet", "compile", *folder])
        same = copy.with_suffix(".mo").read_bytes() == path.with_suffix(".mo").read_bytes()
        assert same, "scripts/messages compiles"


def faults(message):
    """What Babel does not check: missing and guessed texts, other placeholders or tags."""
    singular, *plural = [message.id] if isinstance(message.id, str) else message.id
    first, *others = [message.string] if isinstance(message.id, str) else message.string
    if message.fuzzy or not all([first, *others]):
        return ["not translated"]
    pairs = [(singular, first), *((plural[0], other) for other in others)]
    return [pair for pair in pairs if len({*map(placeholders, pair)}) > 1]


def placeholders(text):
    return tuple(sorted(PLACEHOLDERS.findall(text)))


def test_the_answers_of_a_task_differ_in_every_language():
    for language in LANGUAGES:
        with override(language):
            for answers in (("Accept", "Fix", "Reject"), ("Same meaning", "Different meaning")):
                assert len(set(map(gettext, answers))) == len(answers), language


def test_no_page_contains_words_that_cannot_be_translated():
    assert sorted(untranslated('<p class="x">Plain <b title="Read out">{{ y }}</b></p>')) == [
        "Plain",
        "Read",
        "out",
    ]
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    found = {page.name: list(untranslated(page.read_text())) for page in pages}
    assert {name: words for name, words in found.items() if words} == {}


def untranslated(text):
    without_code = re.sub(r"<pre.*?</pre>", "", BLOCK.sub("", text), flags=re.DOTALL)
    tokens = Lexer(without_code).tokenize()
    shown = "".join(each.contents for each in tokens if each.token_type == TokenType.TEXT)
    for part in [TAG.sub(" ", shown), *READ_OUT.findall(shown)]:
        words = re.findall(r"[^\W\d_]{2,}", re.sub(r"&#?\w+;", " ", part))
        yield from (word for word in words if word not in SAME_IN_ALL)


def test_a_page_is_in_the_language_of_the_browser_until_the_person_chooses_one(db, client):
    german = client.get(SIGN_IN, headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"})
    assert '<html lang="de" dir="ltr">' in german.text
    assert "<h1>Anmelden</h1>" in german.text
    french = client.get(SIGN_IN, headers={"accept-language": "fr"})
    assert '<html lang="en" dir="ltr">' in french.text
    reply = client.post("/language/", {"language": "de", "next": f"{SIGN_IN}?next=/"})
    assert (reply.status_code, reply["Location"]) == (302, f"{SIGN_IN}?next=/")
    assert reply.cookies["django_language"]["max-age"] == 365 * 24 * 60 * 60
    assert '<html lang="de"' in client.get(SIGN_IN, headers={"accept-language": "en"}).text
    elsewhere = client.post("/language/", {"language": "de", "next": "https://example.org/"})
    assert elsewhere["Location"] == "/"


def test_dates_have_one_form_in_each_language():
    moment = datetime(2026, 3, 4, 18, 5)  # noqa: DTZ001 as the reader's clock shows it
    names = ("DATE_FORMAT", "DATETIME_FORMAT", "MONTH_DAY_FORMAT", "TIME_FORMAT")
    for language, written in [
        ("en", ["4 Mar 2026", "4 Mar 2026, 18:05", "4 Mar", "18:05"]),
        ("de", ["4. Mär 2026", "4. Mär 2026, 18:05", "4. Mär", "18:05"]),
    ]:
        with override(language):
            assert [date_format(moment, name) for name in names] == written
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    asked = re.compile(r"\|(?:date|time):(\S+?)(?=[\s|}%])")
    assert {form for page in pages for form in asked.findall(page.read_text())} == DATE_FORMS
