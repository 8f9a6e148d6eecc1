"""Whether a sentence costs more late in a large run: claims and rows over 100,000 sentences.

The sentences are the first 10,000 of the file, numbered up to 100,000, so that those that are
compared are alike. They are rewritten by exchanging the first and the last word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from benchmarks.generation.embedded.pipeline import COMPARED, UNIT, run_over
from benchmarks.generation.embedded.place import Stopwatch, imported, numbered, texts
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, at_most

SENTENCES = 100_000
GOAL = 1.1
IDENTITIES = {"none": {"name": "exchange of two words", "revision": "1"}}


@dataclass(frozen=True)
class Exchange:
    """Accepts three in four sentences, their first and last word exchanged."""

    identities: dict[str, dict[str, str]]

    def outcomes(self, texts: Sequence[str]) -> Iterator[Any]:
        from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite

        for text in texts:
            first, *between, last = ["", *text.split()]
            changed = Rewrite(" ".join([last, *between, first]), "word", -1.0, -1.0)
            yield Outcome("refused") if len(text) % 4 == 0 else Outcome(ACCEPTED, (changed,))


def figures(options: Options) -> list[Figure]:
    """The last 10,000 of 100,000 sentences compared with the first 10,000."""
    from generation import methods

    watch = Stopwatch()
    sentences = list(islice(numbered(texts(options.file, COMPARED)), SENTENCES))
    with watch.on("import"):
        corpus = imported("growth", sentences, near_duplicates="off")
    original = methods.METHODS["word_swap"]
    methods.METHODS["word_swap"] = replace(
        original, rewriter=lambda *_: Exchange(IDENTITIES), identify=lambda _: IDENTITIES
    )
    with watch.on("run"):
        worked = run_over(corpus)
    methods.METHODS["word_swap"] = original
    last, first = worked.growth(COMPARED)
    of = f"of {SENTENCES:,}, without models"
    return [
        Figure(
            f"last {COMPARED:,} {of}",
            last,
            "core-ms each",
            reference=first,
            goal=at_most(GOAL, of_ratio=True),
        ),
        Figure(f"claims, measures and rows {of}", SENTENCES / watch.seconds["run"], UNIT),
    ]
