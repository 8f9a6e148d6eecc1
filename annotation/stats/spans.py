"""Words of a pair that decide a label, as spans of its two sentences.

A span is [sentence, start, end]: 1 or 2 for the first or second sentence, and the half-open range
of its characters (Unicode code points).
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int, int]
MOST_SPANS = 40


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return the same characters as few spans in the order of the text.

    >>> merged([(2, 0, 3), (1, 4, 9), (2, 3, 5)])
    [(1, 4, 9), (2, 0, 5)]
    """
    joined: list[Span] = []
    for sentence, start, end in sorted(spans):
        if joined and joined[-1][0] == sentence and start <= joined[-1][2]:
            joined[-1] = (sentence, joined[-1][1], max(joined[-1][2], end))
        else:
            joined.append((sentence, start, end))
    return joined


def turned(spans: Iterable[Sequence[int]]) -> list[Span]:
    """Return the spans of the pair with its sentences in the other order."""
    return sorted((3 - sentence, start, end) for sentence, start, end in spans)


def fit(spans: Iterable[Sequence[int]], texts: Sequence[str]) -> bool:
    """Return whether each span has a character and is inside its sentence."""
    return all(
        sentence in (1, 2) and 0 <= start < end <= len(texts[sentence - 1])
        for sentence, start, end in spans
    )


def marked(spans: Iterable[Sequence[int]], texts: Sequence[str]) -> list[str]:
    """Return the characters of each span."""
    return [texts[sentence - 1][start:end] for sentence, start, end in spans]
