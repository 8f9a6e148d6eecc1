from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.components import Components
from annotation.dataset.recombination import (
    Arm,
    Edge,
    JudgedPair,
    Recombination,
    RecombinedPair,
    recombine,
)


def swap(sentence1: str, sentence2: str, label: int | None) -> JudgedPair:
    return JudgedPair(f"{sentence1}/{sentence2}", sentence1, sentence2, "word_swap", label)


def back(sentence1: str, sentence2: str, label: int | None) -> JudgedPair:
    return JudgedPair(f"{sentence1}>{sentence2}", sentence1, sentence2, "back_translation", label)


def labels(pairs: tuple[RecombinedPair, ...]) -> dict[tuple[str, str], int]:
    return {(pair.sentence1, pair.sentence2): pair.label for pair in pairs}


def test_the_three_pairs_of_the_paper() -> None:
    made = recombine([swap("s1", "s2", 0), back("s1", "t1", 1), back("s2", "t2", 1)])
    assert labels(made.pairs) == {("s2", "t1"): 0, ("s1", "t2"): 0, ("t1", "t2"): 0}
    vias = {(pair.sentence1, pair.sentence2): pair.via for pair in made.pairs}
    assert vias["t1", "t2"] == ("s1>t1", "s1/s2", "s2>t2")
    assert vias["s2", "t1"] == ("s1/s2", "s1>t1")


@pytest.mark.parametrize(("swapped", "translated", "label"), [(1, 1, 1), (0, 1, 0), (1, 0, 0)])
def test_at_most_one_non_paraphrase_gives_a_label(
    swapped: int, translated: int, label: int
) -> None:
    made = recombine([swap("a", "b", swapped), back("a", "c", translated)])
    assert labels(made.pairs) == {("b", "c"): label}


def test_two_non_paraphrases_say_nothing() -> None:
    made = recombine([swap("a", "b", 0), back("a", "c", 0)])
    assert (made.pairs, made.unknown, made.conflicts) == ((), 1, 0)


def test_two_paths_with_two_labels_are_a_conflict() -> None:
    pairs = [swap("a", "b", 1), back("a", "d", 1), swap("c", "b", 0), back("c", "d", 1)]
    made = recombine(pairs)
    assert ("b", "d") not in labels(made.pairs)
    assert made.conflicts == 1


def test_a_path_of_unknown_label_does_not_contradict_a_known_one() -> None:
    pairs = [swap("a", "b", 0), back("a", "d", 0), swap("c", "b", 0), back("c", "d", 1)]
    assert labels(recombine(pairs).pairs)["b", "d"] == 0


@pytest.mark.parametrize("label", [0, 1, None])
def test_a_pair_already_judged_is_not_made_again(label: int | None) -> None:
    pairs = [swap("a", "b", 0), back("a", "c", 1), back("c", "b", label)]
    assert ("b", "c") not in labels(recombine(pairs).pairs)


def test_a_pair_that_was_not_kept_composes_nothing() -> None:
    assert not recombine([swap("a", "b", None), back("a", "c", 1)]).pairs
    assert not recombine([swap("a", "b", 1), back("a", "c", None)]).pairs


def test_swaps_alone_and_back_translations_alone_compose_nothing() -> None:
    assert not recombine([swap("a", "b", 1), swap("b", "c", 1)]).pairs
    assert not recombine([back("a", "b", 1), back("b", "c", 1)]).pairs


def test_sentences_of_one_text_are_one() -> None:
    pairs = [swap("a", "b", 0), back("again", "c", 1)]
    texts = {"a": "A dog.", "again": "A dog.", "b": "Dog a.", "c": "One dog."}
    assert not recombine(pairs).pairs
    assert labels(recombine(pairs, texts=texts).pairs) == {("b", "c"): 0}


def test_a_pair_of_equal_texts_is_not_made() -> None:
    texts = {"a": "A dog.", "b": "Dog a.", "c": "Dog a."}
    assert not recombine([swap("a", "b", 1), back("a", "c", 1)], texts=texts).pairs


def test_a_swap_fixed_back_to_its_source_makes_no_doubles() -> None:
    texts = {"a": "A dog.", "b": "A dog.", "c": "One dog."}
    assert not recombine([swap("a", "b", 1), back("a", "c", 1)], texts=texts).pairs


def test_a_longer_reach_walks_further() -> None:
    pairs = [swap("a", "b", 0), back("a", "c", 1), back("c", "d", 1)]
    assert set(labels(recombine(pairs).pairs)) == {("b", "c")}
    assert set(labels(recombine(pairs, reach=2).pairs)) == {("b", "c"), ("b", "d")}


def chain(name: str, label: int = 0) -> list[JudgedPair]:
    """A swap with three back translations of back translations at either end."""
    ones = [back(f"{name}{n}", f"{name}{n + 1}", 1) for n in range(3)]
    others = [back(f"{name}-{n}", f"{name}-{n + 1}", 1) for n in range(3)]
    return [swap(f"{name}0", f"{name}-0", label), *ones, *others]


@pytest.mark.parametrize(("reach", "made"), [(1, 3), (2, 8), (3, 15), (4, 15), (None, 15)])
def test_a_chain_composes_every_two_texts_on_both_sides_of_the_swap(
    reach: int | None, made: int
) -> None:
    composed = recombine(chain("s"), reach=reach).pairs
    assert len(composed) == made == ((min(reach or 3, 3) + 1) ** 2) - 1
    longest = max((pair.via for pair in composed), key=len)
    assert len(longest) == 2 * min(reach or 3, 3) + 1


def test_a_longer_way_of_another_label_is_a_conflict_once_it_is_in_reach() -> None:
    pairs = [swap("a", "b", 1), back("a", "c", 1), back("c", "d", 1), swap("b", "e", 0)]
    pairs += [back("e", "f", 1), back("f", "d", 1)]
    assert recombine(pairs, reach=1).conflicts == 0
    contradicted = recombine(pairs, reach=2)
    assert ("b", "d") not in labels(contradicted.pairs)
    assert contradicted.conflicts == 1


def test_nothing_is_made_beyond_rewrites_that_contradict_each_other() -> None:
    circle = [back("b", "c", 1), back("c", "d", 1), back("d", "b", 0)]
    pairs = [swap("a", "b", 1), *circle, back("d", "e", 1)]
    made = recombine(pairs, reach=None)
    assert not made.pairs
    assert made.conflicts == 3


def test_two_rewrites_of_one_text_are_not_paired_over_a_swap_in_a_circle() -> None:
    circle = [swap("a", "b", 0), back("a", "c", 1), back("b", "c", 1)]
    pairs = [*circle, back("c", "x", 1), back("c", "y", 1)]
    made = recombine(pairs, reach=None)
    assert ("x", "y") not in labels(made.pairs)
    assert labels(made.pairs) == {("a", "x"): 0, ("b", "x"): 0, ("a", "y"): 0, ("b", "y"): 0}


def test_a_dense_cluster_costs_no_more_than_its_pairs() -> None:
    names = [f"n{number}" for number in range(30)]
    cluster = [back(one, other, 1) for one, other in combinations(names, 2)]
    made = recombine([swap("a", "n0", 0), *cluster], reach=None)
    assert {pair.label for pair in made.pairs} == {0}
    assert [len(pair.via) for pair in made.pairs] == [2] * 29


def test_the_work_grows_with_the_number_of_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    extended = Arm.extended

    def counted(arm: Arm, edge: Edge) -> Arm:
        nonlocal steps
        steps += 1
        return extended(arm, edge)

    monkeypatch.setattr(Arm, "extended", counted)
    done = []
    for number in (10, 20, 40):
        steps = 0
        recombine([pair for n in range(number) for pair in chain(f"c{n}")], reach=None)
        done.append(steps)
    assert done == [done[0], 2 * done[0], 4 * done[0]]


def test_ids_name_the_two_sentences_whichever_comes_first() -> None:
    (made,) = recombine([swap("a", "b", 0), back("a", "c", 1)]).pairs
    (again,) = recombine([back("c", "a", 1), swap("b", "a", 0)]).pairs
    assert made.id == again.id


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
