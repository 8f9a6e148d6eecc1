"""How two sentences differ, word by word, as the page's own script finds it."""

import json
from pathlib import Path

import pytest
from django.conf import settings

# Both sentences, with square brackets around what differs; what an edit began with and ended with,
# and -gone- and +new+ words among those that stayed; and how many words differ.
CASES = json.loads(Path(__file__).with_suffix(".json").read_text())


@pytest.fixture
def words(page):
    """The script on an empty page: call one of its functions with two texts and a language."""
    page.add_script_tag(path=settings.BASE_DIR / "static/pawsmith/words.js")
    return lambda name, *given: page.evaluate(f"texts => Words.{name}(...texts)", given)


def marked(pieces, **signs):
    return "".join(signs.get(each["kind"], "{}").format(each["text"]) for each in pieces)


def test_words_that_differ_are_found_on_both_sides(words, page):
    def compared(one, other, language):
        sides = words("compare", one, other, language)
        return tuple(marked(side, differs="[{}]") for side in sides)

    plain = str.maketrans("", "", "[]")
    for language, *sides in CASES["compared"]:
        assert compared(*(side.translate(plain) for side in sides), language) == tuple(sides)
    assert compared("Café.", "Cafe\u0301.", "en") == ("Café.", "Café.")
    page.evaluate("delete Intl.Segmenter")  # a browser that knows no words cuts at spaces
    texts = "It isn’t so, Ada.", "It is so, Ada."
    assert compared(*texts, "en") == ("It [isn’t] so, Ada.", "It [is] so, Ada.")


def test_an_edit_shows_what_went_and_what_came_and_counts_words(words):
    for old, text, shown in CASES["edited"]:
        assert marked(words("edit", old, text, "en"), gone="-{}-", new="+{}+") == shown
    for language, old, text, changed in CASES["distances"]:
        assert words("distance", old, text, language) == changed, (old, text)
