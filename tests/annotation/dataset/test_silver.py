"""The set that nobody judged: what methods say of candidates, and what follows from it."""

import pytest

from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.rows import CandidateRow, LeftOut, PairRow, SentenceRow, SilverPair
from annotation.dataset.settings import ReleaseSettings

SWAP, BACK = "word_swap", "back_translation"
SETTINGS = ReleaseSettings(unlabeled_dev=0)

SOURCE = SentenceRow("s1", "source", "s1")
SWAPPED = CandidateRow("c", "s1", "swapped", SWAP)
OF_SOURCE = CandidateRow("b1", "s1", "source again", BACK)
OF_SWAP = CandidateRow("b2", "s2", "swapped again", BACK)


def final(text: str, correction: str | None = None) -> SentenceRow:
    """The sentence that was judged, and rewritten further, of the swapped candidate."""
    return SentenceRow("s2", text, "s1", "s1", SWAP, correction)


def silver(
    *candidates: CandidateRow,
    sentences: tuple[SentenceRow, ...] = (SOURCE,),
    settings: ReleaseSettings = SETTINGS,
) -> ReleasePlan:
    return plan(sentences, [], candidates, settings=settings)


def labels(planned: ReleasePlan) -> dict[frozenset[str], int]:
    """Noisy labels by the two texts, each of which may stand there once."""
    found = [
        frozenset((planned.texts[p.sentence1], planned.texts[p.sentence2])) for p in planned.silver
    ]
    assert len(set(found)) == len(found)
    return dict(zip(found, (pair.noisy_label for pair in planned.silver), strict=True))


def between(one: str, other: str) -> frozenset[str]:
    return frozenset((one, other))


def test_a_swap_and_back_translations_of_both_sides_make_six_pairs() -> None:
    made = silver(SWAPPED, OF_SOURCE, OF_SWAP, sentences=(SOURCE, final("swapped", "accept")))
    assert labels(made) == {
        between("source", "swapped"): 0,
        between("source", "source again"): 1,
        between("swapped", "swapped again"): 1,
        between("swapped", "source again"): 0,
        between("source", "swapped again"): 0,
        between("source again", "swapped again"): 0,
    }


def test_a_swap_that_nobody_corrects_makes_the_same_pairs() -> None:
    accepted, uncorrected = (
        silver(SWAPPED, OF_SOURCE, OF_SWAP, sentences=(SOURCE, final("swapped", correction)))
        for correction in ("accept", None)
    )
    assert uncorrected.silver == accepted.silver


def test_back_translations_of_a_corrected_swap_are_recombined_over_the_corrected_pair() -> None:
    made = silver(SWAPPED, OF_SOURCE, OF_SWAP, sentences=(SOURCE, final("mended", "fix")))
    assert labels(made) == {
        between("source", "swapped"): 0,
        between("source", "source again"): 1,
        between("mended", "swapped again"): 1,
        between("swapped", "source again"): 0,
        between("mended", "source again"): 0,
        between("source", "swapped again"): 0,
        between("source again", "swapped again"): 0,
    }


def test_a_corrected_pair_itself_is_no_candidate() -> None:
    made = silver(SWAPPED, sentences=(SOURCE, final("mended", "fix")))
    assert labels(made) == {between("source", "swapped"): 0}


def test_a_rejected_swap_is_still_what_its_method_made() -> None:
    made = silver(SWAPPED, OF_SOURCE)
    assert labels(made) == {
        between("source", "swapped"): 0,
        between("source", "source again"): 1,
        between("swapped", "source again"): 0,
    }


def test_several_back_translations_of_each_side_are_all_recombined() -> None:
    of_source = [CandidateRow(f"b1{n}", "s1", f"source {n}", BACK) for n in range(3)]
    of_swap = [CandidateRow(f"b2{n}", "s2", f"swapped {n}", BACK) for n in range(2)]
    made = silver(SWAPPED, *of_source, *of_swap, sentences=(SOURCE, final("swapped")))
    assert len(labels(made)) == 1 + 3 + 2 + 3 + 2 + 3 * 2


def test_two_finals_of_one_candidate_are_one_text() -> None:
    other = SentenceRow("s3", "swapped", "s1", "s1", SWAP)
    of_other = CandidateRow("b3", "s3", "swapped once more", BACK)
    made = silver(SWAPPED, OF_SWAP, of_other, sentences=(SOURCE, final("swapped"), other))
    assert labels(made) == {
        between("source", "swapped"): 0,
        between("swapped", "swapped again"): 1,
        between("swapped", "swapped once more"): 1,
        between("source", "swapped again"): 0,
        between("source", "swapped once more"): 0,
    }


def test_texts_that_two_methods_label_both_ways_are_left_out() -> None:
    undone = CandidateRow("b2", "s2", "source", BACK)
    made = silver(SWAPPED, OF_SOURCE, undone, sentences=(SOURCE, final("swapped")))
    assert labels(made) == {
        between("source", "source again"): 1,
        between("swapped", "source again"): 0,
    }
    assert made.silver_left_out == 2


def test_a_back_translation_of_a_judged_family_in_test_is_left_out() -> None:
    sentences = (SOURCE, final("mended", "fix"))
    judged = [PairRow("p", "s1", "s2", SWAP, (5, 0))]
    made = plan(sentences, judged, [OF_SWAP], settings=ReleaseSettings(dev=0, test=1))
    assert [pair.split for pair in made.pairs] == ["test"]
    assert (made.silver, made.silver_left_out) == ((), 2)


def test_what_would_connect_two_splits_is_left_out() -> None:
    sources = [SentenceRow(f"s{n}", f"source {n}", f"s{n}") for n in range(2)]
    finals = [SentenceRow(f"f{n}", f"final {n}", f"s{n}", f"s{n}", BACK) for n in range(2)]
    judged = [PairRow(f"p{n}", f"s{n}", f"f{n}", BACK, (0, 5)) for n in range(2)]
    candidate = CandidateRow("b", "s0", "source 1", BACK)
    made = plan([*sources, *finals], judged, [candidate], settings=ReleaseSettings(dev=1, test=0))
    assert {pair.split for pair in made.pairs} == {"train", "dev"}
    assert made.silver == ()
    assert made.left_out[LeftOut.NOISY_BETWEEN] > 0


def test_a_pair_of_equal_sentences_is_left_out_of_dev() -> None:
    equal = CandidateRow("b2", "s1", "source", BACK)
    made = silver(OF_SOURCE, equal, settings=ReleaseSettings(unlabeled_dev=1.0, recombine=False))
    assert [(pair.id, pair.split) for pair in made.silver] == [("b1", "dev")]
    assert made.left_out[LeftOut.NOISY_EQUAL] == 1


@pytest.mark.parametrize("recombine", [True, False])
def test_the_original_stands_on_either_side(recombine: bool) -> None:
    settings = ReleaseSettings(unlabeled_dev=0, recombine=recombine)
    sources = tuple(SentenceRow(f"s{n}", f"source {n}", f"s{n}") for n in range(60))
    swaps = [CandidateRow(f"c{n}", f"s{n}", f"swapped {n}", SWAP) for n in range(60)]
    made = silver(*swaps, sentences=sources, settings=settings)
    first = sum(pair.sentence1.startswith("s") for pair in made.silver)
    assert first == 30
    assert all(isinstance(pair, SilverPair) for pair in made.silver)
