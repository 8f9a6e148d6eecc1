"""Small parts: batches, connected texts, chance by digest, which side stands first, panels."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.batches import batches
from annotation.dataset.components import Components
from annotation.dataset.differences import SHOWN, Difference
from annotation.dataset.draws import draw, shuffled
from annotation.dataset.flip import sides
from annotation.dataset.panels import Panels
from annotation.dataset.rows import JudgmentRow

KEYS = st.lists(st.text(max_size=8), unique=True, max_size=30)
LINKS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=12)


class Pair(NamedTuple):
    id: str
    sentence1: str
    sentence2: str


PARENTS = {f"r{number}": f"s{number}" for number in range(40)}
PAIRS = [Pair(f"p{number}", f"s{number}", f"r{number}") for number in range(40)]


@given(st.lists(st.integers()), st.integers(1, 5))
def test_batches_are_the_same_rows_some_at_a_time(rows, size):
    some = list(batches(iter(rows), size))
    assert [row for batch in some for row in batch] == rows
    *full, last = [len(batch) for batch in some] or [size]
    assert set(full) <= {size}
    assert 1 <= last <= size
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
    low = sum(draw(3, "sides", str(number)) < 2**63 for number in range(10_000))
    assert 4_800 < low < 5_200


@given(KEYS, st.text(max_size=8), st.integers())
def test_a_new_key_does_not_reorder_the_others(some, new, seed):
    before = shuffled({*some} - {new}, seed=seed, purpose="split")
    after = shuffled({*some, new}, seed=seed, purpose="split")
    assert sorted(after) == sorted({*some, new})
    assert [key for key in after if key != new] == before


def released(pairs, seed, parents=PARENTS):
    ends = sides(pairs, rewritten_from=parents, seed=seed)
    return [Pair(pair.id, *end) for pair, end in zip(pairs, ends, strict=True)]


@given(st.integers(), st.integers(1, 40), st.sets(st.sampled_from(PAIRS)))
def test_half_of_the_originals_stand_first_in_whatever_order_they_come(seed, number, turned):
    found = released(PAIRS[:number], seed)
    assert sum(pair.sentence1.startswith("s") for pair in found) == number // 2
    others = [Pair(p.id, p.sentence2, p.sentence1) if p in turned else p for p in PAIRS[:number]]
    assert released(others, seed) == found
    fewer = released(PAIRS[: number - 1], seed)
    assert sum(old != new for old, new in zip(fewer, found, strict=False)) <= 1


def test_a_rewrite_of_a_rewrite_and_pairs_without_an_original_are_turned_by_half_too():
    for parents in ({"a": None, "b": "a", "c": "b"}, {}):
        ends = [p[1:] for p in released([Pair(f"p{n}", "a", "c") for n in range(10)], 0, parents)]
        assert sorted(ends) == [("a", "c")] * 5 + [("c", "a")] * 5
    both = [Pair("p1", "a", "b"), Pair("p2", "x", "y")]  # each kind is halved for itself
    assert [p[1:] for p in released(both, 0, {"a": "b"})] == [("a", "b"), ("y", "x")]
    assert released(PAIRS, 1) != released(PAIRS, 2)


def test_answers_are_counted_by_label_and_those_that_cannot_be_told_with_their_line():
    def filled(*rows):
        panels = Panels(["p"], labels=2)
        panels.fill(JudgmentRow(*row, None) for row in rows)
        return panels

    panels = filled(*(("p", f"a{n}", int(n < 2)) for n in range(5)))
    assert (panels.tallies, panels.found) == ({"p": (3, 2)}, [])
    for pair, annotator, label, what in (
        ("q", "b", 1, "b judged q, which is no judged pair"),
        ("p", "b", 2, "b gave p the label 2"),
        ("p", "b", -1, "b gave p the label -1"),
        ("p", "a", 0, "a judged p twice"),
    ):
        panels = filled(("p", "a", 1), (pair, annotator, label))
        assert panels.found == [Difference("judgments.jsonl", what, 2)]
        assert panels.tallies == {"p": (0, 1)}
    panels = filled(*(("q", f"a{n}", 1) for n in range(SHOWN + 5)))
    assert [difference.line for difference in panels.found] == list(range(1, SHOWN + 1))
