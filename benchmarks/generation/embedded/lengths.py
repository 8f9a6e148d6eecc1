"""How long the search takes by the length of a sentence, tagged beforehand."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.generation.embedded.place import texts
from benchmarks.generation.parts import Options
from benchmarks.table import Figure

BANDS = ((5, 15), (16, 25), (26, 40), (41, 60))
SENTENCES = 500
WITHOUT_CHOICE = {"too_short", "too_long", "nothing_to_swap"}


@dataclass(frozen=True)
class Tagged:
    """A tagger that has done its work."""

    sentences: list[Any]

    def tag(self, texts: Iterable[str]) -> Iterator[Any]:
        return iter(self.sentences)


def figures(options: Options) -> list[Figure]:
    """Core-milliseconds for each sentence of a length in tokens, and for each that has a choice."""
    from generation.methods import word_swap

    swapper: Any = word_swap.METHOD.load(word_swap.METHOD.configure({}), options.seed)
    bands = _bands(swapper.tagger.tag(texts(options.file)))
    list(_searched(swapper, bands[BANDS[0]][:50]))  # the first search of a process loads more
    return [figure for band in BANDS for figure in _figures(swapper, band, bands[band])]


def _bands(tagged: Iterable[Any]) -> dict[tuple[int, int], list[Any]]:
    """Return up to SENTENCES sentences of each band."""
    bands: dict[tuple[int, int], list[Any]] = {band: [] for band in BANDS}
    for sentence in tagged:
        for (low, high), gathered in bands.items():
            if low <= len(sentence.tokens) <= high and len(gathered) < SENTENCES:
                gathered.append(sentence)
        if all(len(gathered) == SENTENCES for gathered in bands.values()):
            break
    return bands


def _figures(swapper: Any, band: tuple[int, int], sentences: list[Any]) -> list[Figure]:
    began = time.process_time()
    outcomes = list(_searched(swapper, sentences))
    milliseconds = 1000 * (time.process_time() - began)
    chosen = [each for each in outcomes if str(each) not in WITHOUT_CHOICE]
    name = f"search, {band[0]} to {band[1]} tokens"
    return [
        Figure(name, milliseconds / max(1, len(outcomes)), f"core-ms, of {len(outcomes)}"),
        Figure(
            f"{name}, with a choice",
            milliseconds / max(1, len(chosen)),
            f"core-ms, of {len(chosen)}",
        ),
    ]


def _searched(swapper: Any, sentences: list[Any]) -> Iterator[Any]:
    searcher = replace(swapper, tagger=Tagged(sentences))
    outcomes: Iterator[Any] = searcher.outcomes([""] * len(sentences))
    return outcomes
