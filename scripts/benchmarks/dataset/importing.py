"""How fast pairs that were made elsewhere come in, beside the peers."""

from pathlib import Path

from scripts.benchmarks.dataset import peers
from scripts.benchmarks.dataset.place import Place
from scripts.benchmarks.table import Figure, at_least


def figures(place: Place, *, pairs: int = peers.PAIRS) -> list[Figure]:
    """manage.py import_pairs of a TSV file, from start to end: sources, rewrites, and slots."""
    from annotation.services import projects
    from generation.models import Corpus

    projects.create("Import")
    Corpus.objects.create(name="Import")
    path = place.folder / "pairs.tsv"
    _write(path, pairs)
    took = place.manage("import_pairs", str(path), "--project", "Import", "--corpus", "Import")
    rate = pairs / took.seconds
    return [
        Figure("import, beside doccano's", rate, "pairs/s", peers.DOCCANO.imported),
        Figure("import of a file, whole command", rate, "pairs/s", goal=at_least(10_000)),
        Figure("import, CPU", took.cpu, "CPU-s"),
        Figure("import, CPU of Postgres", took.postgres, "CPU-s"),
        Figure("import, peak", took.peak_mb, "MB"),
    ]


def _write(path: Path, pairs: int) -> None:
    """A file of sentences of ordinary length, none of which comes twice."""
    with path.open("w", encoding="utf-8") as file:
        file.write("sentence1\tsentence2\tmethod\n")
        for number in range(pairs):
            tail = f"along the river in {number} before the winter came and the roads were closed."
            file.write(
                f"The northern railway was built {tail}\tBuilt was the northern railway {tail}"
                "\tback_translation\n"
            )
