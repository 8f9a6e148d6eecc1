import pytest

from generation.nlp.back_translation import (
    BackTranslator,
    Kind,
    Outcome,
    Reason,
    RoundTrip,
    round_trips,
)
from generation.nlp.back_translation_settings import BackTranslationSettings
from generation.nlp.translation import Translation, Translator
from tests.generation.nlp.toy_translators import Marked, Phrasebook, Unmarked

SOURCE = "In 1953 the team also toured in Australia."
REORDERED = "The team also toured in Australia in 1953."
REWORDED = "In 1953 the squad also toured in Australia."
UNLIKE = "The team went to Australia."


def there(*pivots: str) -> Phrasebook:
    """Translates the source into these, each a nat less likely than the one before."""
    return Phrasebook({SOURCE: [(pivot, -1.0 - n) for n, pivot in enumerate(pivots)]})


def back(**texts: list[str]) -> Phrasebook:
    """Translates each pivot into its texts, each a nat less likely than the one before."""
    known = {
        pivot: [(text, -1.0 - n) for n, text in enumerate(some)] for pivot, some in texts.items()
    }
    return Phrasebook(known)


def outcome(*rewrites: str, **settings: float) -> Outcome:
    """What becomes of the source when these come back."""
    return outcomes([SOURCE], there("x"), back(x=list(rewrites)), **settings)[0]


def outcomes(
    texts: list[str], forward: Translator, backward: Translator, **settings: float
) -> list[Outcome]:
    return BackTranslator(forward, backward, BackTranslationSettings(**settings)).outcomes(texts)


def texts(found: Outcome) -> list[str]:
    assert not isinstance(found, Reason)
    return [rewrite.trip.text for rewrite in found]


def test_every_way_is_walked_and_the_likeliest_way_to_a_text_counts() -> None:
    forth = (Translation("x", -1.0), Translation("y", -2.0))
    home = {
        "x": (Translation("One.", -5.0), Translation("Two.", -6.0)),
        "y": (Translation("Two.", -1.0), Translation("Three.", -9.0)),
    }
    assert round_trips(forth, home) == (
        RoundTrip("Two.", -3.0, "y"),
        RoundTrip("One.", -6.0, "x"),
        RoundTrip("Three.", -11.0, "y"),
    )


def test_texts_that_differ_in_case_or_spaces_only_are_one() -> None:
    home = {"x": (Translation("the team  toured .", -1.0), Translation("The team toured.", -2.0))}
    (trip,) = round_trips((Translation("x", 0.0),), home)
    assert trip.text == "the team  toured ."


@pytest.mark.parametrize("text", ["", "  ", "a\tb", "a\0b", "a\nb"])
def test_what_cannot_be_a_sentence_does_not_come_back(text: str) -> None:
    assert round_trips((Translation("x", 0.0),), {"x": (Translation(text, 0.0),)}) == ()


def test_five_times_five_ways_are_asked_for() -> None:
    forward, backward = there(*"abcdefg"), back(**{pivot: [pivot] for pivot in "abcdefg"})
    outcomes([SOURCE], forward, backward)
    assert (forward.asked, backward.asked) == ([SOURCE], list("abcde"))


def test_a_pivot_that_several_sentences_share_is_translated_once() -> None:
    forward = Phrasebook({"One.": [("x", 0.0)], "Two.": [("x", 0.0), ("y", 0.0)]})
    backward = back()
    outcomes(["One.", "Two.", "One."], forward, backward)
    assert forward.asked == ["One.", "Two."]
    assert backward.asked == ["x", "y"]


def test_rewrites_come_likeliest_first_with_their_kind() -> None:
    found = outcome(SOURCE, REWORDED, REORDERED, UNLIKE, min_similarity=0.8)
    assert not isinstance(found, Reason)
    assert [(rewrite.trip.text, rewrite.kind) for rewrite in found] == [
        (REWORDED, Kind.WORD_CHOICE),
        (REORDERED, Kind.WORD_ORDER),
    ]
    assert [rewrite.trip.score for rewrite in found] == [-3.0, -4.0]


@pytest.mark.parametrize(
    ("rewrites", "settings", "reason"),
    [
        ([], {}, Reason.NO_TRANSLATION),
        ([SOURCE, SOURCE.lower()], {}, Reason.ONLY_IDENTICAL),
        ([SOURCE, UNLIKE], {}, Reason.BELOW_SIMILARITY),
        ([REWORDED], {"min_similarity": 0.8}, Reason.NOT_DRAWN),
        ([REORDERED], {"max_tokens": 8}, Reason.TOO_LONG),
    ],
)
def test_a_sentence_that_gives_nothing_says_why(
    rewrites: list[str], settings: dict[str, float], reason: Reason
) -> None:
    assert outcome(*rewrites, **settings) is reason


def test_a_sentence_may_be_as_long_as_the_bound() -> None:
    assert texts(outcome(REORDERED, max_tokens=9)) == [REORDERED]


def test_only_the_likeliest_rewrites_of_a_sentence_are_kept() -> None:
    other = "Also in 1953 the team toured in Australia."
    assert texts(outcome(REORDERED, other, max_rewrites=1)) == [REORDERED]


def test_rewrites_of_one_sentence_let_those_of_another_be_drawn() -> None:
    second = "The red dog saw the big cat on an old wall."
    reworded = "The red dog saw the big cat on an old fence."
    forward = Phrasebook({SOURCE: [("x", 0.0)], second: [("y", 0.0)]})
    backward = back(x=[REORDERED], y=[reworded])
    assert list(map(texts, outcomes([SOURCE, second], forward, backward))) == [
        [REORDERED],
        [reworded],
    ]
    assert outcomes([second], forward, backward) == [Reason.NOT_DRAWN]


def test_the_order_of_sentences_has_no_effect() -> None:
    sources = [f"w{n} the old team toured in the far north again in {n}." for n in range(20)]
    found = outcomes(sources, Marked(), Unmarked())
    turned = outcomes(sources[::-1], Marked(), Unmarked())
    assert turned[::-1] == found
    kinds = [rewrite.kind for some in found if not isinstance(some, Reason) for rewrite in some]
    assert kinds.count(Kind.WORD_ORDER) == kinds.count(Kind.WORD_CHOICE) > 0


def test_equal_sentences_have_equal_outcomes() -> None:
    first, second = outcomes([SOURCE, SOURCE], there("x"), back(x=[REORDERED]))
    assert first == second


def test_no_sentences_give_nothing() -> None:
    assert outcomes([], there(), back()) == []
