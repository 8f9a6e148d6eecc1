from itertools import combinations

import pytest

from annotation.dataset.recombination import (
    Arm,
    Edge,
    JudgedPair,
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
