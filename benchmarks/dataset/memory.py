"""Most memory that building and verifying a release takes, each in a process of its own."""

from benchmarks.dataset.place import Place, Took
from benchmarks.table import Figure, at_most
from support import large_study

BOUND = at_most(400)


def figures(place: Place, *, size: large_study.Size) -> list[Figure]:
    """Of manage.py build_release from the first row to the last file, and of verify_release."""
    large_study.make("Memory", size)
    folder = str(place.folder / "memory")
    options = ("--project", "Memory", "--release", "1.0", "--output", folder)
    command = place.manage("build_release", *options)
    return [
        Figure("build_release, peak", command.peak_mb, "MB", goal=BOUND),
        *_time_figures("build_release", command),
        *_verify_figures(place, folder),
    ]


def _verify_figures(place: Place, folder: str) -> list[Figure]:
    command = place.manage("verify_release", folder)
    return [
        Figure("verify_release, peak", command.peak_mb, "MB", goal=BOUND),
        *_time_figures("verify_release", command),
    ]


def _time_figures(name: str, took: Took) -> list[Figure]:
    return [Figure(f"{name}, wall", took.seconds, "s"), Figure(f"{name}, CPU", took.cpu, "CPU-s")]
