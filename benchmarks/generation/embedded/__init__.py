"""Generation with the embedded models in one process, on SQLite: speed, also late in a run.

Core-seconds are CPU time, user and system, over all threads of this process. Where late sentences
are compared with early ones, a fixed piece of work is timed with each batch, and the early ones
are counted at the pace that the machine has later on.

The models go through the sentences of the file once. Of a file of 100,000 sentences, the figures
compare the last 10,000 with the first.
"""

from benchmarks.generation.embedded import importing, pipeline
from benchmarks.generation.embedded.place import fresh_installation
from benchmarks.generation.parts import Options
from benchmarks.table import Figure


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with fresh_installation():
        return [*pipeline.figures(options), *importing.figures(options)]
