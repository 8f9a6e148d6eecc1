"""Interpolated modified Kneser-Ney written a second time, straight from its formulas."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from generation.nlp.vocabulary import BOS, EOS

Ngram = tuple[str, ...]
LIMITS = (0.99, 1.99, 2.99)


class KneserNey:
    """A trigram model of tokenised sentences whose words are all in `vocabulary` (BOS left out)."""

    def __init__(self, sentences: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> None:
        self._vocabulary = vocabulary
        seen = [
            tuple(padded[start : start + size])
            for words in sentences
            for padded in [[BOS, *words, EOS]]
            for size in (2, 3)
            for start in range(len(padded) - size + 1)
        ]
        occurrences = Counter(seen)
        trigrams = {ngram: count for ngram, count in occurrences.items() if len(ngram) == 3}
        bigrams = {
            ngram: count if ngram[0] == BOS else sum(t[1:] == ngram for t in trigrams)
            for ngram, count in occurrences.items()
            if len(ngram) == 2
        }
        unigrams = Counter(ngram[1:] for ngram in bigrams)
        self._counts: list[Mapping[Ngram, int]] = [unigrams, bigrams, trigrams]
        self._discounts = [discounts(counts.values()) for counts in self._counts]

    def probability(self, context: Ngram, word: str) -> float:
        """p(word | context), the context being of two words, one or none."""
        counts, discount = self._counts[len(context)], self._discounts[len(context)]
        followers = {n: c for n, c in counts.items() if n[:-1] == context}
        shorter = self.probability(context[1:], word) if context else 1 / len(self._vocabulary)
        if not followers:
            return shorter
        total = sum(followers.values())
        own = counts.get((*context, word), 0)
        left_over = sum(discount(count) for count in followers.values())
        return (own - discount(own)) / total + left_over / total * shorter


def discounts(counts: Collection[int]) -> Callable[[int], float]:
    """Chen and Goodman 1998, equation 26, or 0.5, 1 and 1.5 where it has no solution."""
    n1, n2, n3, n4 = (sum(count == k for count in counts) for k in (1, 2, 3, 4))
    if min(n1, n2, n3, n4) == 0:
        return lambda count: 0.5 * min(count, 3)
    y = n1 / (n1 + 2 * n2)
    raw = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    values = [0.0, *(min(max(d, 0.1), limit) for d, limit in zip(raw, LIMITS, strict=True))]
    return lambda count: values[min(count, 3)]
