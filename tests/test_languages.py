"""Languages and licences, by what people call them."""

import pytest
from django.utils import translation

from common import languages, licences


@pytest.mark.parametrize(
    ("page", "text", "tag"),
    [
        ("en", "German", "de"),
        ("en", " deutsch ", "de"),
        ("de", "german", "de"),
        ("de", "Schweizerdeutsch", "gsw"),
        ("en", "Brazil", "pt-BR"),
        ("en", "zh", "zh"),
        ("en", "Englisch", "en"),
        ("de", "anglais", "en"),
        ("en", "de_DE", "de-DE"),
        ("en", "sl-rozaj", "sl-rozaj"),
    ],
)
def test_a_language_is_understood_by_its_names_and_tags(page, text, tag):
    with translation.override(page):
        assert languages.understand(text) == tag


@pytest.mark.parametrize(
    ("text", "names"), [("portug", "Brazilian Portuguese, Portuguese"), ("Elvish", "")]
)
def test_what_may_be_several_languages_or_none_is_refused_with_their_names(text, names):
    with pytest.raises(ValueError, match=f"^{names}"):
        languages.understand(text)


def test_a_search_has_the_whole_name_first_then_beginnings():
    tags = languages.search("German")
    assert (tags[0], len(tags)) == ("de", languages.MOST_FOUND)
    assert "de-CH" not in languages.search("ge")  # "Swiss High German" begins otherwise


def test_a_language_has_the_name_of_the_page_and_its_own():
    with translation.override("de"):
        assert languages.name_of("pt-BR") == "Portugiesisch (Brasilien)"
    assert (languages.own_name_of("de-AT"), languages.own_name_of("xx")) == (
        "Österreichisches Deutsch",
        "",
    )
    assert languages.name_of("xx-Latn") == "xx-Latn"


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("CC BY-SA 4.0", "CC-BY-SA-4.0"),
        ("cc0", "CC0-1.0"),
        (" mit ", "MIT"),
        ("odc-by-1.0", "ODC-By-1.0"),
    ],
)
def test_a_licence_is_understood_with_spaces_or_any_case(text, identifier):
    assert licences.spdx(text) == identifier


def test_licences_are_found_by_words_of_their_names():
    assert licences.search("share alike by 4.0") == ["CC-BY-SA-4.0", "CC-BY-NC-SA-4.0"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("cc0-1.0", "CC0 1.0"), ("CC BY-SA 4.0", "CC BY-SA 4.0"), ("Ask us first.", "Ask us first.")],
)
def test_a_licence_is_shown_as_people_write_it(text, name):
    assert licences.name_of(text) == name
