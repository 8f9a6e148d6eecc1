"""Batches, chance, sides, panels; subsets, balance, and families in train, dev and test."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from common.draws import draw, shuffled
from releases.dataset.families import (
    Components,
    Family,
    Size,
    connections,
    families_of,
    split_families,
    wanted_sizes,
)
from releases.dataset.placement import flipped, order_sides, subset_of_pairs, surplus_ids
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow, batches
from releases.dataset.settings import ReleaseSettings
from releases.dataset.tallies import count_answers

KEYS = st.lists(st.text(max_size=8), unique=True, max_size=30)
LINKS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=12)
PARENTS = {f"r{number}": f"s{number}" for number in range(40)}
PAIRS = [ReleasedPair(f"p{number}", f"s{number}", f"r{number}") for number in range(40)]


@given(st.lists(st.integers()), st.integers(1, 5))
def test_batches_are_the_same_rows_some_at_a_time(rows, size):
    some = list(batches(iter(rows), size))
    assert [row for batch in some for row in batch] == rows
    sizes = [len(batch) for batch in some]
    assert sizes == [size] * (len(rows) // size) + [len(rows) % size] * (len(rows) % size > 0)
    remaining = iter(range(10))
    assert next(batches(remaining, 3)) == [0, 1, 2]
    assert next(remaining) == 3  # no more are read than are given


@given(LINKS)
def test_a_component_is_named_by_the_least_text_that_can_be_reached(some):
    components = Components(some)
    for text in "abcdefgh":
        reachable = {text}
        for _ in some:
            reachable |= {each for link in some if not reachable.isdisjoint(link) for each in link}
        assert components.find(text) == min(reachable)


def test_a_draw_depends_on_seed_purpose_and_key_alone():
    assert draw(7, "split", "a sentence") == 4967599000550816019
    drawn = [draw(*each) for each in ((7, "x", "a"), (8, "x", "a"), (7, "y", "a"), (7, "x", "b"))]
    assert len({*drawn}) == 4


@given(KEYS, st.text(max_size=8), st.integers())
def test_a_new_key_does_not_reorder_the_others(some, new, seed):
    before = shuffled({*some} - {new}, seed=seed, purpose="split")
    after = shuffled({*some, new}, seed=seed, purpose="split")
    assert sorted(after) == sorted({*some, new})
    assert [key for key in after if key != new] == before


def released(pairs, seed, parents=PARENTS):
    return list(order_sides(pairs, rewritten_from=parents, seed=seed, directed=False))


@given(st.integers(), st.integers(1, 40), st.sets(st.sampled_from(PAIRS)))
def test_half_of_the_originals_stand_first_in_whatever_order_they_come(seed, number, turned):
    found = released(PAIRS[:number], seed)
    assert sum(pair.sentence1.startswith("s") for pair in found) == number // 2
    others = [flipped(pair) if pair in turned else pair for pair in PAIRS[:number]]
    assert released(others, seed) == found
    fewer = released(PAIRS[: number - 1], seed)
    assert sum(old != new for old, new in zip(fewer, found, strict=False)) <= 1


def test_a_rewrite_of_a_rewrite_and_pairs_without_an_original_are_turned_by_half_too():
    for parents in ({"a": None, "b": "a", "c": "b"}, {}):
        some = [ReleasedPair(f"p{n}", "a", "c") for n in range(10)]
        ends = [pair[1:3] for pair in released(some, 0, parents)]
        assert sorted(ends) == [("a", "c")] * 5 + [("c", "a")] * 5
    both = [
        ReleasedPair("p1", "a", "b"),
        ReleasedPair("p2", "x", "y"),
    ]  # each kind is halved for itself
    assert [pair[1:3] for pair in released(both, 0, {"a": "b"})] == [("a", "b"), ("y", "x")]
    assert released(PAIRS, 1) != released(PAIRS, 2)


def test_answers_are_counted_by_label_and_those_that_cannot_be_told_with_their_line():
    def counted(*rows):
        tallies, later = {"p": (0, 0)}, dict[str, tuple[int, ...]]()
        judgments = (JudgmentRow(*row, None) for row in rows)
        texts = {"p": ("One text.", "Another text.")}
        faults = list(count_answers(judgments, tallies, later, ReleaseSettings(), texts))
        assert later == {}
        return tallies, faults

    assert counted(*(("p", f"a{n}", int(n < 2)) for n in range(5))) == ({"p": (3, 2)}, [])
    for pair, annotator, label, what in (
        ("q", "b", 1, "b judged q, which is no judged pair"),
        ("p", "b", 2, "b gave p the label 2"),
        ("p", "b", -1, "b gave p the label -1"),
        ("p", "a", 0, "a judged p twice"),
    ):
        found = counted(("p", "a", 1), (pair, annotator, label))
        assert found == ({"p": (0, 1)}, [(2, what)])


SWAP, BACK = "word_swap", "back_translation"
SHARES = st.sampled_from(["0.2", "0.3", "0.442", "0.5", "0.7", "0.8"])
COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40)
FINAL, APART, LOW = "labeled_final", "labeled_swap", "low_agreement"


def pair(name, method=SWAP, *, label=1, votes=(0, 5)):
    """A pair of the two sentences, and texts, whose letters are its name."""
    one, other = name[0], name[-1]
    decided = (method, votes, label, label is not None)
    return ReleasedPair(name, one, other, "judged", (), *decided, text1=one, text2=other)


def test_the_subset_of_each_pair():
    apart, dropped = pair("xy", BACK), pair("ac", BACK, label=None, votes=(2, 3))
    options = {"swap_methods": ("word_swap",), "judgments_per_pair": 5}
    for what, some, chosen in (
        ("a back translation", [pair("ab", BACK)], {"ab": FINAL}),
        ("a swap with its like", [pair("ab"), pair("ac", BACK)], {"ab": FINAL, "ac": FINAL}),
        ("turned", [pair("ab"), pair("ca", BACK)], {"ab": FINAL, "ca": FINAL}),
        ("of its other sentence", [pair("ab"), pair("bc", BACK)], {"ab": FINAL, "bc": FINAL}),
        ("a swap without", [pair("ab"), apart], {"ab": APART, "xy": FINAL}),
        ("not kept", [pair("ab"), dropped, apart], {"ab": APART, "ac": LOW, "xy": FINAL}),
        ("no back translation at all", [pair("ab")], {"ab": FINAL}),
        ("waiting", [pair("ab", label=None, votes=(1, 1))], {"ab": None}),
    ):
        assert subset_of_pairs(some, **options) == chosen, what
    same_text = apart._replace(text1="a")
    assert subset_of_pairs([pair("ab"), same_text], **options) == {"ab": FINAL, "xy": FINAL}


@given(st.integers(1, 60), st.integers(1, 60), SHARES, st.integers())
def test_balancing_is_exact_to_the_pair(negatives, positives, share, seed):
    rows = [pair(f"n{n}", label=0) for n in range(negatives)]
    rows += [pair(f"p{n}", label=1) for n in range(positives)]
    dropped = surplus_ids(rows, paraphrase_share=float(share), seed=seed)
    left = Counter(row.label for row in rows if row.id not in dropped)
    # The label of which some were dropped keeps to its share, and one more pair would exceed it.
    for label, part in ((1, Fraction(share)), (0, 1 - Fraction(share))):
        if left[label] < (negatives, positives)[label]:
            assert left[label] <= part * left.total()
            assert left[label] + 1 > part * (left.total() + 1)
    assert left[0] == negatives or left[1] == positives
    # Only what may be dropped is dropped.
    rows = [pair("n", label=0), *(pair(f"p{n}") for n in range(9))]
    assert surplus_ids(rows, paraphrase_share=0.5, seed=0, droppable={"p1", "p2"}) == {"p1", "p2"}
    for label in (0, 1):
        with pytest.raises(ValueError, match="one label"):
            surplus_ids([pair("a", label=label)], paraphrase_share=0.5, seed=0)


def numbered(counts):
    return [Family(f"f{number}", count) for number, count in enumerate(counts)]


def drawn(some, *, seed=4, train_only=frozenset(), **sizes):
    """The split of each family, and how many pairs train, dev and test hold."""
    splits = split_families(some, wanted_sizes(some, **sizes), seed=seed, train_only=train_only)
    held = Counter()
    for family in some:
        held[splits[family.key]] += family.size
    return splits, [held[name] for name in ("train", "dev", "test")]


@given(COUNTS.map(numbered), st.floats(0, 0.5), st.floats(0, 0.5), st.integers())
def test_dev_and_test_come_within_one_family_of_their_size(some, dev, test, seed):
    total = sum(family.size for family in some)
    assume(round(dev * total) + round(test * total) <= total)
    splits, (_, *held) = drawn(some, dev=dev, test=test, seed=seed)
    left = [f.size for f in some if f.size and splits[f.key] == "train"]
    for share, number in zip((dev, test), held, strict=True):
        lacking = round(share * total) - number
        assert 0 <= lacking < min(left, default=total + 1)
    more = numbered([(1, 1)] * 100)  # of which a new one moves few others
    before, after = (drawn(each, dev=20, test=20, seed=seed)[0] for each in (more[:-1], more))
    assert sum(before[key] != after[key] for key in before) <= 2


def test_sizes_that_families_reach():
    small = [(1, 1), (2, 0), (0, 1), (3, 1)] * 50
    large = [(30, 20), *[(1, 0)] * 30, *[(0, 1)] * 20]
    for what, counts, dev, test, held in (
        ("small families", small, 80, 90, [280, 80, 90]),
        ("one larger than dev and test", large, 20, 20, [60, 20, 20]),
        ("all is one family", [(30, 20)], 0.2, 0.2, [50, 0, 0]),
        ("labels that do not allow their share", [*[(4, 0)] * 10, (0, 40)], 0, 20, [60, 0, 20]),
        ("nothing", [], 0.1, 0.1, [0, 0, 0]),
    ):
        assert drawn(numbered(counts), dev=dev, test=test)[1] == held, what
    assert drawn(numbered(large), dev=20, test=20)[0]["f0"] == "train"
    kept = frozenset(f"f{number}" for number in range(10))
    splits, held = drawn(numbered([(1, 1)] * 20), dev=10, test=10, train_only=kept)
    assert ({splits[key] for key in kept}, held) == ({"train"}, [20, 10, 10])
    # Paraphrases are as frequent in dev and test as in all.
    some = numbered([(1, 0)] * 300 + [(0, 1)] * 200)
    splits, _ = drawn(some, dev=50, test=100)
    positives = Counter(splits[family.key] for family in some if family.counts[1])
    assert (positives["test"], positives["dev"]) == (40, 20)


def test_which_pairs_count_for_sizes_and_what_connects_texts():
    rows = [pair("aa"), pair("ab", label=0), pair("bc"), pair("dd")]
    connected = Components([("a", "b"), ("b", "c")])
    assert families_of(rows, connected) == [Family("a", (1, 1)), Family("d", (0, 0))]
    wanted = wanted_sizes(numbered([(3, 1)] * 10), dev=8, test=0.5)
    assert wanted == {"test": Size((15, 5)), "dev": Size((6, 2))}
    # Both halves of an odd number were rounded up.
    wanted = wanted_sizes(numbered([(1, 0)] * 3), dev=0.5, test=0.5)
    assert {name: size.pairs for name, size in wanted.items()} == {"test": 2, "dev": 1}
    with pytest.raises(ValueError, match="the number of labelled pairs is only 4"):
        wanted_sizes(numbered([(2, 2)]), dev=3, test=2)
    sentences = [SentenceRow(str(n), text, str(n)) for n, text in enumerate("acdef", 1)]
    sentences[1:3] = [row._replace(group="g") for row in sentences[1:3]]
    sentences += [SentenceRow("6", "b", "1", "1"), SentenceRow("7", "b", "7")]
    connected = connections(sentences, [pair("ef")], {row.id: row.text for row in sentences})
    assert [connected.find(row.text) for row in sentences] == [*"acceeaa"]
