"""The parts of this benchmark: each is a module with `figures(options)`."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.table import Figure
from support.places import DEMONSTRATION

if TYPE_CHECKING:
    from generation.nlp.ngram_scorer import NgramLanguageModel

PARTS = (
    "embedded",
    "files",
    "presets",
    "study",
    "definitions",
    "endpoints",
    "prompted",
    "neural",
    "translation",
    "workers",
    "crashes",
)


@dataclass(frozen=True, slots=True)
class Options:
    """What is measured, as the command line says it.

    Attributes:
        files: sentences; only the part `presets` reads more than the first file.
        show: how many random pairs to print.
        seed: of everything that is drawn.
        sentences: how many of each file `presets` reads, None for all; how many `files` rewrites.
        judge: the folder of a second language model for `presets`, if any.
        rescored: rewrites of a sentence that it judges; None for the default of word swap.
    """

    files: tuple[Path, ...] = (DEMONSTRATION,)
    show: int = 0
    seed: int = 0
    sentences: int | None = None
    judge: Path | None = None
    rescored: int | None = None

    @property
    def file(self) -> Path:
        return self.files[0]


def measure(part: str, options: Options) -> Sequence[Figure]:
    """Return the figures of a part, measured in a new process.

    So memory, threads and caches of one part do not affect the next.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_figures, part, options).result()


def texts_of(file: Path) -> Iterator[str]:
    """Yield the sentences of a file that can be imported."""
    from annotation.imports.detection import Field
    from annotation.imports.lines import make_lines, open_file
    from generation import readers

    with open_file(file, [Field("text", is_required=True)]) as table:
        rows = make_lines(table.lines, readers.row)
        yield from (row.text for row in rows if isinstance(row, readers.Row))


def embedded_model() -> "NgramLanguageModel":
    """Load the language model that ships with Pawsmith."""
    from generation import nlp
    from generation.nlp.ngram_scorer import NgramLanguageModel

    return NgramLanguageModel.load(Path(nlp.__file__).parent / "embedded" / "en_ngram.npz")


def _figures(part: str, options: Options) -> Sequence[Figure]:
    figures: Sequence[Figure] = import_module(f"{__package__}.{part}").figures(options)
    return figures
