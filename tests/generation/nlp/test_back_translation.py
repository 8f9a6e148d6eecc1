"""Back translation with translators that know a few texts, and which pairs are worth judging."""

from collections import Counter
from itertools import chain
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.back_translation import (
    BackTranslationSettings,
    BackTranslator,
    Kind,
    Reason,
    Translation,
    round_trips,
)
from generation.nlp.measures import PairFilter, Verdict
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.text import pair_key
from tests.generation.nlp.toy_translators import Fragile, Marked, Phrasebook, Unmarked

SOURCE = "In 1953 the team also toured in Australia."
REORDERED = "The team also toured in Australia in 1953."
REWORDED = "In 1953 the squad also toured in Australia."
UNLIKE = "The team went to Australia."
NINE = "a b c d e f g h i"
MOVED = [(f"a b {n}", f"b a {n}") for n in range(6)]
CHANGED = [(f"{NINE} x{n}", f"{NINE} y{n}") for n in range(40)]  # a similarity of 0.9


def outcomes(texts, forward, backward, **settings):
    """The rewrites of each text, or the reason why there are none."""
    translator = BackTranslator(forward, backward, BackTranslationSettings(**settings))
    return [each.rewrites or Reason(each.name) for each in translator.outcomes(texts)]


def outcome(*rewrites, **settings):
    ways = Phrasebook({SOURCE: "x"}), Phrasebook({"x": rewrites})
    return outcomes([SOURCE], *ways, **settings)[0]


def texts(found):
    return [rewrite.text for rewrite in found]


def test_every_way_is_tried_and_the_likeliest_way_to_a_text_counts():
    forth = (Translation("x", -1.0), Translation("y", -2.0))
    home = {"x": (Translation("One.", -5.0), Translation("Two.", -6.0))}
    home |= {"y": (Translation("Two.", -1.0), Translation("Three.", -9.0))}
    trips = [("Two.", -3.0), ("One.", -6.0), ("Three.", -11.0)]
    assert list(round_trips(forth, home)) == [Translation(*trip) for trip in trips]
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
    assert [(some.text, some.score, some.kind) for some in found] == expected
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


@pytest.mark.parametrize(
    ("source", "rewrite", "language", "expected"),
    [
        ("Ada met Bo in Rome.", "Ada met Bo in Roma.", "en", Reason.NAME_LOST),
        ("Ada met Bo in Rome.", "In Rome Ada met Bo.", "en", None),
        ("Ada met 12 men.", "Ada met twelve men.", "en", Reason.NAME_LOST),
        ("Zoë met a man.", "Zoe met a man.", "en", Reason.NAME_LOST),
        ("ITU is in Rome.", "UIT is in Rome.", "en", Reason.NAME_LOST),
        ("She met Bo and Bo.", "She met Bo and him.", "en", Reason.NAME_LOST),
        ("Old men met there, too.", "Old men met there too!", "en", Reason.MARKS_ONLY),
        ("Old men met there.", "Men met there old.", "en", None),
        ("Da sah Ada das Haus.", "Da sah Ada das Heim.", "de", None),
        ("Da sah Ada 2 Häuser.", "Da sah Ada zwei Häuser.", "de", Reason.NAME_LOST),
        ("Elle a vu l’été.", "Elle a vu le printemps.", "fr", None),
        ("她见过一个人。", "她见到一个人。", "zh", None),
    ],
)
def test_names_stay_where_the_rule_is_on(source, rewrite, language, expected):
    ways = Phrasebook({source: "x"}), Phrasebook({"x": [rewrite]})
    for strict in (True, False):
        own = BackTranslationSettings(strict=strict, min_similarity=0.0, reordered_share=0.0)
        [found] = BackTranslator(*ways, own, language).outcomes([source])
        assert found.name == ((strict and expected) or ACCEPTED)


def test_a_rewrite_that_loses_a_name_leaves_the_others():
    lost = REORDERED.replace("Australia", "Austria")
    found = outcome(lost, REORDERED, min_similarity=0.8)
    assert texts(found) == [REORDERED]
    assert outcome(lost, min_similarity=0.8) is Reason.NAME_LOST


def test_round_trips_without_a_score_come_last():
    forth = (Translation("x"), Translation("y", -1.0))
    home = {"x": (Translation("One."), Translation("Also one.")), "y": (Translation("Two.", -1.0),)}
    assert [trip.text for trip in round_trips(forth, home)] == ["Two.", "Also one.", "One."]


def test_the_order_of_sentences_has_no_effect():
    sources = [f"w{n} the old team toured in the far north again in {n}." for n in range(20)]
    found = outcomes(sources, Marked(), Unmarked())
    assert outcomes(sources[::-1], Marked(), Unmarked())[::-1] == found
    # Rewrites of one sentence let those of another be drawn.
    assert outcome(REWORDED, min_similarity=0.8) is Reason.NOT_DRAWN
    kinds = [rewrite.kind for some in found if not isinstance(some, Reason) for rewrite in some]
    assert kinds.count(Kind.WORD_ORDER) == kinds.count(Kind.WORD_CHOICE) > 0


sentences = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(" ".join)
pairs = st.lists(st.tuples(sentences, sentences), max_size=30)
pair_filters = st.builds(
    PairFilter,
    min_similarity=st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    reordered_above=st.sampled_from([0.0, 0.02, 0.3]),
    reordered_share=st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
    seed=st.integers(0, 2**63 - 1),
)


def kept(rule, some):
    verdicts = zip(some, rule.verdicts(some), strict=True)
    return {pair for pair, verdict in verdicts if verdict is Verdict.KEPT}


def test_pairs_are_alike_from_a_similarity_on_and_reordered_above_an_inversion_rate():
    for similarity, verdict in ((0.9, Verdict.KEPT), (0.91, Verdict.BELOW_SIMILARITY)):
        rule = PairFilter(min_similarity=similarity, reordered_share=0)
        assert rule.verdicts(CHANGED[:1]) == [verdict]
    assert PairFilter().verdicts([("a b c", "c b x")]) == [Verdict.BELOW_SIMILARITY]
    assert not PairFilter(reordered_above=1.0).is_reordered(("a b", "b a"))
    # The paper's bound is one inversion in fifty: one crossing of the 45 pairs of ten alignments
    # is 0.022, of the 55 pairs of eleven 0.018.
    ten = (f"{NINE} j", "b a c d e f g h i j")
    assert PairFilter().is_reordered(ten)
    assert not PairFilter().is_reordered((f"{ten[0]} k", f"{ten[1]} k"))


def test_all_reordered_pairs_are_kept_and_as_many_of_the_others_as_the_share_allows():
    for share, others in ((0.0, 30), (0.25, 18), (0.5, 6), (0.75, 2), (1.0, 0)):
        found = kept(PairFilter(reordered_share=share), CHANGED[:30] + MOVED)
        assert found >= set(MOVED), share
        assert len(found) == 6 + others, share
    paper = PairFilter(min_similarity=0.9, reordered_above=0.02, reordered_share=0.5, seed=0)
    assert PairFilter() == paper
    assert PairFilter().verdicts(CHANGED[:3]) == [Verdict.NOT_DRAWN] * 3
    filters = (PairFilter(seed=seed) for seed in range(200))  # The seed draws.
    drawn = Counter(chain.from_iterable(kept(rule, MOVED[:5] + CHANGED) for rule in filters))
    assert [drawn.pop(pair) for pair in MOVED[:5]] == [200] * 5
    assert set(drawn) == set(CHANGED)
    assert max(drawn.values()) < 60  # 25 are expected of each


def test_earlier_and_repeated_pairs_do_not_count_for_the_share():
    new, turned, earlier = MOVED[0], MOVED[0][::-1], MOVED[1]
    verdicts = PairFilter().verdicts([new, turned, earlier, *CHANGED], {pair_key(*earlier[::-1])})
    assert verdicts[:3] == [Verdict.KEPT] * 3
    assert verdicts[3:].count(Verdict.KEPT) == 1


@given(pair_filters, pairs, st.randoms(use_true_random=False))
def test_reordered_pairs_have_their_share_whatever_the_order_of_pairs(rule, some, random):
    found = kept(rule, some)
    assert kept(rule, random.sample(some, len(some))) == found
    many = sum(map(rule.is_reordered, found))
    assert many >= rule.reordered_share * len(found) - 1e-9
    left = {pair for pair in set(some) - found if rule.is_alike(pair)}
    assert not any(map(rule.is_reordered, left))
    if left:  # one more would have been too many
        assert len(found) - many == floor(many / rule.reordered_share - many + 1e-9)


def test_a_sentence_that_a_model_fails_on_fails_alone_unless_the_machine_failed():
    known, home = {SOURCE: "x", "Bad.": "y"}, Phrasebook({"x": [REORDERED]})
    forward = Fragile(known, "Bad.", IndexError("index out of range in self"))
    good, bad = outcomes([SOURCE, "Bad."], forward, home)
    assert (texts(good), bad) == ([REORDERED], Reason.FAILED)
    for sentences, error in (
        ([SOURCE, "Bad."], RuntimeError("CUDA out of memory")),
        (["Bad."], IndexError("index out of range in self")),
    ):
        with pytest.raises(type(error)):
            outcomes(sentences, Fragile(known, "Bad.", error), home)
