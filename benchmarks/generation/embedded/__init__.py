"""Generation with the embedded models in one process, on SQLite: speed, growth and memory.

Core-seconds are CPU time, user and system, over all threads of this process. Where late sentences
are compared with early ones, a fixed piece of work is timed with each batch, and the early ones
are counted at the pace that the machine has later on.

The real models go through the sentences of the file once. What could grow with the size of a run
is measured apart, over 100,000 sentences, with a rewriter that costs next to nothing: claims,
measures and rows. To see both together, give a file of 100,000 sentences: the figures of the real
run compare its last 10,000 with its first.
"""

from benchmarks.generation.embedded import growth, importing, lengths, memory, pipeline
from benchmarks.generation.embedded.place import fresh_installation
from benchmarks.generation.parts import Options
from benchmarks.table import Figure


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with fresh_installation():
        return [
            *pipeline.figures(options),
            *lengths.figures(options),
            *memory.figures(options),
            *growth.figures(options),
            *importing.figures(options),
        ]
