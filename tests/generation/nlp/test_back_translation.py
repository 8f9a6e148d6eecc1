"""Back translation with translators that know a few texts."""

import pytest

from generation.nlp.back_translation import BackTranslator, Kind, Reason, RoundTrip, round_trips
from generation.nlp.back_translation_settings import BackTranslationSettings
from generation.nlp.pair_filter import PairFilter
from generation.nlp.translation import Translation
from tests.generation.nlp.toy_translators import Marked, Phrasebook, Unmarked

SOURCE = "In 1953 the team also toured in Australia."
REORDERED = "The team also toured in Australia in 1953."
REWORDED = "In 1953 the squad also toured in Australia."
UNLIKE = "The team went to Australia."


def outcomes(texts, forward, backward, **settings):
    return BackTranslator(forward, backward, BackTranslationSettings(**settings)).outcomes(texts)


def outcome(*rewrites, **settings):
    """What becomes of the source when these come back."""
    ways = Phrasebook({SOURCE: "x"}), Phrasebook({"x": rewrites})
    return outcomes([SOURCE], *ways, **settings)[0]


def texts(found):
    return [rewrite.trip.text for rewrite in found]


def test_every_way_is_tried_and_the_likeliest_way_to_a_text_counts():
    forth = (Translation("x", -1.0), Translation("y", -2.0))
    home = {"x": (Translation("One.", -5.0), Translation("Two.", -6.0))}
    home |= {"y": (Translation("Two.", -1.0), Translation("Three.", -9.0))}
    trips = [("Two.", -3.0, "y"), ("One.", -6.0, "x"), ("Three.", -11.0, "y")]
    assert list(round_trips(forth, home)) == [RoundTrip(*trip) for trip in trips]
    # What differs in case or spaces only is one text, and what is no sentence is none.
    home = (Translation("the team  toured .", -1.0), Translation("The team toured.", -2.0))
    home += tuple(Translation(text, 0.0) for text in ("", "  ", "a\tb", "a\0b", "a\nb"))
    assert [trip.text for trip in round_trips(forth[:1], {"x": home})] == ["the team  toured ."]


def test_five_times_five_ways_are_asked_for_and_each_text_once():
    for sources, known, asked in (
        ([SOURCE], {SOURCE: "abcdefg"}, "abcde"),
        (["One.", "Two.", "One."], {"One.": "x", "Two.": "xy"}, "xy"),
    ):
        forward, backward = Phrasebook(known), Phrasebook({})
        outcomes(sources, forward, backward)
        assert (forward.asked, backward.asked) == ([*known], [*asked])
    assert outcomes([], forward, backward) == []


def test_rewrites_come_likeliest_first_with_their_kind():
    found = outcome(SOURCE, REWORDED, REORDERED, UNLIKE, min_similarity=0.8)
    expected = [(REWORDED, -3.0, Kind.WORD_CHOICE), (REORDERED, -4.0, Kind.WORD_ORDER)]
    assert [(some.trip.text, some.trip.score, some.kind) for some in found] == expected
    other = "Also in 1953 the team toured in Australia."
    assert texts(outcome(REORDERED, other, max_rewrites=1)) == [REORDERED]


def test_a_sentence_that_gives_nothing_says_why():
    for rewrites, settings, reason in (
        ([], {}, Reason.NO_TRANSLATION),
        ([SOURCE, SOURCE.lower()], {}, Reason.ONLY_IDENTICAL),
        ([SOURCE, UNLIKE], {}, Reason.BELOW_SIMILARITY),
        ([REWORDED], {"min_similarity": 0.8}, Reason.NOT_DRAWN),
        ([REORDERED], {"max_tokens": 8}, Reason.TOO_LONG),
    ):
        assert outcome(*rewrites, **settings) is reason
    assert texts(outcome(REORDERED, max_tokens=9)) == [REORDERED]


def test_the_order_of_sentences_has_no_effect():
    sources = [f"w{n} the old team toured in the far north again in {n}." for n in range(20)]
    found = outcomes(sources, Marked(), Unmarked())
    assert outcomes(sources[::-1], Marked(), Unmarked())[::-1] == found
    # Rewrites of one sentence let those of another be drawn.
    assert outcome(REWORDED, min_similarity=0.8) is Reason.NOT_DRAWN
    kinds = [rewrite.kind for some in found if not isinstance(some, Reason) for rewrite in some]
    assert kinds.count(Kind.WORD_ORDER) == kinds.count(Kind.WORD_CHOICE) > 0


def test_settings_have_the_papers_defaults_and_refuse_what_is_unknown_or_out_of_bounds():
    settings = BackTranslationSettings()
    assert (settings.k, settings.filter) == (5, PairFilter())
    settings = BackTranslationSettings(k=3, reordered_share=0.25, seed=9)
    assert BackTranslationSettings.from_dict(settings.to_dict()) == settings
    for name, value in (
        *(("pivot", "de"), ("k", 0), ("k", 2.5), ("k", True), ("min_similarity", "high")),
        *(("min_similarity", 1.5), ("reordered_share", -0.1), ("max_tokens", 10**6)),
    ):
        with pytest.raises(ValueError, match=name):
            BackTranslationSettings.from_dict({name: value})
