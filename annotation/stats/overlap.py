"""How many words the two sentences of a pair share, by label (PARADE 4.4, Figure 1).

A paraphrase with few shared words is hard to recognize, and so is a pair that shares most of its
words and means something else. The measure is Jaccard similarity: the number of words in both
sentences divided by the number in either.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from statistics import fmean, median
from typing import Any

import snowballstemmer

from generation.nlp.words import words

# Frequent words that say little: the stop words of spaCy 3.8 (`spacy.lang.en.stop_words`, MIT
# licence) without its forms with an apostrophe. They are data, as importing spaCy takes a second.
_ENGLISH = """
a about above across after afterwards again against all almost alone along already also although
always am among amongst amount an and another any anyhow anyone anything anyway anywhere are
around as at back be became because become becomes becoming been before beforehand behind being
below beside besides between beyond both bottom but by ca call can cannot could did do does doing
done down due during each eight either eleven else elsewhere empty enough even ever every everyone
everything everywhere except few fifteen fifty first five for former formerly forty four from
front full further get give go had has have he hence her here hereafter hereby herein hereupon
hers herself him himself his how however hundred i if in indeed into is it its itself just keep
last latter latterly least less made make many may me meanwhile might mine more moreover most
mostly move much must my myself name namely neither never nevertheless next nine no nobody none
noone nor not nothing now nowhere of off often on once one only onto or other others otherwise our
ours ourselves out over own part per perhaps please put quite rather re really regarding same say
see seem seemed seeming seems serious several she should show side since six sixty so some somehow
someone something sometime sometimes somewhere still such take ten than that the their them
themselves then thence there thereafter thereby therefore therein thereupon these they third this
those though three through throughout thru thus to together too top toward towards twelve twenty
two under unless until up upon us used using various very via was we well were what whatever when
whence whenever where whereafter whereas whereby wherein whereupon wherever whether which while
whither who whoever whole whom whose why will with within without would yet you your yours
yourself yourselves
"""
ENGLISH = frozenset(_ENGLISH.split())

BINS = 10
# Similarities are quotients of small integers: rounding errors are far below, distances above this.
EDGE = 1e-9
DIGITS = 6

Words = Callable[[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Distribution:
    """Similarities of some pairs. `bins` counts them from 0 to 0.1, 0.1 to 0.2, ... 0.9 to 1."""

    pairs: int
    mean: float | None
    median: float | None
    bins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """The distribution for each label, and similarity as a scorer of paraphrases.

    `average_precision` is that of all pairs, and `on_test` that of the test set: how well the
    number of shared words alone tells paraphrases from other pairs. A random scorer reaches the
    share of paraphrases.
    """

    negatives: Distribution
    positives: Distribution
    average_precision: float | None
    on_test: float | None

    def to_dict(self) -> dict[str, Any]:
        values = asdict(self)
        for name in ("negatives", "positives"):
            values[name]["bins"] = list(values[name]["bins"])
        return values


def is_english(language: str) -> bool:
    """Return whether stop words are left out and words are stemmed, as in the paper."""
    return language.partition("-")[0].lower() == "en"


def words_of(language: str = "en") -> Words:
    """Return the function that gives the distinct words of a text, without case and punctuation.

    English words are stemmed (Snowball) and stop words are left out; words of other languages are
    taken as they are, and characters in scripts without spaces.

    >>> sorted(words_of("en")("The clients were requesting a page!"))
    ['client', 'page', 'request']
    """
    stem, ignored = _stemmer(language)

    def distinct(text: str) -> frozenset[str]:
        return frozenset(map(stem, {*words(text.casefold())} - ignored))

    return distinct


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard similarity of two sets of words; 0 if both are empty.

    >>> jaccard(frozenset("ab"), frozenset("bc")) == 1 / 3
    True
    """
    both = len(one & other)
    either = len(one) + len(other) - both
    return both / either if either else 0.0


def distribution(similarities: Sequence[float]) -> Distribution:
    """Return the distribution of similarities from 0 to 1; the mean is None without any.

    >>> distribution([0.0, 0.3, 1.0]).bins
    (1, 0, 0, 1, 0, 0, 0, 0, 0, 1)
    """
    bins = [0] * BINS
    for value in similarities:
        bins[min(BINS - 1, int(BINS * value + EDGE))] += 1
    if not similarities:
        return Distribution(0, None, None, tuple(bins))
    average, middle = fmean(similarities), median(similarities)
    return Distribution(
        len(similarities), round(average, DIGITS), round(middle, DIGITS), tuple(bins)
    )


def average_precision(scored: Iterable[tuple[float, int]]) -> float | None:
    """Return the average precision of scores for labels 0 and 1; None unless both labels occur.

    The mean of the precision at each paraphrase, from the highest score down. Pairs of equal scores
    come together, so their order has no effect.

    >>> average_precision([(0.9, 1), (0.8, 0), (0.7, 1)])
    0.833333
    """
    order = sorted(scored, key=itemgetter(0), reverse=True)
    positives = sum(label for _, label in order)
    if not 0 < positives < len(order):
        return None
    positives_so_far = pairs_so_far = 0
    total = 0.0
    for _, equal in groupby(order, key=itemgetter(0)):
        labels = [label for _, label in equal]
        positives_so_far, pairs_so_far = positives_so_far + sum(labels), pairs_so_far + len(labels)
        total += sum(labels) * positives_so_far / pairs_so_far
    return round(total / positives, DIGITS)


def measure(pairs: Iterable[tuple[str, str, int, bool]], language: str = "en") -> Overlap:
    """Measure pairs: two texts, the label (0 or 1), and whether the pair is in the test set."""
    distinct = words_of(language)
    rows = [
        (jaccard(distinct(one), distinct(other)), label, is_test)
        for one, other, label, is_test in pairs
    ]
    by_label: Mapping[int, list[float]] = {0: [], 1: []}
    for value, label, _ in rows:
        by_label[label].append(value)
    return Overlap(
        negatives=distribution(by_label[0]),
        positives=distribution(by_label[1]),
        average_precision=average_precision((value, label) for value, label, _ in rows),
        on_test=average_precision((value, label) for value, label, is_test in rows if is_test),
    )


def _stemmer(language: str) -> tuple[Callable[[str], str], frozenset[str]]:
    if not is_english(language):
        return str, frozenset()
    return cache(snowballstemmer.stemmer("english").stemWord), ENGLISH
