"""Shared words: by hand to four digits, and against a separate computation in numpy."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
import snowballstemmer
from spacy.lang.en.stop_words import STOP_WORDS

from annotation.stats.overlap import (
    ENGLISH,
    average_precision,
    distribution,
    jaccard,
    measure,
    words_of,
)

WORDS = words_of("en")
BY_HAND = [
    ("A sentence.", "A sentence!", 1.0),
    ("The clients request a page", "A page was requested by clients.", 1.0),
    # {virtual, machin} of {virtual, machin, run, host, guest}
    ("virtual machines run on hosts", "guests of a Virtual_Machine", 0.4),
    ("one two three", "the same again", 0.0),  # stop words only
    ("", "...", 0.0),
    # {don't} becomes don and t; neither is a stop word.
    ("don't panic", "panic", 0.3333),
    ("cache hit", "cache miss", 0.3333),
    ("a b c d e f g", "b c d e f g h", 0.8571),
]


@pytest.mark.parametrize(("one", "other", "wanted"), BY_HAND)
def test_similarity_by_hand(one, other, wanted):
    assert round(jaccard(WORDS(one), WORDS(other)), 4) == wanted


def test_stop_words_are_those_of_spacy_that_a_token_can_be():
    assert len(STOP_WORDS) == 326
    assert {word for word in STOP_WORDS if re.fullmatch(r"[^\W_]+", word)} == ENGLISH


def test_other_languages_keep_every_word_as_it_is():
    german = words_of("de-AT")("Die Katzen und die KATZE, daß")
    assert german == {"die", "katzen", "und", "katze", "dass"}


def test_bins_mean_and_median():
    found = distribution([0.0, 0.1, 0.1999, 0.3, 0.6, 0.7, 1.0])
    assert found.bins == (1, 2, 0, 1, 0, 0, 1, 1, 0, 1)
    assert (found.pairs, found.mean, found.median) == (7, 0.414271, 0.3)
    assert distribution([]).mean is None


def test_equal_scores_count_at_once():
    assert average_precision([(0.5, 1), (0.5, 0)]) == average_precision([(0.5, 0), (0.5, 1)]) == 0.5
    assert average_precision([(0.5, 1)]) is None


def separate(pairs):
    """Compute the figures of PARADE 4.4 from matrices of words, by the formulas alone."""
    stem = snowballstemmer.EnglishStemmer().stemWord
    letters = re.compile(r"[a-z0-9]+")
    texts = [
        [stem(t) for t in letters.findall(text.lower()) if t not in STOP_WORDS]
        for one, other, _ in pairs
        for text in (one, other)
    ]
    places = {word: at for at, word in enumerate(sorted({w for text in texts for w in text}))}
    matrix = np.zeros((len(texts), len(places)), bool)
    for row, text in enumerate(texts):
        matrix[row, [places[word] for word in text]] = True
    both = (matrix[::2] & matrix[1::2]).sum(1)
    either = (matrix[::2] | matrix[1::2]).sum(1)
    tenths = np.where(either, np.minimum(9, 10 * both // np.maximum(either, 1)), 0)
    values = np.where(either, both / np.maximum(either, 1), 0.0)
    labels = np.array([label for *_, label in pairs])
    ranks = [(values >= value) for value in values[labels == 1]]
    precision = np.mean([labels[above].mean() for above in ranks])
    return {
        label: (
            np.bincount(tenths[labels == label], minlength=10).tolist(),
            values[labels == label].mean(),
            np.median(values[labels == label]),
        )
        for label in (0, 1)
    } | {"precision": precision}


def test_figures_equal_a_separate_computation():
    with Path("operations/demonstration/paraphrases.tsv").open(encoding="utf-8") as file:
        lines = [line.split("\t")[1].strip() for line in file if line.isascii()]
    random = Random(7)
    pairs = []
    for one in lines[:300]:
        words = one.split()
        changed = [word if random.random() < 0.7 else "another" for word in words]
        other = random.choice([" ".join(changed), random.choice(lines)])
        pairs.append((one, other, random.randint(0, 1)))
    found = measure((*pair, False) for pair in pairs)
    wanted = separate(pairs)
    for label, part in enumerate((found.negatives, found.positives)):
        bins, mean, median = wanted[label]
        assert list(part.bins) == bins
        assert (part.mean, part.median) == pytest.approx((mean, median), abs=1e-6)
    assert found.average_precision == pytest.approx(wanted["precision"], abs=1e-6)
    assert found.on_test is None
