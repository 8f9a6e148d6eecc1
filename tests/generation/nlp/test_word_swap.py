"""Word swapping with a bigram model."""

import json

import pytest
from hypothesis import given

from generation.nlp import measures
from generation.nlp.kinds import Kind
from generation.nlp.word_swap import Reason, Swap, WordSwapper, WordSwapSettings, swap
from tests.generation.nlp import toy
from tests.generation.nlp.toy import Bigrams, tagged

BAD = "Can/MD a/DT bad/JJ person/NN like/VB good/JJ people/NNS ?/."
FLIGHTS = "Flights/NNS leave/VBP Florida/NNP for/IN Texas/NNP ./."
LIST = "We/PRP like/VBP Ann/NNP and/CC Bob/NNP ./."


def outcome(text, known=(), **settings):
    return swap(tagged(text), Bigrams(known), WordSwapSettings(**settings))


def test_the_swaps_of_the_papers_examples():
    found = outcome(BAD)
    assert (found.text, found.kind) == ("Can a good person like bad people?", Kind.ADJECTIVE)
    assert found.log_likelihood == found.source_log_likelihood == -45.0
    found = outcome(FLIGHTS)
    assert (found.text, found.kind) == ("Flights leave Texas for Florida.", Kind.NAME)
    text = "A/DT bad/JJ person/NN in/IN Rome/NNP likes/VBZ good/JJ people/NNS from/IN Spain/NNP ./."
    likes = {"good person": -1, "bad people": -1, "in spain": -1, "from rome": -1}
    found = outcome(text, likes, max_changes=4)
    mixed = "A good person in Spain likes bad people from Rome."
    assert (found.text, found.kind) == (mixed, Kind.MIXED)


def test_a_swap_may_lose_as_much_as_the_threshold_and_in_no_stretch_more_than_the_largest_fall():
    for loss, accepted in ((3.0, True), (3.1, False)):
        found = outcome(BAD, {"a bad": -5 + loss / 2, "like good": -5 + loss / 2})
        assert isinstance(found, Swap) if accepted else found is Reason.BELOW_THRESHOLD, loss
    # It gains in one place what it loses in another.
    likes = {"a bad": -1, "like bad": -1}
    assert outcome(BAD, likes, largest_fall=3) is Reason.UNEVEN
    assert isinstance(outcome(BAD, likes, largest_fall=4), Swap)


def test_a_sentence_that_gives_nothing_says_why():
    for text, reason in (
        ("Ann/NNP met/VBD Bob/NNP ./.", Reason.TOO_SHORT),
        ("Ann/NNP met/VBD Bob/NNP " + "again/RB " * 58, Reason.TOO_LONG),
        ("We/PRP met/VBD Ann/NNP once/RB ./.", Reason.NOTHING_TO_SWAP),
        ("The/DT low/JJ road/NN meets/VBZ national/JJ low/NN ./.", Reason.DOUBLED_WORD),
    ):
        assert outcome(text) is reason
    longest = "Ann/NNP met/VBD Bob/NNP now/RB ./. " + "again/RB " * 55
    assert isinstance(outcome(longest), Swap)
    assert isinstance(outcome("Ann/NNP met/VBD Bob/NNP now/RB ./."), Swap)


def test_list_permutations_are_pruned_but_for_the_share_that_the_seed_draws():
    assert outcome(LIST, list_pruning_keep=0.0) is Reason.LIST_PERMUTATION
    assert isinstance(outcome(LIST, list_pruning_keep=1.0), Swap)
    kept = [isinstance(outcome(LIST, list_pruning_keep=0.3, seed=s), Swap) for s in range(200)]
    assert 30 <= sum(kept) <= 90
    # The next best rewrite replaces one that is pruned.
    text = "Ann/NNP and/CC Bob/NNP like/VBP Cy/NNP ./."
    found = outcome(text, {"<s> bob": -3}, list_pruning_keep=0.0)
    assert "Bob and Ann like Cy." not in (found.text, *(a.text for a in found.alternatives))


def test_the_best_few_alternatives_are_kept_best_first():
    text = "Ann/NNP met/VBD Bob/NNP before/IN Cy/NNP met/VBD Di/NNP ./."
    found = outcome(text, {"met cy": -2, "before bob": -3}, keep_alternatives=4)
    scores = [found.log_likelihood, *(other.log_likelihood for other in found.alternatives)]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)


class OneTagger:
    """Tags every text by the text of this name."""

    texts = {"bad": BAD, "short": "Ann/NNP ran/VBD", "flights": FLIGHTS}

    def tag(self, texts):
        return (tagged(self.texts[text]) for text in texts)


def test_a_word_swapper_gives_one_outcome_for_each_text_in_order():
    names = ["short", "bad", "short", "flights", "short"]
    found = list(WordSwapper(OneTagger(), Bigrams()).outcomes(names))
    assert found == [outcome(OneTagger.texts[name]) for name in names]


@given(toy.sentences)
def test_every_rewrite_has_the_words_of_its_source_in_another_order(text):
    found = outcome(text, list_pruning_keep=1.0)
    rewrites = (
        [] if isinstance(found, Reason) else [found.text, *(a.text for a in found.alternatives)]
    )
    for rewrite in rewrites:
        source, words = map(measures.words, (tagged(text).text, rewrite))
        assert measures.bow_similarity(source, words) == 1.0
        assert measures.inversion_rate(source, words) > 0


def test_settings_survive_json_and_refuse_what_is_unknown_or_out_of_bounds():
    settings = WordSwapSettings(movable=(Kind.NOUN,), beam=7, threshold=2, seed=5)
    assert WordSwapSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert WordSwapSettings.from_dict({}) == WordSwapSettings()
    for name, value in (
        *(("beams", 5), ("beam", "5"), ("beam", True), ("beam", 0), ("threshold", float("nan"))),
        *(("entity_probability", 1.5), ("fix_quotes", 1), ("movable", "name")),
        *(("movable", ["mixed"]), ("movable", ["proverb"])),
    ):
        with pytest.raises(ValueError, match=name):
            WordSwapSettings.from_dict({name: value})
