"""How two sentences differ, word by word, as the page's own script finds it."""

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page

SCRIPT = settings.BASE_DIR / "static/pawsmith/words.js"


@pytest.fixture
def words(page: Page) -> Page:
    """An empty page that knows nothing but the script."""
    page.add_script_tag(path=SCRIPT)
    return page


def compared(page: Page, one: str, other: str, language: str = "en") -> list[str]:
    """Both sentences, with square brackets around what differs."""
    sides = page.evaluate("texts => Words.compare(...texts)", [one, other, language])
    return ["".join(map(_bracketed, side)) for side in sides]


def edited(page: Page, old: str, text: str, language: str = "en") -> str:
    """What an edit did: -gone- and +new+ words among those that stayed."""
    pieces = page.evaluate("texts => Words.edit(...texts)", [old, text, language])
    return "".join(map(_signed, pieces))


def distance(page: Page, old: str, text: str, language: str = "en") -> Any:
    return page.evaluate("texts => Words.distance(...texts)", [old, text, language])


def _bracketed(piece: dict[str, str]) -> str:
    return piece["text"] if piece["kind"] == "same" else f"[{piece['text']}]"


def _signed(piece: dict[str, str]) -> str:
    sign = {"same": "", "gone": "-", "new": "+"}[piece["kind"]]
    return f"{sign}{piece['text']}{sign}"


def test_two_words_that_changed_places_are_marked_on_both_sides(words: Page) -> None:
    assert compared(words, "The old mill by the church.", "The old church by the mill.") == [
        "The old [mill] by the [church].",
        "The old [church] by the [mill].",
    ]


def test_what_keeps_its_place_between_two_that_change_theirs_is_not_marked(words: Page) -> None:
    assert compared(words, "Cats and dogs.", "Dogs and cats.") == [
        "[Cats] and [dogs].",
        "[Dogs] and [cats].",
    ]


def test_equal_sentences_bear_no_mark(words: Page) -> None:
    assert compared(words, "Rivers run.", "Rivers run.") == ["Rivers run.", "Rivers run."]


def test_neighbours_that_differ_are_one_mark(words: Page) -> None:
    assert compared(words, "A very old mill.", "A mill.") == ["A [very old] mill.", "A mill."]


def test_a_repeated_word_is_matched_once_for_each_time(words: Page) -> None:
    assert compared(words, "No no no.", "No no.") == ["No no [no].", "No no."]


def test_a_capital_that_only_begins_a_sentence_does_not_differ(words: Page) -> None:
    assert compared(words, "Today the dog barks.", "The dog barks today.") == [
        "[Today] the dog barks.",
        "The dog barks [today].",
    ]


def test_a_capital_within_a_sentence_differs(words: Page) -> None:
    assert compared(words, "We polish it.", "We Polish it.") == [
        "We [polish] it.",
        "We [Polish] it.",
    ]


def test_punctuation_is_marked_like_a_word(words: Page) -> None:
    assert compared(words, "Eat, Ada.", "Eat Ada!") == ["Eat[,] Ada[.]", "Eat Ada[!]"]


def test_an_apostrophe_does_not_cut_a_word(words: Page) -> None:
    assert compared(words, "It isn’t so.", "It is so.") == ["It [isn’t] so.", "It [is] so."]


def test_words_of_a_language_without_spaces_are_found(words: Page) -> None:
    assert compared(words, "猫は犬を見た。", "犬は猫を見た。", "ja") == [
        "[猫]は[犬]を見た。",
        "[犬]は[猫]を見た。",
    ]
    assert compared(words, "我喜欢北京。", "我喜欢上海。", "zh") == [
        "我喜欢[北京]。",
        "我喜欢[上海]。",
    ]


def test_words_written_from_right_to_left_are_found(words: Page) -> None:
    assert compared(words, "رأى الولد البنت.", "رأت البنت الولد.", "ar") == [
        "[رأى الولد] البنت.",
        "[رأت] البنت [الولد].",
    ]


@pytest.mark.parametrize("language", ["", "no such language", "x"])
def test_a_language_that_nobody_knows_is_no_hindrance(words: Page, language: str) -> None:
    assert compared(words, "One two.", "One three.", language)[0] == "One [two]."


def test_a_browser_that_knows_no_words_cuts_at_spaces(words: Page) -> None:
    words.evaluate("delete Intl.Segmenter")
    assert compared(words, "It isn’t so, Ada.", "It is so, Ada.") == [
        "It [isn’t] so, Ada.",
        "It [is] so, Ada.",
    ]


def test_composed_and_decomposed_letters_are_the_same(words: Page) -> None:
    assert compared(words, "Café.", "Cafe\u0301.") == ["Café.", "Café."]


def test_an_edit_shows_what_went_and_what_came(words: Page) -> None:
    assert edited(words, "He see the mills.", "He sees the old mills.") == (
        "He -see- +sees+ the +old+ mills."
    )
    assert edited(words, "A b c", "A b") == "A b -c-"
    assert edited(words, "", "New words") == "+New words+"
    assert edited(words, "Old words", "") == "-Old words-"


def test_an_edit_of_a_capital_is_an_edit(words: Page) -> None:
    assert edited(words, "the mill.", "The mill.") == "-the- +The+ mill."


@pytest.mark.parametrize(
    ("old", "text", "changed"),
    [
        ("A b c.", "A b c.", 0),
        ("A b c.", "A b c!", 0),
        ("A b c.", "A x c.", 1),
        ("A b c.", "A c.", 1),
        ("A b c.", "A b x c.", 1),
        ("A b c.", "C b a.", 2),
        ("A b c.", "", 3),
        ("", "A b c.", 3),
    ],
)
def test_distance_counts_words_put_in_left_out_or_replaced(
    words: Page, old: str, text: str, changed: int
) -> None:
    assert distance(words, old, text) == changed


def test_distance_counts_words_of_a_language_without_spaces(words: Page) -> None:
    assert distance(words, "我喜欢北京。", "我喜欢上海。", "zh") == 1


def test_long_texts_are_compared_while_one_writes(words: Page) -> None:
    old = " ".join(f"word{n % 97}" for n in range(1000))
    took = words.evaluate(
        "old => { const start = performance.now(); Words.edit(old, old.slice(5, -5) + 'x', 'en');"
        " return performance.now() - start; }",
        old,
    )
    assert took < 1000
