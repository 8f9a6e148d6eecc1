"""A made-up study whose subsets follow from the rules with pencil and paper, and sets not judged.

Each line of STUDY is a pair: the two sentences, how the second was made, and how many of five said
that it is a paraphrase. A letter is a source; its swaps are A1, B1, ...; "a~" is a back translation
of a.
"""

from dataclasses import replace

import pytest

from releases.dataset.plan import plan
from releases.dataset.rows import CandidateRow, LeftOut, PairRow, SentenceRow
from releases.dataset.rules import repeated_texts
from releases.dataset.settings import ReleaseSettings

METHODS = {"swap": "word_swap", "back": "back_translation"}
ALL_TRAIN = ReleaseSettings(dev=0, test=0, unlabeled_dev=0)

STUDY = """
    a A1  swap 0    both sentences have a back translation: the paper's three pairs follow,
    a a~  back 5    (A1, a~), (a, A1~) and (a~, A1~), each over the one non-paraphrase
    A1 A1~ back 5
    b B1  swap 5    one sentence has: (B1, b~) follows, over two paraphrases
    b b~  back 4
    c C1  swap 1    no back translation: apart
    d D1  swap 2    three of five: low agreement, so nothing follows from it
    d d~  back 5
    e E1  swap 0    two non-paraphrases: the label of (E1, e~) is unknown
    e e~  back 1
    f F1  swap 0    its back translation was not kept: apart
    f f~  back 3
    g G1  swap 5    two sources with the same swap and the same back translation:
    g g~  back 5    (G1, g~) is a paraphrase by way of g and none by way of h, a conflict
    h G1  swap 0
    h g~  back 5
    i i   swap 5    repaired into its source: nothing new follows
    i i~  back 5
    j J1  swap 0/2  two answers so far
"""


def lines(text):
    return [line.split()[:4] for line in text.splitlines() if line]


def name(text, rows):
    return next(key for key, row in rows.items() if row.text == text)


def sentences(text):
    """A sentence for each source, and for each rewrite: equal words, another id."""
    rows = {}
    for first, second, method, *_ in lines(text):
        source = first.strip("1~").lower()
        rows.setdefault(source, SentenceRow(source, source, source))
        made = (METHODS[method], "fix" if first == second else None)
        rows[first + second] = SentenceRow(first + second, second, source, name(first, rows), *made)
    return list(rows.values())


def pairs(text):
    ids = {row.id: row for row in sentences(text)}
    for first, second, method, votes in lines(text):
        ones, _, answers = votes.partition("/")
        tally = (int(answers or 5) - int(ones), int(ones))
        rewrite = first + second
        yield PairRow(f"{first} {second}", name(first, ids), rewrite, METHODS[method], tally)


def planned(settings=ALL_TRAIN):
    return plan(sentences(STUDY), pairs(STUDY), settings=settings)


def texts_of(made, subset, origin="judged"):
    return {
        " ".join(sorted((pair.text1, pair.text2))): pair.label
        for pair in made.pairs
        if pair.subset == subset and pair.origin == origin
    }


def test_what_stands_in_which_subset():
    made = planned()
    assert texts_of(made, "labeled_final") == {
        "A1 a": 0, "a a~": 1, "A1 A1~": 1, "B1 b": 1, "b b~": 1, "d d~": 1, "E1 e": 0, "e e~": 0,
        "G1 g": 1, "g g~": 1, "G1 h": 0, "g~ h": 1, "i i": 1, "i i~": 1,
    }  # fmt: skip
    recombined = {"A1 a~": 0, "A1~ a": 0, "A1~ a~": 0, "B1 b~": 1}
    assert texts_of(made, "labeled_final", "recombined") == recombined
    assert (made.totals["conflicts"], made.totals["unknown"]) == (1, 1)
    assert texts_of(made, "labeled_swap") == {"C1 c": 0, "F1 f": 0}
    assert texts_of(made, "low_agreement") == {"D1 d": None, "f f~": None}
    assert made.left_out[LeftOut.WAITING] == 1
    qqp = [pair for pair in pairs(STUDY) if pair.method == "word_swap"]
    swaps = plan(sentences(STUDY), qqp, settings=ALL_TRAIN)  # as in PAWS-QQP, all kept are final
    assert {pair.subset for pair in swaps.pairs if pair.kept} == {"labeled_final"}
    assert {pair.origin for pair in swaps.pairs} == {"judged"}
    # The families hold 6, 3, 1, 2, 4 and 1 pairs that count.
    assert sorted(family.size for family in made.placing.families) == [1, 1, 2, 3, 4, 6]


def test_what_stands_in_dev_and_test_after_balancing_and_where_a_study_decides_early():
    # All of labeled_final is asked for: 18 pairs but for that of equal sentences.
    for split in ("dev", "test"):
        made = planned(replace(ALL_TRAIN, **{split: 17}))
        assert (
            sum((pair.subset, pair.split) == ("labeled_final", split) for pair in made.pairs) == 17
        )
        assert made.left_out[LeftOut.EQUAL] == 1
    # Of 18 pairs 11 are paraphrases: four of them go.
    made = planned(replace(ALL_TRAIN, paraphrase_share=0.5))
    final = [pair.label for pair in made.pairs if pair.subset == "labeled_final"]
    assert (final.count(0), final.count(1), made.left_out[LeftOut.SURPLUS]) == (7, 7, 4)
    # Four answers are enough where a study decides early.
    early = [pair._replace(tally=(4, 0)) if pair.id == "a A1" else pair for pair in pairs(STUDY)]
    made = plan(sentences(STUDY), early, settings=replace(ALL_TRAIN, decides_early=True))
    for subset in ("labeled_final", "low_agreement"):
        assert texts_of(made, subset) == texts_of(planned(), subset)
    assert made.left_out[LeftOut.WAITING] == 1


def test_a_back_translation_of_a_back_translation_adds_two_pairs_at_two_steps():
    """Three texts on the side of a and two on that of A1 make six, of which one was judged."""
    rows = [*sentences(STUDY), SentenceRow("a~a~~", "a~~", "a", "aa~", "back_translation")]
    judged = [*pairs(STUDY), PairRow("a~ a~~", "aa~", "a~a~~", "back_translation", (0, 5))]
    settings = replace(ALL_TRAIN, recombination_reach=2)
    made = texts_of(plan(rows, judged, settings=settings), "labeled_final", "recombined")
    of_a = dict.fromkeys(("A1 a~", "A1 a~~", "A1~ a", "A1~ a~", "A1~ a~~"), 0)
    assert {key: label for key, label in made.items() if "A1" in key} == of_a


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
    """Noisy labels by the two texts; each pair of texts may occur once."""
    found = {" / ".join(sorted((p.text1, p.text2))): p.label for p in planned.silver}
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


def test_a_moved_adverbial_is_labelled_as_a_paraphrase_also_where_it_was_corrected():
    moved = SWAPPED._replace(kind="adverbial")
    assert labels(silver(moved, OF_SOURCE)) == {
        "source / swapped": 1,
        "source / source again": 1,
        "source again / swapped": 1,
    }
    corrected = final("corrected", "fix")._replace(kind="adverbial")
    assert labels(silver(moved, OF_SWAP, sentences=[corrected])) == {
        "source / swapped": 1,
        "corrected / swapped again": 1,
        "source / swapped again": 1,
    }


def test_an_estimated_rewrite_takes_the_likelier_label_whatever_its_method():
    list_in_other_order = SWAPPED._replace(paraphrase=0.5)
    planned_pairs = silver(list_in_other_order, OF_SOURCE)
    assert set(labels(planned_pairs).values()) == {1}
    assert planned_pairs.figures("en")["unlabeled_estimated"] == 1
    moved_away = SWAPPED._replace(kind="adverbial", paraphrase=0.49)
    corrected = final("corrected", "fix")._replace(kind="adverbial", paraphrase=0.49)
    assert labels(silver(moved_away, OF_SWAP, sentences=[corrected])) == {
        "source / swapped": 0,
        "corrected / swapped again": 1,
        "source / swapped again": 0,
    }


def test_back_translations_of_a_corrected_swap_are_recombined_over_the_corrected_pair():
    corrected = [final("corrected", "fix")]
    assert labels(silver(SWAPPED, OF_SOURCE, OF_SWAP, sentences=corrected)) == {
        "source / swapped": 0, "source / source again": 1, "corrected / swapped again": 1,
        "source again / swapped": 0, "corrected / source again": 0, "source / swapped again": 0,
        "source again / swapped again": 0,
    }  # fmt: skip
    # Nothing is composed over an excluded pair, whose final text is there for its back translation.
    out = [row._replace(composes=False) for row in corrected]
    assert labels(silver(OF_SOURCE, OF_SWAP, sentences=out)) == {
        "source / source again": 1,
        "corrected / swapped again": 1,
    }
    # The corrected pair itself is no candidate.
    assert labels(silver(SWAPPED, sentences=corrected)) == {"source / swapped": 0}
    # Several back translations and finals of one swap are all recombined.
    of_source = [CandidateRow(f"b1{n}", "s1", f"source {n}", BACK) for n in range(3)]
    of_swap = [CandidateRow(f"b2{n}", f"s{2 + n}", f"swapped {n}", BACK) for n in range(2)]
    # Two finals of one candidate are one text.
    finals = [final("swapped"), final("swapped", key="s3")]
    made = silver(SWAPPED, *of_source, *of_swap, sentences=finals)
    assert len(labels(made)) == 1 + 3 + 2 + 3 + 2 + 3 * 2
    assert sum(labels(made).values()) == 3 + 2


def test_what_is_labelled_both_ways_or_connected_to_two_splits_or_equal_in_dev_is_left_out():
    undone = CandidateRow("b2", "s2", "source", BACK)
    made = silver(SWAPPED, OF_SOURCE, undone, sentences=[final("swapped")])
    assert labels(made) == {"source / source again": 1, "source again / swapped": 0}
    assert made.totals["silver_left_out"] == made.left_out[LeftOut.NOISY_CONFLICT] == 2
    judged = [PairRow("p", "s1", "s2", SWAP, (5, 0))]
    settings = ReleaseSettings(dev=0, test=1)
    made = plan([SOURCE, final("corrected", "fix")], judged, [OF_SWAP], settings=settings)
    assert [pair.split for pair in made.pairs] == ["test"]
    assert (made.silver, made.left_out[LeftOut.NOISY_OF_TEST]) == ((), 2)
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


def test_the_same_two_texts_are_released_once():
    sentences = [SOURCE, final("swapped"), final("swapped ", key="s3")]
    judged = [PairRow("p", "s1", "s2", SWAP, (5, 0)), PairRow("q", "s3", "s1", SWAP, (0, 5))]
    with pytest.raises(ValueError, match="p and q have the same two sentences"):
        plan(sentences, judged, settings=ALL_TRAIN)
    again = OF_SOURCE._replace(id="b9")
    made = silver(OF_SOURCE, again, recombine=False)
    assert [pair.id for pair in made.silver] == [OF_SOURCE.id]
    assert made.left_out[LeftOut.NOISY_REPEATED] == 1
    labelled = [(2, "p", "a", "b", 1), (3, "q", " b", "a", 1), (4, "r", "b", "a", 0)]
    assert [*repeated_texts(labelled, directed=False)] == [
        (3, "q has the texts of p"),
        (4, "r contradicts, with the same texts, p"),
    ]
