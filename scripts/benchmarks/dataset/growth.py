"""Whether ten times as many pairs take ten times as long, and no longer."""

from scripts.benchmarks.dataset import study
from scripts.benchmarks.dataset.build import build
from scripts.benchmarks.dataset.place import Place
from scripts.benchmarks.table import Figure, at_most

SIZES = (5_000, 50_000)
LARGE = 500_000
LINEAR = at_most(1.5, of_ratio=True)


def figures(place: Place, *, sizes: tuple[int, ...] = SIZES) -> list[Figure]:
    """CPU time of this process and of Postgres for each pair, to that of the smallest study."""
    print("References of growth: CPU milliseconds for each pair of the smallest study")
    found: list[Figure] = []
    first: dict[str, float] = {}
    for pairs in sizes:
        for step, milliseconds in _steps(place, pairs).items():
            name = f"{step}, {pairs:,} pairs"
            reference = first.setdefault(step, milliseconds)
            goal = LINEAR if pairs != sizes[0] else None
            found.append(Figure(name, milliseconds, "CPU-ms", reference, goal))
    return found


def _steps(place: Place, pairs: int) -> dict[str, float]:
    """CPU milliseconds for each judged pair."""
    size = study.Size(pairs)
    name = f"Growth to {pairs}"
    made = build(study.make(name, size), place.folder / name, place.postgres)
    clocks = {"freeze": made.freezing, "write": made.writing}
    return {
        step: 1000 * (clock.cpu + clock.postgres) / size.judged for step, clock in clocks.items()
    }
