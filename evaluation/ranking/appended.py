"""Pairs whose first sentence says more and more than the second (partial paraphrases 3.3)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generation.nlp.continuation import Writer, seeded_draw

# At how many words the further text is cut.
CUTS = (5, 10, 15, 20, 25, 30)
MARKS = ".!?…;:"
JOINT = ", and"


@dataclass(frozen=True, slots=True)
class AppendedRow:
    """A paraphrase with `words` more in its first sentence; only without any is its label 1."""

    id: str
    words: int
    sentence1: str
    sentence2: str
    label: int


def append_words(
    pairs: Iterable[tuple[str, str, str]], writer: Writer, *, seed: int
) -> Iterator[AppendedRow]:
    """Yield each pair (id, a, b) as it is, then with 5, 10, ... 30 further words after a.

    The words of a pair depend on the seed, its id and a; a shorter text begins the longer ones.
    """
    for pair, first, second in pairs:
        yield AppendedRow(pair, 0, first, second, 1)
        context = opening(first)
        words = writer.continue_(context, CUTS[-1], seeded_draw(seed, pair))
        for cut in CUTS:
            yield AppendedRow(pair, cut, f"{context} {' '.join(words[:cut])}.", second, 0)


def opening(sentence: str) -> str:
    """Return a sentence without its final mark, and with ", and".

    >>> opening("It rained .")
    'It rained, and'
    """
    return sentence.rstrip().rstrip(MARKS).rstrip() + JOINT
