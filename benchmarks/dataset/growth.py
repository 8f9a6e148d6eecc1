"""Whether ten times as many pairs take ten times as long and no longer, and what memory grows."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.dataset.place import Place, Took
from benchmarks.table import Figure, at_most
from support import large_study

SIZES = (5_000, 50_000)
LARGE = 500_000
LINEAR = at_most(1.5, of_ratio=True)


@dataclass(frozen=True, slots=True)
class Step:
    """A command, and what it took in a process of its own for a study of so many judged pairs."""

    name: str
    judged: int
    took: Took

    @property
    def milliseconds(self) -> float:
        """CPU time of the process and of Postgres for each judged pair."""
        return 1000 * (self.took.cpu + self.took.postgres) / self.judged

    def figures(self, first: "Step") -> list[Figure]:
        """Beside the same command for the smallest study."""
        name = f"{self.name}, {self.judged:,} judged"
        if self is first:
            return [
                Figure(name, self.milliseconds, "CPU-ms", self.milliseconds),
                Figure(f"{name}, peak", self.took.peak_mb, "MB"),
            ]
        more = self.took.peak_mb - first.took.peak_mb
        return [
            Figure(name, self.milliseconds, "CPU-ms", first.milliseconds, LINEAR),
            Figure(f"{name}, peak", self.took.peak_mb, "MB", first.took.peak_mb),
            Figure(
                f"{name}, of it for each pair more", 1e6 * more / (self.judged - first.judged), "B"
            ),
        ]


def figures(place: Place, *, sizes: tuple[int, ...] = SIZES) -> list[Figure]:
    """CPU time for each judged pair, to that of the smallest study; and the most memory."""
    print("References of growth: CPU milliseconds for each pair, and peak, of the smallest study")
    table: list[Figure] = []
    first: dict[str, Step] = {}
    for pairs in sizes:
        for step in _steps(place, large_study.Size(pairs)):
            print(f"{step.name}, {step.judged:,} judged: {step.milliseconds:.3g} ms", flush=True)
            table += step.figures(first.setdefault(step.name, step))
    return table


def _steps(place: Place, size: large_study.Size) -> Iterator[Step]:
    """From the first row to the last file, and the files checked."""
    name = f"Growth to {size.pairs}"
    large_study.make(name, size)
    folder = str(place.folder / name)
    options = ("--project", name, "--release", "1.0", "--output", folder)
    yield Step("build_release", size.judged, place.manage("build_release", *options))
    yield Step("verify_release", size.judged, place.manage("verify_release", folder))
