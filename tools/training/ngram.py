"""Train the embedded n-gram model: python -m tools.training.ngram DATA_DIR OUT_FILE.

DATA_DIR holds wikipedia-train.txt.xz and wikipedia-heldout.txt.xz, one sentence a line. The same
text gives the same model, byte for byte. Takes a few minutes and about 5 GB of memory.

Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, section 3). A rare trigram that
is left out passes its occurrences to its suffix, so that bigrams are estimated for the contexts
that back off to them (Siivola, Hirsimaki and Virpioja 2007, section III).
"""

import argparse
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from numpy.typing import NDArray

from generation.nlp.ngram import (
    ENDING_SIZES,
    SPECIAL,
    NgramArrays,
    NgramModel,
    Vocabulary,
    as_stored,
    ending_class,
    normal_form,
    save_arrays,
)

VOCABULARY = 65_500  # words and word classes; below 65,536, so that a word fits in 16 bits
ENDING_COUNT = 3_000  # occurrences of rare words that make their ending a class
TRIGRAM_COUNT = 2  # occurrences that keep a trigram

Values = NDArray[np.float64]
Places = NDArray[np.intp]
_Floats = NDArray[np.floating[Any]]
_END = ""  # never a word


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the embedded n-gram model.")
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("out_file", type=Path)
    options = parser.parse_args()
    text = number_text(read_tokens(options.data_dir / "wikipedia-train.txt.xz"))
    vocabulary = choose_vocabulary(text, size=VOCABULARY, ending_count=ENDING_COUNT)
    arrays = estimate(encode(text, vocabulary), vocabulary, least_count=TRIGRAM_COUNT)
    save_arrays(options.out_file, vocabulary.words, round_together(arrays))
    held_out = number_text(read_tokens(options.data_dir / "wikipedia-heldout.txt.xz"))
    print(f"perplexity {perplexity(NgramModel.load(options.out_file), held_out):.1f}")


@dataclass(frozen=True, slots=True)
class Text:
    """A text as numbers: `forms[stream[i]]` is its i-th word in lower case, 0 a sentence end."""

    forms: list[str]
    stream: NDArray[np.int32]


def read_tokens(path: Path) -> Iterator[list[str]]:
    """Yield the words of each line of an .xz text, tokenised as by the tagger at run time."""
    tokenizer = spacy.blank("en").tokenizer
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield [token.text for token in tokenizer(line.rstrip("\n")) if not token.is_space]


def number_text(sentences: Iterable[Sequence[str]]) -> Text:
    forms = {_END: 0}
    parts = [
        np.array([forms.setdefault(word.lower(), len(forms)) for word in [*words, _END]], np.int32)
        for words in sentences
    ]
    return Text(list(forms), np.concatenate(parts))


def choose_vocabulary(text: Text, *, size: int, ending_count: int) -> Vocabulary:
    """Choose the most frequent words, and classes for endings of at least `ending_count` others.

    `size` includes everything, even SPECIAL.
    """
    counts: Counter[str] = Counter()
    for form, count in zip(text.forms[1:], np.bincount(text.stream)[1:].tolist(), strict=True):
        counts[normal_form(form)] += count
    ranked = sorted(counts, key=lambda form: (-counts[form], form))
    room = size - len(SPECIAL)
    rare = {form: counts[form] for form in ranked[room:]}
    classes = [ending_class(ending) for ending in _endings(rare, ending_count)]
    return Vocabulary([*SPECIAL, *classes, *ranked[: room - len(classes)]])


def _endings(counts: dict[str, int], least: int) -> list[str]:
    """Return endings of one to three letters, frequent enough outside the longer endings taken."""
    endings: list[str] = []
    for size in ENDING_SIZES:
        numbers: Counter[str] = Counter()
        for form, count in counts.items():
            numbers[form[-size:]] += count
        new = {ending for ending, count in numbers.items() if count >= least}
        counts = {form: count for form, count in counts.items() if form[-size:] not in new}
        endings += sorted(new)
    return endings


def encode(text: Text, vocabulary: Vocabulary) -> NDArray[np.uint16]:
    """Return the text in vocabulary numbers, with BOS before and EOS after each sentence."""
    numbers = vocabulary.ids(text.forms).astype(np.uint16)
    numbers[0] = vocabulary.eos
    words = numbers[text.stream]
    starts = np.flatnonzero(words[:-1] == vocabulary.eos) + 1
    return np.insert(words, np.concatenate(([0], starts)), np.uint16(vocabulary.bos))


@dataclass(frozen=True, slots=True)
class Counts:
    """The n-grams of one order, sorted by their words, with indices into the lower order.

    `context` is the index of all words but the last, `suffix` that of all but the first; for
    bigrams both are words. `count` is the count for Kneser-Ney smoothing: occurrences of trigrams,
    distinct preceding words of bigrams.
    """

    context: Places  # (n,)
    suffix: Places  # (n,)
    count: Values  # (n,)


def count_trigrams_and_bigrams(
    words: NDArray[np.uint16], *, bos: int, eos: int
) -> tuple[Counts, Counts]:
    """Count the n-grams of concatenated sentences; none crosses a sentence boundary.

    A bigram that begins a sentence has no word before it and keeps its occurrence count (as do the
    highest n-grams).
    """
    w = words.astype(np.uint64)
    pair = w[:-1] << np.uint64(16) | w[1:]
    inside = w[:-1] != eos
    bigram_keys, bigram_count = np.unique(pair[inside], return_counts=True)
    triple = pair[:-1] << np.uint64(16) | w[2:]
    trigram_keys, count = np.unique(triple[inside[:-1] & inside[1:]], return_counts=True)
    context = np.searchsorted(bigram_keys, trigram_keys >> np.uint64(16))
    suffix = np.searchsorted(bigram_keys, trigram_keys & np.uint64(2**32 - 1))
    trigrams = Counts(context, suffix, count.astype(np.float64))
    first = (bigram_keys >> np.uint64(16)).astype(np.intp)
    second = (bigram_keys & np.uint64(2**16 - 1)).astype(np.intp)
    preceding = np.bincount(suffix, minlength=len(bigram_keys))
    bigram_count = np.where(first == bos, bigram_count, preceding)
    return trigrams, Counts(first, second, bigram_count.astype(np.float64))


@dataclass(frozen=True, slots=True)
class Order:
    """One smoothed order.

    `probability` is that of the last word of each n-gram after its context, `backed_off` the part
    of it from the shorter context, and `backoff` the weight of the shorter context after each
    context (1 after unseen contexts).
    """

    probability: Values  # (n,)
    backed_off: Values  # (n,)
    backoff: Values  # (contexts,)


def discounts(count: Values) -> Values:
    """Return the discounts of counts 0, 1, 2 and 3 or more: D = k - (k + 1) Y n[k+1] / n[k].

    Falls back to 0.5, 1 and 1.5 if the counts of counts allow no estimate (a tiny text).
    """
    counts_of_counts = [float(np.count_nonzero(count == k)) for k in range(5)]
    if min(counts_of_counts[1:]) == 0:
        return np.array([0.0, 0.5, 1.0, 1.5])
    y = counts_of_counts[1] / (counts_of_counts[1] + 2 * counts_of_counts[2])
    estimate = [k - (k + 1) * y * counts_of_counts[k + 1] / counts_of_counts[k] for k in (1, 2, 3)]
    return np.array([0.0, *np.clip(estimate, 0.1, (0.99, 1.99, 2.99))])


def smooth(
    ngrams: Counts, discount_of_count: Values, lower: Values, *, contexts: int, least_count: int = 0
) -> Order:
    """Interpolate n-grams with `lower`, the probability of each one's suffix.

    The whole count of a rarer n-gram than `least_count` goes to the shorter context.
    """
    discounted = discount_of_count[np.minimum(ngrams.count, 3).astype(np.intp)]
    loss = np.where(ngrams.count >= least_count, discounted, ngrams.count)
    total = np.bincount(ngrams.context, ngrams.count, contexts)
    mass_freed = np.bincount(ngrams.context, loss, contexts)
    backoff = np.divide(mass_freed, total, out=np.ones(contexts), where=total > 0)
    discounted_share = (ngrams.count - loss) / total[ngrams.context]
    backed_off = backoff[ngrams.context] * lower
    return Order(discounted_share + backed_off, backed_off, backoff)


def estimate(text: NDArray[np.uint16], vocabulary: Vocabulary, *, least_count: int) -> NgramArrays:
    """Return the model of all bigrams, and of trigrams with at least `least_count` occurrences."""
    words, bos = len(vocabulary), vocabulary.bos
    trigrams, bigrams = count_trigrams_and_bigrams(text, bos=bos, eos=vocabulary.eos)
    discounts2, discounts3 = discounts(bigrams.count), discounts(trigrams.count)
    is_kept = trigrams.count >= least_count
    # Each was counted once among the bigrams, as one more word before its suffix.
    counts_passed_on = np.bincount(
        trigrams.suffix[~is_kept], trigrams.count[~is_kept] - 1, minlength=len(bigrams.count)
    )
    bigrams = replace(bigrams, count=bigrams.count + counts_passed_on)

    order1 = _smooth_unigrams(np.bincount(bigrams.suffix, minlength=words).astype(float), bos)
    p1 = order1.probability[bigrams.suffix]
    order2 = smooth(bigrams, discounts2, p1, contexts=words)
    p2 = order2.probability[trigrams.suffix]
    contexts = len(bigrams.count)
    order3 = smooth(trigrams, discounts3, p2, contexts=contexts, least_count=least_count)
    # Probabilities are stored as gains over backing off.
    suffix = trigrams.suffix[is_kept]
    bigram_counts = np.bincount(bigrams.context, minlength=words)
    first_bigram = np.cumsum(bigram_counts) - bigram_counts
    return NgramArrays(
        unigram=np.log(order1.probability),
        word_backoff=np.log(order2.backoff),
        bigram_counts=bigram_counts,
        bigram_second=bigrams.suffix.astype(np.uint16),
        bigram_gain=np.log(order2.probability / order2.backed_off),
        pair_backoff=np.log(order3.backoff),
        trigram_counts=np.bincount(trigrams.context[is_kept], minlength=contexts),
        trigram_rank=(suffix - first_bigram[bigrams.context[suffix]]).astype(np.uint16),
        trigram_gain=np.log(order3.probability / order3.backed_off)[is_kept],
    )


def _smooth_unigrams(count: Values, bos: int) -> Order:
    """Interpolate with the uniform distribution over all words but BOS, which never occurs."""
    nothing = np.zeros(len(count), np.intp)
    unigrams = Counts(nothing, nothing, count)
    uniform = np.full(len(count), 1 / (len(count) - 1))
    uniform[bos] = np.finfo(np.float64).tiny
    return smooth(unigrams, discounts(count), uniform, contexts=1)


def round_together(arrays: NgramArrays) -> NgramArrays:
    """Return the storable model whose n-grams are nearest to those of `arrays`.

    Each order compensates for rounding in the order below. If rounded independently, the errors of
    a word's four or five terms would add up, and those of the most frequent words would shift every
    sentence's score.
    """
    exact2 = _bigram_backoff_log_probs(arrays) + arrays.bigram_gain
    exact3 = _trigram_backoff_log_probs(arrays) + arrays.trigram_gain
    result = replace(
        arrays,
        unigram=as_stored("unigram", arrays.unigram),
        word_backoff=as_stored("word_backoff", arrays.word_backoff),
        pair_backoff=as_stored("pair_backoff", arrays.pair_backoff),
    )
    gain2 = as_stored("bigram_gain", exact2 - _bigram_backoff_log_probs(result))
    result = replace(result, bigram_gain=gain2)
    gain3 = as_stored("trigram_gain", exact3 - _trigram_backoff_log_probs(result))
    return replace(result, trigram_gain=gain3)


def _bigram_backoff_log_probs(arrays: NgramArrays) -> _Floats:
    backoff = np.repeat(arrays.word_backoff, arrays.bigram_counts)
    return backoff.astype(np.float64) + arrays.unigram[arrays.bigram_second]


def _trigram_backoff_log_probs(arrays: NgramArrays) -> _Floats:
    shorter = _bigram_backoff_log_probs(arrays) + arrays.bigram_gain
    starts = np.cumsum(arrays.bigram_counts) - arrays.bigram_counts
    middle = np.repeat(arrays.bigram_second, arrays.trigram_counts)
    backoff = np.repeat(arrays.pair_backoff, arrays.trigram_counts)
    shorter_of_each = shorter[starts[middle] + arrays.trigram_rank]
    return np.asarray(backoff.astype(np.float64) + shorter_of_each)


def perplexity(model: NgramModel, text: Text) -> float:
    """Return the perplexity per token: punctuation, sentence ends, unknown words as their class."""
    bos = model.vocabulary.bos
    words = encode(text, model.vocabulary).astype(np.int64)
    before = np.concatenate(([bos], words[:-1]))
    two_before = np.where(before == bos, bos, np.concatenate(([bos, bos], words[:-2])))
    trigrams = np.stack([two_before, before, words], axis=1)[words != bos]
    return float(np.exp(-model.log_probs(trigrams).mean()))


if __name__ == "__main__":
    main()
