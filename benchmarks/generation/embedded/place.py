"""What measuring the embedded models needs: an empty database, sentences and a stopwatch."""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from benchmarks.generation.parts import texts_of
from support.services import sites

# The environment of a worker, read when numpy and torch are loaded.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass
class Stopwatch:
    """CPU seconds of this process, by what they were spent on."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        began = time.process_time()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - began


@contextmanager
def fresh_installation() -> Iterator[None]:
    """An empty SQLite database in a new folder, for this process and those that it starts."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        sites.set_up(folder, f"sqlite:///{folder}/bench.sqlite3")
        yield


def yardstick() -> float:
    """CPU seconds of a fixed piece of work: how fast the machine is now, with what else it does."""
    began = time.process_time()
    counts = Counter(f"word {number % 1000}" for number in range(20_000))
    sorted(counts, key=lambda word: (counts[word], word[::-1]))
    return time.process_time() - began


def texts(file: Path, number: int | None = None) -> list[str]:
    """The first sentences of a file, or all, without those that an import would refuse."""
    return list(islice(texts_of(file), number))


def repeat_with_numbers(sentences: list[str]) -> Iterator[str]:
    """Yield the sentences, then repeat them without end, each time with another number."""
    yield from sentences
    for number in count(2):
        yield from (f"{text} ({number})" for text in sentences)


def import_corpus(name: str, sentences: list[str], **options: Any) -> Any:
    """A new corpus of these sentences."""
    from generation.readers import Row
    from generation.services import corpora
    from generation.services.sentences import import_sentences

    corpus = corpora.open_corpus(name)
    rows = [Row(line, text) for line, text in enumerate(sentences, 1)]
    import_sentences(rows, corpus=corpus, **options)
    return corpus
