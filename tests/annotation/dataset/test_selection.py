from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.rows import ReleasedPair
from annotation.dataset.selection import subsets, surplus


def pair(
    name: str, method: str, *, kept: bool = True, votes: tuple[int, int] = (0, 5)
) -> ReleasedPair:
    sentence1, sentence2 = name
    label = 1 if kept else None
    return ReleasedPair(
        name, sentence1, sentence2, "judged", (), method, votes, label, kept, None, None
    )


def chosen(*pairs: ReleasedPair, texts: dict[str, str] | None = None) -> dict[str, str | None]:
    known = texts or {sentence: sentence for pair in pairs for sentence in pair.id}
    return dict(subsets(pairs, texts=known, swap_methods=("word_swap",), annotators_per_pair=5))


def test_back_translations_are_in_the_final_set() -> None:
    assert chosen(pair("ab", "back_translation")) == {"ab": "labeled_final"}


@pytest.mark.parametrize("translated", ["ac", "ca", "bc"])
def test_a_swap_with_a_back_translation_of_either_sentence_joins_it(translated: str) -> None:
    pairs = (pair("ab", "word_swap"), pair(translated, "back_translation"))
    assert chosen(*pairs)["ab"] == "labeled_final"


def test_a_swap_without_one_is_apart() -> None:
    pairs = (pair("ab", "word_swap"), pair("cd", "back_translation"))
    assert chosen(*pairs)["ab"] == "labeled_swap"


def test_a_back_translation_that_was_not_kept_is_no_counterpart() -> None:
    dropped = pair("ac", "back_translation", kept=False, votes=(2, 3))
    pairs = (pair("ab", "word_swap"), dropped, pair("xy", "back_translation"))
    assert chosen(*pairs) == {"ab": "labeled_swap", "ac": "low_agreement", "xy": "labeled_final"}


def test_an_equal_text_is_the_same_sentence() -> None:
    pairs = (pair("ab", "word_swap"), pair("cd", "back_translation"))
    texts = {"a": "A.", "b": "B.", "c": "A.", "d": "D."}
    assert chosen(*pairs, texts=texts)["ab"] == "labeled_final"


def test_without_any_back_translation_all_kept_swaps_are_final() -> None:
    assert chosen(pair("ab", "word_swap")) == {"ab": "labeled_final"}


def test_a_pair_that_still_waits_for_judgments_is_nowhere() -> None:
    assert chosen(pair("ab", "word_swap", kept=False, votes=(1, 1))) == {"ab": None}


@given(
    st.integers(1, 60),
    st.integers(1, 60),
    st.sampled_from(["0.2", "0.3", "0.442", "0.5", "0.7", "0.8"]),
    st.integers(),
)
def test_balancing_is_exact_to_the_pair(
    negatives: int, positives: int, share: str, seed: int
) -> None:
    rows = [labelled(f"n{n}", 0) for n in range(negatives)]
    rows += [labelled(f"p{n}", 1) for n in range(positives)]
    dropped = surplus(rows, paraphrase_share=float(share), seed=seed)
    left = Counter(row.label for row in rows if row.id not in dropped)
    # The label of which some were dropped keeps to its share, and one more pair would exceed it.
    for label, part in ((1, Fraction(share)), (0, 1 - Fraction(share))):
        if left[label] < (negatives, positives)[label]:
            assert left[label] <= part * left.total()
            assert left[label] + 1 > part * (left.total() + 1)
    assert left[0] == negatives or left[1] == positives


def test_only_what_may_be_dropped_is_dropped() -> None:
    rows = [labelled("n", 0)] + [labelled(f"p{n}", 1) for n in range(9)]
    assert surplus(rows, paraphrase_share=0.5, seed=0, droppable={"p1", "p2"}) == {"p1", "p2"}


def labelled(name: str, label: int) -> ReleasedPair:
    return ReleasedPair(
        name, "a", "b", "judged", (), "word_swap", (5, 5), label, True, "labeled_final", None
    )


def test_one_label_alone_cannot_be_balanced() -> None:
    with pytest.raises(ValueError, match="one label"):
        surplus([labelled("a", 1)], paraphrase_share=0.5, seed=0)
