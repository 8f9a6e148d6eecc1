"""How likely people accept a word swap: what it depends on."""

import pytest

from generation.nlp import acceptance, vector_likeness
from generation.nlp.acceptance import Acceptance, Exchange
from generation.nlp.logistic import Logistic
from generation.nlp.phrases import Kind
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tries import Reason
from generation.nlp.word_swap import swaps
from tests.generation.nlp.toy import Bigrams, tagged, tokens_and_phrases

TWO_PAIRS = "Rome/NNP beats/VBZ Paris/NNP and/CC cats/NNS see/VBP dogs/NNS ./."
ROME_PARIS, CATS_DOGS = "Paris beats Rome and cats see dogs.", "Rome beats Paris and dogs see cats."


def features(text, one, other, *entities, loss=1.0):
    tokens, found = tokens_and_phrases(text, *entities)
    words = [token.text for token in tokens]
    by_word = {words[phrase.start]: phrase for phrase in found}
    exchange = Exchange(tokens, words, by_word[one], by_word[other], loss)
    return exchange.features(vector_likeness.load_embedded())


def test_an_exchange_is_known_by_its_kind_its_words_its_places_and_its_loss():
    people = [(0, 1, "PERSON", 1.0), (2, 3, "PERSON", 1.0)]
    found = features("Ann/NNP met/VBD Mary/NNP of/IN York/NNP ./.", "Ann", "Mary", *people, loss=99)
    assert found["loss"] == acceptance.MOST_LOSS
    assert (found["is_name"], found["people"]) == (1.0, 2)
    linked = features("the/DT city/NN of/IN the/DT river/NN ./.", "city", "river")
    joined = features("her/PRP$ sons/NNS and/CC daughters/NNS ran/VBD ./.", "sons", "daughters")
    assert (linked["linked"], linked["joined"], linked["of_after"]) == (True, False, 1)
    assert (joined["linked"], joined["joined"], joined["pronoun"]) == (False, True, True)
    assert joined["alike_noun"] > linked["alike_noun"]
    adjectives = features("old/JJ men/NNS met/VBD young/JJ women/NNS ./.", "old", "young")
    assert adjectives["alike_nouns"] > 0.5
    assert adjectives["same_tag_after"]


def test_the_rewrite_that_people_likeliest_accept_is_best_and_none_below_the_minimum_is_taken():
    likes = {"dogs see": -4.0}  # so that the nouns' exchange is likelier than the names'

    def outcome(weights, **settings):
        fitted = Acceptance(constant=0.0, weights=weights, judged={})
        chosen = WordSwapSettings(likeness=-1.0, **settings)
        likeness = vector_likeness.load_embedded()
        return next(swaps([tagged(TWO_PAIRS)], Bigrams(likes), chosen, likeness, fitted))

    names = {"is_name": 2.0, "is_noun": -2.0}
    assert outcome(names, acceptance=0.0).rewrites[0].text == CATS_DOGS
    best = outcome(names, acceptance=0.5).rewrites[0]
    assert (best.text, round(best.probability, 2), best.alternatives) == (ROME_PARIS, 0.88, ())
    both = outcome(names, acceptance=0.1).rewrites[0]
    assert (both.text, [other.text for other in both.alternatives]) == (ROME_PARIS, [CATS_DOGS])
    refusal = outcome(names, acceptance=0.9)
    assert (refusal.name, refusal.rewrites) == (Reason.ODD, ())
    assert (refusal.refused.text, round(refusal.refused.probability, 2)) == (ROME_PARIS, 0.88)


def test_a_recalibrated_estimate_is_stored_and_compared_with_the_minimum():
    fitted = Acceptance(constant=0.0, weights={"is_name": 2.0}, judged={})  # estimates 0.88
    likeness = vector_likeness.load_embedded()

    def outcome(shift, acceptance=0.6):
        settings = WordSwapSettings(
            likeness=-1.0, movable=(Kind.NAME,), acceptance=acceptance, estimate_shift=shift
        )
        return next(swaps([tagged(TWO_PAIRS)], Bigrams(), settings, likeness, fitted))

    assert round(outcome(-1.0).rewrites[0].probability, 2) == 0.73
    assert round(outcome(-2.0).refused.probability, 2) == 0.5
    refusal = outcome(5.0, acceptance=0.9)  # no correction covers what was refused before
    assert (refusal.name, round(refusal.refused.probability, 2)) == (Reason.ODD, 1.0)


@pytest.mark.parametrize("bond", ["respectively/RB", "in/IN that/DT order/NN"])
def test_lists_whose_order_has_a_meaning_are_no_lists_of_free_order(bond):
    free = "Kim/NNP and/CC Park/NNP won/VBD gold/NN and/CC silver/NN ./."
    names = WordSwapSettings(likeness=-1.0, movable=(Kind.NAME,), list_pruning_keep=1.0)
    likeness = vector_likeness.load_embedded()
    fitted = Acceptance(constant=3.0, weights={}, judged={})
    means_the_same = Logistic(-3.0, {"list": 6.0})

    def paraphrase(text):
        (outcome,) = swaps([tagged(text)], Bigrams(), names, likeness, fitted, means_the_same)
        return outcome.rewrites[0].paraphrase

    bound = free.replace("./.", f"{bond} ./.")
    assert paraphrase(free) > 0.9 > 0.1 > paraphrase(bound)


def test_where_nothing_is_estimated_the_likeliest_rewrite_is_the_refused_one():
    nouns = WordSwapSettings(likeness=-1.0, movable=(Kind.NOUN,))
    outcome = next(swaps([tagged(TWO_PAIRS)], Bigrams({"dogs see": -30.0}), nouns))
    assert (outcome.name, outcome.refused.text) == (Reason.BELOW_THRESHOLD, CATS_DOGS)
    assert outcome.refused.probability is None


def test_a_question_has_a_minimum_of_its_own():
    settings = WordSwapSettings(acceptance=0.55, acceptance_of_questions=0.6)
    assert settings.least_acceptance("Can a bad person become good?") == 0.6
    assert settings.least_acceptance("A bad person became good.") == 0.55


def test_a_second_model_raises_or_lowers_the_probability():
    shipped = acceptance.load_embedded()
    judged = [shipped.judged_probability(0.6, loss) for loss in (-5.0, 5.0, 20.0, 30.0, 99.0)]
    assert judged[0] > 0.6 > judged[2] > judged[3] == judged[4]
