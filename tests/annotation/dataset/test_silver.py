"""The set that nobody judged: what methods say of candidates, and what follows from it."""

from annotation.dataset.plan import plan
from annotation.dataset.rows import CandidateRow, LeftOut, PairRow, SentenceRow
from annotation.dataset.settings import ReleaseSettings

SWAP, BACK = "word_swap", "back_translation"
SOURCE = SentenceRow("s1", "source", "s1")
SWAPPED = CandidateRow("c", "s1", "swapped", SWAP)
OF_SOURCE = CandidateRow("b1", "s1", "source again", BACK)
OF_SWAP = CandidateRow("b2", "s2", "swapped again", BACK)


def final(text, correction=None, key="s2"):
    return SentenceRow(key, text, "s1", "s1", SWAP, correction)


def silver(*candidates, sentences=(), **settings):
    settings = ReleaseSettings(**{"unlabeled_dev": 0} | settings)
    return plan([SOURCE, *sentences], [], candidates, settings=settings)


def labels(planned):
    """Noisy labels by the two texts, each of which may stand there once."""
    found = {
        " / ".join(sorted((planned.texts[p.sentence1], planned.texts[p.sentence2]))): p.noisy_label
        for p in planned.silver
    }
    assert len(found) == len(planned.silver)
    return found


def test_candidates_and_what_is_composed_of_them_take_the_labels_of_their_methods():
    both = (SWAPPED, OF_SOURCE, OF_SWAP)
    six = {
        "source / swapped": 0, "source / source again": 1, "swapped / swapped again": 1,
        "source again / swapped": 0, "source / swapped again": 0,
        "source again / swapped again": 0,
    }  # fmt: skip
    for correction in ("accept", None):
        assert labels(silver(*both, sentences=[final("swapped", correction)])) == six
    # A rejected swap is still what its method made.
    two = {"source / swapped": 0, "source / source again": 1}
    assert labels(silver(*both[:2])) == two | {"source again / swapped": 0}
    assert labels(silver(*both[:2], sentences=[final("swapped")], recombine=False)) == two
    assert labels(silver(CandidateRow("i", "s1", "imported", "imported"))) == {}


def test_back_translations_of_a_corrected_swap_are_recombined_over_the_corrected_pair():
    corrected = [final("corrected", "fix")]
    assert labels(silver(SWAPPED, OF_SOURCE, OF_SWAP, sentences=corrected)) == {
        "source / swapped": 0, "source / source again": 1, "corrected / swapped again": 1,
        "source again / swapped": 0, "corrected / source again": 0, "source / swapped again": 0,
        "source again / swapped again": 0,
    }  # fmt: skip
    # The corrected pair itself is no candidate.
    assert labels(silver(SWAPPED, sentences=corrected)) == {"source / swapped": 0}


def test_texts_that_two_methods_label_both_ways_are_left_out():
    undone = CandidateRow("b2", "s2", "source", BACK)
    made = silver(SWAPPED, OF_SOURCE, undone, sentences=[final("swapped")])
    assert labels(made) == {"source / source again": 1, "source again / swapped": 0}
    assert made.silver_left_out == made.left_out[LeftOut.NOISY_CONFLICT] == 2


def test_what_is_connected_to_test_or_to_two_splits_or_equal_in_dev_is_left_out():
    judged = [PairRow("p", "s1", "s2", SWAP, (5, 0))]
    settings = ReleaseSettings(dev=0, test=1)
    made = plan([SOURCE, final("corrected", "fix")], judged, [OF_SWAP], settings=settings)
    assert [pair.split for pair in made.pairs] == ["test"]
    assert (made.silver, made.silver_left_out, made.left_out[LeftOut.NOISY_OF_TEST]) == ((), 2, 2)
    sources = [SentenceRow(f"s{n}", f"source {n}", f"s{n}") for n in range(2)]
    finals = [SentenceRow(f"f{n}", f"final {n}", f"s{n}", f"s{n}", BACK) for n in range(2)]
    judged = [PairRow(f"p{n}", f"s{n}", f"f{n}", BACK, (0, 5)) for n in range(2)]
    candidate = CandidateRow("b", "s0", "source 1", BACK)
    made = plan([*sources, *finals], judged, [candidate], settings=ReleaseSettings(dev=1, test=0))
    assert {pair.split for pair in made.pairs} == {"train", "dev"}
    assert made.silver == ()
    assert made.left_out[LeftOut.NOISY_BETWEEN] == 1
    # A pair of equal sentences is left out of dev.
    equal = CandidateRow("b2", "s1", "source", BACK)
    made = silver(OF_SOURCE, equal, unlabeled_dev=1.0, recombine=False)
    assert [(pair.id, pair.split) for pair in made.silver] == [("b1", "dev")]
    assert made.left_out[LeftOut.NOISY_EQUAL] == 1


def test_several_back_translations_and_finals_of_one_swap_are_all_recombined():
    of_source = [CandidateRow(f"b1{n}", "s1", f"source {n}", BACK) for n in range(3)]
    of_swap = [CandidateRow(f"b2{n}", f"s{2 + n}", f"swapped {n}", BACK) for n in range(2)]
    # Two finals of one candidate are one text.
    finals = [final("swapped"), final("swapped", key="s3")]
    made = silver(SWAPPED, *of_source, *of_swap, sentences=finals)
    assert len(labels(made)) == 1 + 3 + 2 + 3 + 2 + 3 * 2
    assert sum(labels(made).values()) == 3 + 2
