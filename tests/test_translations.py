"""Every language says all that English says, and a person can choose among them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.checks import run_checks
from django.template.base import Lexer, TokenType
from django.test import Client
from django.utils.translation import gettext, ngettext, override
from pytest_django import Settings

from accounts.checks import translations_are_compiled
from scripts.translations import catalogues, extraction

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]

# Names and keys are the same in every language; <kbd> holds a key, <code> what a machine reads.
SAME_IN_ALL = {"Pawsmith", "Ctrl", "Enter", "Esc", "CSV", "TSV", "JSON", "PAWS", "PARADE", "SHA"}
TAG = re.compile(r"<(kbd|code)>.*?</\1>|<[^>]*>|[\w-]+=\"[^\"]*\"", re.DOTALL)
READ_OUT = re.compile(r'\b(?:aria-label|title|placeholder|alt|data-say)="([^"]*)"')
ENTITY = re.compile(r"&#?\w+;")
BLOCK = re.compile(r"\{% (blocktranslate|comment)\b.*?\{% end\1 %\}", re.DOTALL)


@pytest.fixture(scope="module")
def wanted() -> Catalog:
    return extraction.template()


@pytest.mark.parametrize("path", catalogues.paths(), ids=lambda path: path.parent.parent.name)
def test_nothing_is_missing_unused_empty_fuzzy_or_with_other_placeholders(
    path: Path, wanted: Catalog
) -> None:
    assert list(catalogues.faults(catalogues.read(path), wanted)) == []


def test_every_language_that_can_be_chosen_has_a_file() -> None:
    assert [path.parent.parent.name for path in catalogues.paths()] == LANGUAGES


def catalogue(*messages: tuple[object, object], **more: object) -> Catalog:
    made = Catalog(locale="de", fuzzy=False)
    for message, translation in messages:
        made.add(message, translation, **more)  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize(
    ("message", "translation", "fault"),
    [
        ("Save", "Speichern", None),
        ("Save", "", "empty: Save"),
        ("Load", "Laden", "missing: Save"),
        ("%(n)s left", "noch welche", "other placeholders: %(n)s left"),
        ("%(n)s left", "noch %(m)s", "other placeholders: %(n)s left"),
        ("%(n)s left", "noch %(n)s", None),
        ("100 %% of <b>all</b>", "100 %% von <b>allen</b>", None),
        ("100 %% of <b>all</b>", "100 % von <b>allen</b>", "other placeholders"),
        ("100 %% of <b>all</b>", "100 %% von <i>allen</i>", "other placeholders"),
        (("%(n)s pair", "%(n)s pairs"), ("%(n)s Paar", "%(n)s Paare"), None),
        (("%(n)s pair", "%(n)s pairs"), ("%(n)s Paar", ""), "empty: %(n)s pair | %(n)s pairs"),
        (("%(n)s pair", "%(n)s pairs"), ("%(n)s Paar", "Paare"), "other placeholders"),
    ],
)
def test_each_fault_is_found(message: object, translation: object, fault: str | None) -> None:
    wanted = catalogue(("Save" if message == "Load" else message, ""))

    found = list(catalogues.faults(catalogue((message, translation)), wanted))

    assert bool(found) == bool(fault)
    assert fault is None or any(line.startswith(fault) for line in found)


def test_what_is_no_longer_used_a_guess_and_a_lost_plural_are_found() -> None:
    plural = catalogue((("%(n)s pair", "%(n)s pairs"), ("", "")))
    singular = catalogue(("%(n)s pair", "%(n)s Paar"))
    unsure = catalogue(("Save", "Retten"), flags=["fuzzy"])

    assert list(catalogues.faults(catalogue(("Old", "Alt")), catalogue())) == ["not used: Old"]
    assert list(catalogues.faults(unsure, catalogue(("Save", "")))) == ["fuzzy: Save"]
    assert "plural forms are missing" in next(catalogues.faults(singular, plural))


def test_strings_of_templates_are_found_wherever_they_stand() -> None:
    text = """{% load i18n %}
          {% translate "One" %} 'text' {# {% translate "Hidden" %} #}
        <b title="{% translate 'Two' %}">{{ "x"|default:_("Three") }}</b>
      {% blocktranslate count n=n %}{{ n }} pair{% plural %}{{ n }} pairs{% endblocktranslate %}
    {% translate "May" context "month" %} {% blocktranslate %}100 %{% endblocktranslate %}"""

    found = list(extraction.of_template(text, "a.html"))

    assert found == [
        ("One", None),
        ("Two", None),
        ("Three", None),
        (("%(n)s pair", "%(n)s pairs"), None),
        ("May", "month"),
        ("100 %%", None),
    ]


def test_strings_of_modules_are_found_by_whatever_name_a_function_has() -> None:
    text = """
from django.utils.translation import gettext as now, gettext_lazy as _, ngettext, pgettext
LATER = _("Later " "on")
def f(n): return now("Now"), ngettext("one", "many", n), pgettext("month", "May"), len("no")
"""
    assert sorted(extraction.of_module(text, "a.py"), key=str) == [
        ("Later on", None),
        ("May", "month"),
        ("Now", None),
        (("one", "many"), None),
    ]


def test_a_string_that_is_put_together_while_it_runs_is_refused() -> None:
    text = 'from django.utils.translation import gettext\ngettext(f"{1} pair")'

    with pytest.raises(ValueError, match=r"a\.py:2"):
        list(extraction.of_module(text, "a.py"))


def test_a_new_language_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "ar" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.touch()

    catalogues.update(path, catalogue(("Save", ""), (("%(n)s pair", "%(n)s pairs"), ("", ""))))

    assert catalogues.read(path).num_plurals == 6
    faults = list(catalogues.faults(catalogues.read(path), catalogue(("Save", ""))))
    assert "empty: Save" in faults


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_compiled_is_what_is_written(code: str) -> None:
    catalog = catalogues.read(catalogues.LOCALE / code / "LC_MESSAGES" / "django.po")
    with override(code):
        for message in catalog:
            if message.id and not message.context:
                written = _first(message.string) or _first(message.id)
                assert _read(message.id) == written, "scripts/messages compiles"


def _read(message: str | tuple[str, ...]) -> str:
    return gettext(message) if isinstance(message, str) else ngettext(*message, 1)


def _first(strings: str | tuple[str, ...]) -> str:
    return strings if isinstance(strings, str) else strings[0]


def test_a_language_that_is_not_compiled_stops_every_command(
    settings: Settings, tmp_path: Path
) -> None:
    settings.LOCALE_PATHS = [tmp_path]

    assert [error.id for error in run_checks()] == ["accounts.E001"] * len(LANGUAGES)
    settings.LOCALE_PATHS = [catalogues.LOCALE]
    assert translations_are_compiled() == []


def templates() -> list[Path]:
    found = (path for path in extraction.sources(extraction.ROOT) if path.suffix == ".html")
    return [path.relative_to(extraction.ROOT) for path in found]


@pytest.mark.parametrize("path", templates(), ids=str)
def test_no_page_says_anything_that_cannot_be_translated(path: Path) -> None:
    assert list(_bare_words((extraction.ROOT / path).read_text(encoding="utf-8"))) == []


def test_bare_words_are_found_in_text_and_in_what_is_read_out() -> None:
    text = '<p class="x">Plain <b title="Said">{{ y }}</b> {% translate "fine" %}</p>'

    assert sorted(_bare_words(text)) == ["Plain", "Said"]


def _bare_words(text: str) -> Iterator[str]:
    """Words of a template that stand outside every translation."""
    tokens = Lexer(BLOCK.sub("", text)).tokenize()
    shown = "".join(each.contents for each in tokens if each.token_type == TokenType.TEXT)
    for part in [TAG.sub(" ", shown), *READ_OUT.findall(shown)]:
        words = re.findall(r"[^\W\d_]{2,}", ENTITY.sub(" ", part))
        yield from (word for word in words if word not in SAME_IN_ALL)


@pytest.mark.django_db
def test_a_page_is_in_the_language_that_the_browser_asks_for(client: Client) -> None:
    address = "/accounts/login/"

    german = client.get(address, headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"})
    other = client.get(address, headers={"accept-language": "fr"})

    assert '<html lang="de" dir="ltr">' in german.text
    assert "<h1>Anmelden</h1>" in german.text
    assert '<html lang="en" dir="ltr">' in other.text


@pytest.mark.django_db
def test_a_choice_goes_before_what_the_browser_asks_for_and_is_remembered(client: Client) -> None:
    reply = client.post("/language/", {"language": "de", "next": "/accounts/login/?next=/"})

    assert (reply.status_code, reply["Location"]) == (302, "/accounts/login/?next=/")
    assert reply.cookies["django_language"]["max-age"] == 365 * 24 * 60 * 60
    page = client.get("/accounts/login/", headers={"accept-language": "en"})
    assert '<html lang="de"' in page.text


@pytest.mark.django_db
def test_a_choice_of_language_leads_nowhere_else(client: Client) -> None:
    reply = client.post("/language/", {"language": "de", "next": "https://example.org/"})

    assert reply["Location"] == "/"
