"""Recombination beside all paths and all walks of random graphs, listed one by one."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.components import Components
from annotation.dataset.recombination import (
    JudgedPair,
    Recombination,
    recombine,
)

Edges = list[tuple[int, int, str, int | None]]
# Of eight sentences no arm is longer, whatever it says.
AS_FAR = 16

sizes = st.integers(0, 8)

graphs = st.lists(
    st.tuples(
        st.integers(0, 7),
        st.integers(0, 7),
        st.sampled_from(["word_swap", "back_translation"]),
        st.sampled_from([0, 1, 1, None]),
    ),
    max_size=14,
)


@st.composite
def forests(draw: st.DrawFn) -> Edges:
    """Sentences that are each rewritten from at most one before them."""
    kinds = st.tuples(
        st.sampled_from(["word_swap", "back_translation"]), st.sampled_from([0, 1, 1])
    )
    return [
        (draw(st.integers(0, child - 1)), child, *draw(kinds))
        for child in range(1, draw(sizes) + 1)
    ]


def judged(edges: Edges) -> list[JudgedPair]:
    return [JudgedPair(f"p{n}", f"s{a}", f"s{b}", *rest) for n, (a, b, *rest) in enumerate(edges)]


def paths(
    pairs: list[JudgedPair], reach: int
) -> Iterator[tuple[frozenset[str], tuple[JudgedPair, ...]]]:
    """Each path that passes no text twice, with its ends that nobody judged, one by one.

    A path is a swap with up to `reach` back translations at either end.
    """
    direct = {frozenset((pair.sentence1, pair.sentence2)) for pair in pairs}
    usable = [pair for pair in pairs if pair.label is not None]
    steps = [
        (near, far, pair)
        for pair in usable
        for near, far in ((pair.sentence1, pair.sentence2), (pair.sentence2, pair.sentence1))
    ]
    stack: list[tuple[tuple[str, ...], tuple[JudgedPair, ...]]]
    stack = [((start,), ()) for start in {near for near, *_ in steps}]
    while stack:
        texts, taken = stack.pop()
        ends = frozenset((texts[0], texts[-1]))
        if is_way(taken, reach) and ends not in direct:
            yield ends, taken
        for near, far, pair in steps:
            longer = (*taken, pair)
            if near == texts[-1] and far not in texts and may_become_way(longer, reach):
                stack.append(((*texts, far), longer))


def zeros_of_paths(pairs: list[JudgedPair], reach: int) -> dict[frozenset[str], set[int]]:
    """Non-paraphrases on each path, by its ends."""
    zeros: defaultdict[frozenset[str], set[int]] = defaultdict(set)
    for ends, taken in paths(pairs, reach):
        zeros[ends].add(sum(pair.label == 0 for pair in taken))
    return zeros


def arms_of(taken: tuple[JudgedPair, ...]) -> list[int]:
    """Lengths of the stretches of back translations before, between and after swaps."""
    stretches = [0]
    for pair in taken:
        if pair.method == "word_swap":
            stretches.append(0)
        else:
            stretches[-1] += 1
    return stretches


def is_way(taken: tuple[JudgedPair, ...], reach: int) -> bool:
    return len(arms_of(taken)) == 2 and len(taken) > 1 and max(arms_of(taken)) <= reach


def may_become_way(taken: tuple[JudgedPair, ...], reach: int) -> bool:
    return len(arms_of(taken)) <= 2 and max(arms_of(taken)) <= reach


def zeros_of_walks(pairs: list[JudgedPair], reach: int) -> dict[frozenset[str], set[int]]:
    """Non-paraphrases, two standing for more, on each walk: all of them, pair after pair."""
    usable = [p for p in pairs if p.label is not None and p.sentence1 != p.sentence2]
    steps = [
        (near, far, int(pair.label == 0), pair.method == "word_swap")
        for pair in usable
        for near, far in ((pair.sentence1, pair.sentence2), (pair.sentence2, pair.sentence1))
    ]
    arms = {text: {(text, 0)} for near, far, *_ in steps for text in (near, far)}
    for _ in range(reach):
        for some in arms.values():
            some |= {
                (far, min(2, before + zeros))
                for near, far, zeros, is_swap in steps
                for end, before in some
                if end == near and not is_swap
            }
    direct = {frozenset((pair.sentence1, pair.sentence2)) for pair in pairs}
    found: defaultdict[frozenset[str], set[int]] = defaultdict(set)
    for near, far, zeros, is_swap in steps:
        for (text1, zeros1), (text2, zeros2) in product(arms[near], arms[far]):
            between = frozenset((text1, text2))
            if is_swap and text1 != text2 and between not in direct:
                found[between].add(min(2, zeros1 + zeros + zeros2))
    return found


def made_labels(made: Recombination) -> dict[frozenset[str], set[int]]:
    return {frozenset((pair.sentence1, pair.sentence2)): {pair.label} for pair in made.pairs}


def said_labels(found: dict[frozenset[str], set[int]]) -> dict[frozenset[str], set[int]]:
    return {between: {1 - z for z in zeros if z < 2} for between, zeros in found.items()}


@given(graphs)
def test_one_step_composes_all_paths_and_nothing_else(edges: Edges) -> None:
    pairs = judged(edges)
    made, said = recombine(pairs), said_labels(zeros_of_paths(pairs, 1))
    assert made_labels(made) == {ends: some for ends, some in said.items() if len(some) == 1}
    assert made.conflicts == sum(len(some) == 2 for some in said.values())
    assert made.unknown == sum(not some for some in said.values())


@given(graphs, st.sampled_from([1, 2, None]))
def test_labels_are_those_of_all_walks(edges: Edges, reach: int | None) -> None:
    pairs = judged(edges)
    made, said = recombine(pairs, reach=reach), said_labels(zeros_of_walks(pairs, reach or AS_FAR))
    agreeing = {ends: some for ends, some in said.items() if len(some) == 1}
    got = made_labels(made)
    assert got.items() <= agreeing.items()
    assert made.conflicts == sum(len(some) == 2 for some in said.values())
    assert len(got) + made.conflicts + made.unknown == len(said)
    joined = joined_by_backs(pairs)
    assert all(joined(*ends) for ends in agreeing.keys() - got.keys())


@given(graphs, st.sampled_from([2, None]))
def test_whatever_is_made_every_path_agrees_with(edges: Edges, reach: int | None) -> None:
    pairs = judged(edges)
    said = said_labels(zeros_of_paths(pairs, reach or AS_FAR))
    for between, label in made_labels(recombine(pairs, reach=reach)).items():
        assert said[between] == label


@given(forests(), st.sampled_from([1, 2, None]))
def test_where_rewrites_never_meet_again_the_paths_are_all(edges: Edges, reach: int | None) -> None:
    pairs = judged(edges)
    made, said = recombine(pairs, reach=reach), said_labels(zeros_of_paths(pairs, reach or AS_FAR))
    assert made_labels(made) == {ends: some for ends, some in said.items() if len(some) == 1}
    assert made.conflicts == sum(len(some) == 2 for some in said.values())
    assert made.unknown == sum(not some for some in said.values())


def joined_by_backs(pairs: list[JudgedPair]) -> Callable[[str, str], bool]:
    """Whether kept back translations alone connect two texts."""
    usable = [p for p in pairs if p.method == "back_translation" and p.label is not None]
    components = Components((pair.sentence1, pair.sentence2) for pair in usable)
    return lambda one, other: components.find(one) == components.find(other)


@given(graphs, st.randoms(use_true_random=False))
def test_order_changes_nothing(edges: Edges, random: Random) -> None:
    pairs = judged(edges)
    other = [
        JudgedPair(p.id, *random.sample((p.sentence1, p.sentence2), 2), p.method, p.label)
        for p in random.sample(pairs, len(pairs))
    ]
    assert recombine(other) == recombine(pairs)


@given(graphs, st.sampled_from([1, 2, None]))
def test_via_leads_from_one_sentence_to_the_other_and_gives_the_label(
    edges: Edges, reach: int | None
) -> None:
    pairs = judged(edges)
    by_id = {pair.id: pair for pair in pairs}
    for made in recombine(pairs, reach=reach).pairs:
        via = [by_id[key] for key in made.via]
        here, passed = made.sentence1, [made.sentence1]
        for pair in via:
            one, other = pair.sentence1, pair.sentence2
            assert here in {one, other}
            here = other if here == one else one
            passed.append(here)
        assert here == made.sentence2
        assert len({*passed}) == len(passed)
        assert made.label == {0: 1, 1: 0}[[pair.label for pair in via].count(0)]


@given(graphs, st.sampled_from([1, 2, None]))
def test_via_is_no_longer_than_any_path(edges: Edges, reach: int | None) -> None:
    pairs = judged(edges)
    lengths: defaultdict[frozenset[str], set[int]] = defaultdict(set)
    for between, taken in paths(pairs, reach or AS_FAR):
        if sum(pair.label == 0 for pair in taken) < 2:
            lengths[between].add(len(taken))
    for made in recombine(pairs, reach=reach).pairs:
        assert len(made.via) == min(lengths[frozenset((made.sentence1, made.sentence2))])
