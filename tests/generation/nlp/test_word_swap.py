"""Templates of sentences, their fillers as text, word swapping, and which swaps are no use."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import measures
from generation.nlp.list_permutations import is_list_permutation, only_seems_a_list
from generation.nlp.phrases import MOVABLE, Kind
from generation.nlp.rewrites import ACCEPTED, Rewrite
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tries import Reason, largest_fall, repeats_a_word
from generation.nlp.word_swap import WordSwapper, swaps
from tests.generation.nlp import toy
from tests.generation.nlp.toy import Bigrams, tagged

BAD = "Can/MD a/DT bad/JJ person/NN like/VB good/JJ people/NNS ?/."
FLIGHTS = "Flights/NNS leave/VBP Florida/NNP for/IN Texas/NNP ./."
LISTS = WordSwapSettings(movable=(Kind.NAME, Kind.ADJECTIVE))
SEPARATORS = ", ; / & and or nor but versus vs. v."
LIST = "We/PRP like/VBP Ann/NNP and/CC Bob/NNP ./."
PARIS = "Paris/NNP is/VBZ older/JJR than/IN the/DT towns/NNS that/WDT Rome/NNP built/VBD ./."
WORDS = ["Big/JJ", "big/JJ", "old/JJ", "Ann/NNP", "Rome/NNP", "cats/NNS", "a/DT"]
WORDS += ["and/CC", ",/,", "1947/CD", "5/CD", "met/VBD", "“/``", "(/-LRB-", "iPods/NNS"]


def build(text, *entities, **settings):
    return toy.template(tagged(text, *entities), WordSwapSettings(**settings))


def swapped(template):
    one, other, *_ = (n for n, slot in enumerate(template.slots) if len(slot.choices) > 1)
    filling = list(template.source)
    filling[one], filling[other] = filling[other], filling[one]
    return template.text(filling)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join), st.randoms())
def test_a_template_gives_its_sentence_back_and_the_pieces_of_a_filling_its_text(text, random):
    template = build(text, movable=MOVABLE, fix_quotes=False, fix_brackets=False)
    assert template.text(template.source) == tagged(text).text
    assert all(slot.source in slot.choices for slot in template.slots)
    filling = [random.choice(slot.choices) for slot in template.slots]
    texts = [texts[number] for texts, number in zip(template.filler_texts(), filling, strict=True)]
    assert "".join(texts) == template.text(filling)


def test_words_in_quotation_marks_and_brackets_stay_unless_they_are_set_free():
    for text, setting in (
        ("The/DT big/JJ cat/NN (/-LRB- a/DT small/JJ one/NN )/-RRB- ran/VBD ./.", "fix_brackets"),
        ("“/`` The/DT big/JJ cat/NN ”/'' saw/VBD a/DT small/JJ dog/NN ./.", "fix_quotes"),
    ):
        assert not build(text).has_choice
        template = build(text, **{setting: False})
        assert template.has_choice
        assert template.text(template.source) == tagged(text).text


def test_a_name_with_a_doubled_space_stays():
    words = tagged("New/NNP York/NNP saw/VBD Los/NNP Angeles/NNP ./.")
    for space, has_choice in ((" ", True), ("\u00a0", True), ("  ", False)):
        first = replace(words.tokens[0], space=space)
        spaced = replace(words, tokens=(first, *words.tokens[1:]))
        template = toy.template(spaced, WordSwapSettings())
        assert template.has_choice is has_choice
        assert template.text(template.source) == f"New{space}York saw Los Angeles."


def test_a_phrase_that_may_move_has_a_slot_and_a_run_of_other_words_has_one():
    # Words that differ by capitals alone cannot stand for each other: the second one stays.
    pods = "iPods/NNS met/VBD ipods/NNS and/CC old/JJ cats/NNS ./."
    for text, kind in ((PARIS, Kind.NAME), (pods, Kind.NOUN)):
        assert [slot.kind for slot in build(text).slots] == [kind, Kind.OTHER] * 2
    assert not build(PARIS, movable=(Kind.ADJECTIVE,)).has_choice
    # A word does not go where the article forbids it; equal words are one whatever their case.
    template = build("An/DT old/JJ man/NN met/VBD young/JJ men/NNS ./.")
    assert [slot.kind for slot in template.slots] == [Kind.OTHER, Kind.ADJECTIVE, Kind.OTHER]
    assert not build("Bad/JJ men/NNS met/VBD bad/JJ men/NNS ./.").has_choice


def test_capitals_and_spaces_belong_to_places_but_names_and_phrases_keep_theirs():
    coined = "Greenian/JJ men/NNS met/VBD good/JJ men/NNS ./."  # known as a name
    york = "In/IN Rome/NNP ,/, she/PRP missed/VBD New/NNP York/NNP ./."
    for text, entities, expected in (
        ("Bad/JJ men/NNS met/VBD good/JJ men/NNS ./.", [], "Good men met bad men."),
        ("Greek/JJ men/NNS met/VBD good/JJ men/NNS ./.", [], "Good men met Greek men."),
        (PARIS, [], "Rome is older than the towns that Paris built."),
        (coined, [(0, 1, "MISC", 0.5)], "Good men met Greenian men."),
        (york, [(1, 2, "LOC", 0.99), (5, 7, "LOC", 0.99)], "In New York, she missed Rome."),
    ):
        assert swapped(build(text, *entities)) == expected


def test_a_piece_has_the_space_before_it_and_the_first_word_its_capital():
    template = build("Bad/JJ people/NNS like/VBP ugly/JJ people/NNS ./.")
    texts = [list(slot.values()) for slot in template.filler_texts()]
    assert texts == [["Bad", "Ugly"], [" people like"], [" bad", " ugly"], [" people."]]
    # A quotation mark is no first word.
    words, choices = ["“", "bad", "ugly", "and"], [[0], [1, 2], [3], [1, 2]]
    found = toy.puzzle(words, choices, [0, 1, 3, 2], capital=True).template.filler_texts()
    assert (found[1], found[3]) == ({1: " Bad", 2: " Ugly"}, {1: " bad", 2: " ugly"})
    for capital, first in ((True, "Cats"), (False, "cats")):
        sleep = toy.puzzle(["cats", "sleep"], [[0], [1]], [0, 1], capital=capital)
        assert sleep.template.filler_texts()[0] == {0: first}


def outcome(text, known=(), **settings):
    return best(next(swaps([tagged(text)], Bigrams(known), WordSwapSettings(**settings))))


def best(outcome):
    """The rewrite of a sentence, or the reason why there is none."""
    return outcome.rewrites[0] if outcome.rewrites else Reason(outcome.name)


def test_the_swaps_of_the_papers_examples():
    found = outcome(BAD)
    assert (found.text, found.kind) == ("Can a good person like bad people?", Kind.ADJECTIVE)
    assert found.score == found.source_score == -45.0
    found = outcome(FLIGHTS)
    assert (found.text, found.kind) == ("Flights leave Texas for Florida.", Kind.NAME)
    found = outcome("Can/MD a/DT bad/JJ person/NN become/VB good/JJ ?/.")
    assert (found.text, found.kind) == ("Can a good person become bad?", Kind.ADJECTIVE)
    text = "A/DT bad/JJ person/NN in/IN Rome/NNP likes/VBZ good/JJ people/NNS from/IN Spain/NNP ./."
    likes = {"good person": -1, "bad people": -1, "in spain": -1, "from rome": -1}
    found = outcome(text, likes, max_changes=4)
    mixed = "A good person in Spain likes bad people from Rome."
    assert (found.text, found.kind) == (mixed, Kind.MIXED)


def test_a_swap_may_lose_as_much_as_the_threshold_and_in_no_stretch_more_than_the_largest_fall():
    for loss, accepted in ((3.0, True), (3.1, False)):
        likes = {"a bad": -5 + loss / 2, "like good": -5 + loss / 2}
        found = outcome(BAD, likes, threshold=3.0)
        assert isinstance(found, Rewrite) if accepted else found is Reason.BELOW_THRESHOLD, loss
    # It gains in one place what it loses in another.
    likes = {"a bad": -1, "like bad": -1}
    assert outcome(BAD, likes, largest_fall=3) is Reason.UNEVEN
    assert isinstance(outcome(BAD, likes, largest_fall=4), Rewrite)


def test_a_sentence_that_gives_nothing_says_why():
    for text, reason in (
        ("Ann/NNP met/VBD Bob/NNP ./.", Reason.TOO_SHORT),
        ("Ann/NNP met/VBD Bob/NNP " + "again/RB " * 58, Reason.TOO_LONG),
        (f"Ann/NNP met/VBD Bob/NNP {'r' * 1200}/NN ./.", Reason.TOO_LONG),
        ("We/PRP met/VBD Ann/NNP once/RB ./.", Reason.NOTHING_TO_SWAP),
        ("The/DT low/JJ road/NN meets/VBZ national/JJ low/NN ./.", Reason.DOUBLED_WORD),
    ):
        assert outcome(text) is reason
    for longer in (0, 55):  # the shortest and the longest
        assert isinstance(
            outcome(f"Ann/NNP met/VBD Bob/NNP now/RB ./.{' again/RB' * longer}"), Rewrite
        )


def test_list_permutations_are_pruned_but_for_the_share_that_the_seed_draws():
    assert outcome(LIST, list_pruning_keep=0.0) is Reason.LIST_PERMUTATION
    assert isinstance(outcome(LIST, list_pruning_keep=1.0), Rewrite)
    kept = [isinstance(outcome(LIST, list_pruning_keep=0.3, seed=s), Rewrite) for s in range(200)]
    assert 30 <= sum(kept) <= 90
    # The next best rewrite replaces one that is pruned.
    text = "Ann/NNP and/CC Bob/NNP like/VBP Cy/NNP ./."
    found = outcome(text, {"<s> bob": -3}, list_pruning_keep=0.0)
    assert "Bob and Ann like Cy." not in (found.text, *(other.text for other in found.alternatives))


def test_the_best_few_alternatives_are_kept_best_first():
    text = "Ann/NNP met/VBD Bob/NNP before/IN Cy/NNP met/VBD Di/NNP ./."
    found = outcome(text, {"met cy": -2, "before bob": -3}, keep_alternatives=4)
    scores = [found.score, *(other.score for other in found.alternatives)]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)


def test_several_candidates_of_a_sentence_move_different_words():
    text = "Ann/NNP met/VBD Bob/NNP in/IN old/JJ towns/NNS and/CC new/JJ houses/NNS ./."
    names, adjectives = (
        "Bob met Ann in old towns and new houses.",
        "Ann met Bob in new towns and old houses.",
    )
    likes = {"bob met": -4}
    for number, expected in ((1, [names]), (2, [names, adjectives]), (9, [names, adjectives])):
        settings = WordSwapSettings(per_sentence=number, movable=(Kind.NAME, Kind.ADJECTIVE))
        [found] = swaps([tagged(text)], Bigrams(likes), settings)
        assert [each.text for each in found.rewrites] == expected
        assert len({each.source_score for each in found.rewrites}) == 1


class TagsAreWritten:
    def tag(self, texts):
        return map(tagged, texts)


def test_a_word_swapper_gives_one_outcome_for_each_text_in_order():
    texts = [short := "Ann/NNP ran/VBD", BAD, short, FLIGHTS, short]
    found = WordSwapper(TagsAreWritten(), Bigrams()).outcomes(texts)
    assert list(map(best, found)) == list(map(outcome, texts))


@given(toy.sentences)
def test_every_rewrite_has_the_words_of_its_source_in_another_order(text):
    found = outcome(text, list_pruning_keep=1.0)
    if isinstance(found, Reason):
        return
    for rewrite in (found.text, *(other.text for other in found.alternatives)):
        source, words = map(measures.words, (tagged(text).text, rewrite))
        assert measures.bow_similarity(source, words) == 1.0
        assert measures.inversion_rate(source, words) > 0


def reordered(text, order):
    """The template of a text, and its filling whose movable phrases begin in this order."""
    template = toy.template(tagged(text), LISTS)
    words = iter(order.split())
    numbers = {filler.words[0]: number for number, filler in enumerate(template.fillers)}
    slots = template.slots
    return template, [numbers[next(words)] if len(s.choices) > 1 else s.source for s in slots]


def permutes_a_list(text, order):
    return is_list_permutation(*reordered(text, order))


def test_only_another_order_of_list_items_is_a_permutation():
    for text, order in (
        *[(f"We/PRP saw/VBD Ann/NNP {x}/CC Bob/NNP ./.", "Bob Ann") for x in SEPARATORS.split()],
        ("We/PRP saw/VBD New/NNP York/NNP and/CC Bob/NNP ./.", "Bob New"),
        ("We/PRP saw/VBD Ann/NNP ,/, Bob/NNP and/CC Cy/NNP ./.", "Cy Ann Bob"),
        ("It/PRP lies/VBZ between/IN Ann/NNP and/CC Bob/NNP ./.", "Bob Ann"),
        ("Either/CC Ann/NNP or/CC Bob/NNP ran/VBD ./.", "Bob Ann"),
        ("the/DT Ann/NNP and/CC the/DT Bob/NNP ran/VBD", "Bob Ann"),
        ("off/IN in/IN the/DT Ann/NNP and/CC off/IN in/IN the/DT Bob/NNP ran/VBD", "Bob Ann"),
        ("in/IN Ann/NNP and/CC in/IN Bob/NNP it/PRP ran/VBD", "Bob Ann"),
        ("big/JJ cats/NNS or/CC red/JJ cats/NNS ran/VBD", "red big"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP and/CC Di/NNP ./.", "Bob Ann Di Cy"),
    ):
        assert permutes_a_list(text, order), text
    neighbours = toy.puzzle(["they", "ant", "bee"], [[0], [1, 2], [1, 2]], [0, 1, 2]).template
    assert is_list_permutation(neighbours, [0, 2, 1])
    for text, order in (
        ("Ann/NNP saw/VBD Bob/NNP ./.", "Bob Ann"),
        ("Ann/NNP saw/VBD Bob/NNP ./.", "Ann Bob"),
        ("From/IN Ann/NNP to/TO Bob/NNP it/PRP ran/VBD ./.", "Bob Ann"),
        ("red/JJ cats/NNS and/CC big/JJ dogs/NNS ran/VBD", "big red"),
        ("in/IN Ann/NNP and/CC from/IN Bob/NNP it/PRP ran/VBD", "Bob Ann"),
        ("on/IN by/IN to/IN the/DT Ann/NNP and/CC on/IN by/IN to/IN the/DT Bob/NNP", "Bob Ann"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP ./.", "Ann Cy Bob"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP and/CC Di/NNP ./.", "Cy Di Ann Bob"),
        ("Ann/NNP and/CC Bob/NNP met/VBD Cy/NNP in/IN Di/NNP ./.", "Bob Ann Di Cy"),
    ):
        assert not permutes_a_list(text, order), text


IN_EXETER = "They/PRP sang/VBD in/IN Exeter/NNP ,/, Devon/NNP ./."
TWO_LISTS = "in/IN Rome/NNP and/CC Pisa/NNP and/CC in/IN Oslo/NNP and/CC Kiel/NNP it/PRP rained/VBD"


@pytest.mark.parametrize(
    ("text", "order", "seems"),
    [
        (IN_EXETER, "Devon Exeter", True),
        ("In/IN Exeter/NNP ,/, Devon/NNP ,/, it/PRP rained/VBD ./.", "Devon Exeter", True),
        ("In/IN Rome/NNP ,/, Ann/NNP sang/VBD ./.", "Ann Rome", True),
        (TWO_LISTS, "Rome Kiel Oslo Pisa", True),
        (TWO_LISTS, "Pisa Rome Kiel Oslo", False),
        ("They/PRP met/VBD Ann/NNP ,/, Bob/NNP and/CC Cy/NNP ./.", "Bob Ann Cy", False),
        ("It/PRP had/VBD a/DT big/JJ ,/, red/JJ door/NN ./.", "red big", False),
    ],
)
def test_what_seems_a_list_joins_no_items(text, order, seems):
    template, filling = reordered(text, order)
    assert is_list_permutation(template, filling)
    assert only_seems_a_list(template, filling) is seems


def test_only_a_balanced_run_prunes_what_seems_a_list():
    outcomes = {}
    for balance in (False, True):
        settings = WordSwapSettings(
            movable=(Kind.NAME,),
            threshold=1000.0,
            min_tokens=1,
            list_pruning_keep=1.0,
            balance=balance,
        )
        (found,) = swaps([tagged(IN_EXETER)], Bigrams(), settings)
        outcomes[balance] = found.name
    assert outcomes == {False: ACCEPTED, True: Reason.LIST_PERMUTATION}


def test_a_fall_is_that_of_the_worst_stretch():
    source = np.array([-1.0, -2.0, -3.0, -4.0])
    others = np.array([[-1, -5, -3, -4], [-1, -2, -3, -3.5], [-3, -4, -2, -5.5], [-4, -5, -6, -7]])
    assert largest_fall(others, source) == pytest.approx([3, 0, 2.5, 3])


def test_a_word_or_number_next_to_another_is_repeated_and_a_noun_within_its_clause():
    cats = "The/DT dog/NN saw/VBD the/DT cat/NN and/CC the/DT cat/NN ran/VBD"
    for text, filling, repeats in (
        ("low/JJ road/NN Low/JJ", [0, 2, 1], True),
        ("low/JJ road/NN Low/JJ", [0, 1, 2], False),
        ("2.4/CD billion/NN or/CC 997/CD", [0, 3, 2, 1], True),
        (cats, [0, 7, 2, 3, 4, 5, 6, 1, 8], True),
        (cats, [0, 4, 2, 3, 1, 5, 6, 7, 8], False),
    ):
        tokens = tagged(text).tokens
        words, places = [token.text for token in tokens], range(len(tokens))
        template = toy.puzzle(words, [[place] for place in places], places).template
        assert repeats_a_word(replace(template, tokens=tokens), filling) is repeats, filling
