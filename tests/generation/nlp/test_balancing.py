"""The choice among rewrites by shape and probable label."""

import pytest

from generation.nlp import balancing, vector_likeness
from generation.nlp.acceptance import Acceptance
from generation.nlp.balancing import Cell, Shape, choose
from generation.nlp.logistic import Logistic
from generation.nlp.phrases import Kind
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tries import Reason
from generation.nlp.word_swap import swaps
from tests.generation.nlp.toy import Bigrams, tagged

MOVE, MOVED_AWAY = Cell(Shape.ROTATION, True), Cell(Shape.ROTATION, False)
LIST, SWAP = Cell(Shape.LIST, True), Cell(Shape.OTHER, False)


def kept(cell, *, texts=1000):
    return sum(choose([("one", cell)], f"text {n}", 0) == ["one"] for n in range(texts)) / texts


def test_of_each_shape_the_rarer_label_comes_first():
    rewrites = [("move", MOVE), ("moved away", MOVED_AWAY), ("swap", SWAP), ("list", LIST)]
    chosen = [choose(rewrites, f"text {n}", 0) for n in range(50)]
    assert max(chosen, key=len) == ["moved away", "list"]
    assert not {"move", "swap"}.intersection(*chosen)


def test_of_equal_cells_the_first_is_chosen():
    assert choose([("best", MOVED_AWAY), ("next", MOVED_AWAY)], "text", 0) == ["best"]


@pytest.mark.parametrize(
    ("rewrite", "paraphrase", "cell"),
    [
        ("Ann met Bob and Cid in May.", 0.9, MOVE),
        ("In May, Ann met Cid and Bob.", 0.5, LIST),
        ("In May, Bob met Ann and Cid.", 0.4, SWAP),
    ],
)
def test_the_cell_of_a_rewrite_has_its_shape(rewrite, paraphrase, cell):
    assert Cell.measure("In May, Ann met Bob and Cid.", rewrite, paraphrase) == cell


def test_the_commonest_cell_is_thinned_by_text():
    assert kept(MOVED_AWAY) == 1.0
    assert kept(SWAP) == pytest.approx(balancing.KEPT[SWAP], abs=0.05)


def test_the_seed_draws_other_texts():
    drawn = [[choose([(1, SWAP)], f"text {n}", seed) for n in range(40)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


SENTENCE = "In/IN 1951/CD ,/, Ann/NNP left/VBD Bob/NNP ./."


def outcome_of(seed, sentence=SENTENCE):
    settings = WordSwapSettings(
        movable=(Kind.NAME, Kind.ADVERBIAL),
        threshold=1000.0,
        largest_fall=1000.0,
        likeness=-1.0,
        per_sentence=2,
        balance=True,
        seed=seed,
    )
    accepts = Acceptance(constant=3.0, weights={}, judged={})
    paraphrase = Logistic(0.0, {"is_adverbial": 5.0, "is_name": -5.0})
    likeness = vector_likeness.load_embedded()
    (outcome,) = swaps([tagged(sentence)], Bigrams(), settings, likeness, accepts, paraphrase)
    return outcome


def test_a_balanced_run_gives_a_move_beside_an_exchange():
    outcomes = [outcome_of(seed) for seed in range(10)]
    both = max(outcomes, key=lambda outcome: len(outcome.rewrites)).rewrites
    assert [rewrite.text for rewrite in both] == ["Ann left Bob in 1951.", "In 1951, Bob left Ann."]
    assert both[0].paraphrase > 0.9 > 0.1 > both[1].paraphrase
    # With other seeds one of them is left out.
    assert min(len(outcome.rewrites) for outcome in outcomes) < 2


def test_alternatives_have_the_shape_and_probable_label_of_their_candidate():
    outcomes = [
        outcome_of(seed, "In/IN 1951/CD ,/, Ann/NNP left/VBD Bob/NNP with/IN Cid/NNP ./.")
        for seed in range(20)
    ]
    bests = [outcome.rewrites[0] for outcome in outcomes if outcome.rewrites]
    kinds = {(best.kind, tuple(other.kind for other in best.alternatives)) for best in bests}
    assert kinds == {("adverbial", ()), ("name", ("name", "name"))}


def test_a_sentence_of_which_nothing_is_kept_is_thinned():
    settings = WordSwapSettings(movable=(Kind.NAME,), likeness=-1.0, threshold=1000.0, balance=True)
    paraphrase = Logistic(-5.0, {})
    accepts = Acceptance(constant=3.0, weights={}, judged={})
    texts = [f"Ann/NNP left/VBD Bob/NNP in/IN {year}/CD ./." for year in range(1900, 1920)]
    outcomes = swaps(
        map(tagged, texts),
        Bigrams(),
        settings,
        vector_likeness.load_embedded(),
        accepts,
        paraphrase,
    )
    thinned = [outcome for outcome in outcomes if not outcome.rewrites]
    assert {outcome.name for outcome in thinned} == {Reason.THINNED}
    assert all(outcome.refused for outcome in thinned)
