from collections import defaultdict
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.recombination import JudgedPair, RecombinedPair, recombine


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


def test_ids_name_the_two_sentences_whichever_comes_first() -> None:
    (made,) = recombine([swap("a", "b", 0), back("a", "c", 1)]).pairs
    (again,) = recombine([back("c", "a", 1), swap("b", "a", 0)]).pairs
    assert made.id == again.id


graphs = st.lists(
    st.tuples(
        st.integers(0, 7),
        st.integers(0, 7),
        st.sampled_from(["word_swap", "back_translation"]),
        st.sampled_from([0, 1, 1, None]),
    ),
    max_size=14,
)


def judged(edges: list[tuple[int, int, str, int | None]]) -> list[JudgedPair]:
    return [JudgedPair(f"p{n}", f"s{a}", f"s{b}", *rest) for n, (a, b, *rest) in enumerate(edges)]


def composed_by_force(pairs: list[JudgedPair]) -> dict[frozenset[str], set[int]]:
    """Labels of all sentences at the ends of two or three joined pairs, by trying all of them."""
    direct = {frozenset((pair.sentence1, pair.sentence2)) for pair in pairs}
    usable = [pair for pair in pairs if pair.label is not None]
    labels: defaultdict[frozenset[str], set[int]] = defaultdict(set)
    for length in (2, 3):
        for path in permutations(usable, length):
            swaps = [n for n, pair in enumerate(path) if pair.method == "word_swap"]
            if len(swaps) != 1 or (length == 3 and swaps != [1]):
                continue
            for nodes in ways_along(path):
                ends = frozenset((nodes[0], nodes[-1]))
                if len(set(nodes)) == length + 1 and ends not in direct:
                    labels[ends].add(sum(pair.label == 0 for pair in path))
    return labels


def ways_along(path: tuple[JudgedPair, ...]) -> list[list[str]]:
    ways = [[path[0].sentence1], [path[0].sentence2]]
    for pair in path:
        one, other = pair.sentence1, pair.sentence2
        ways = [
            [*way, far]
            for way in ways
            for near, far in ((one, other), (other, one))
            if way[-1] == near
        ]
    return ways


@given(graphs)
def test_composing_is_that_of_brute_force(edges: list[tuple[int, int, str, int | None]]) -> None:
    pairs = judged(edges)
    made = recombine(pairs)
    expected = {
        ends: {1 - z for z in zeros if z < 2} for ends, zeros in composed_by_force(pairs).items()
    }
    got = {frozenset((pair.sentence1, pair.sentence2)): {pair.label} for pair in made.pairs}
    assert got == {ends: known for ends, known in expected.items() if len(known) == 1}
    assert made.conflicts == sum(len(known) == 2 for known in expected.values())
    assert made.unknown == sum(not known for known in expected.values())


@given(graphs, st.randoms(use_true_random=False))
def test_order_changes_nothing(
    edges: list[tuple[int, int, str, int | None]], random: Random
) -> None:
    pairs = judged(edges)
    other = [
        JudgedPair(p.id, *random.sample((p.sentence1, p.sentence2), 2), p.method, p.label)
        for p in random.sample(pairs, len(pairs))
    ]
    assert recombine(other) == recombine(pairs)


@given(graphs)
def test_the_label_follows_from_via(edges: list[tuple[int, int, str, int | None]]) -> None:
    pairs = judged(edges)
    label_of = {pair.id: pair.label for pair in pairs}
    for made in recombine(pairs, reach=2).pairs:
        zeros = [label_of[pair] for pair in made.via].count(0)
        assert made.label == {0: 1, 1: 0}[zeros]
