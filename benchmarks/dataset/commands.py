"""Commands for a whole study: its report, its consensus again, its release and the check of it."""

from benchmarks.dataset.place import Place
from benchmarks.table import Figure, at_most
from support import large_study

MOST_MEMORY = at_most(400)


def report(place: Place, *, size: large_study.Size) -> list[Figure]:
    """manage.py report, from start to end."""
    return _command(place, "report", (), size, seconds=10)


def recompute(place: Place, *, size: large_study.Size) -> list[Figure]:
    """manage.py recompute_consensus --check, from start to end."""
    return _command(place, "recompute_consensus", ("--check",), size, seconds=30)


def release(place: Place, *, size: large_study.Size) -> list[Figure]:
    """manage.py build_release from the first row to the last file, and verify_release: memory."""
    large_study.make("Memory", size)
    folder = str(place.folder / "memory")
    commands = {
        "build_release": ("--project", "Memory", "--release", "1.0", "--output", folder),
        "verify_release": (folder,),
    }
    table = []
    for name, arguments in commands.items():
        took = place.manage(name, *arguments)
        table += [
            Figure(f"{name}, peak", took.peak_mb, "MB", goal=MOST_MEMORY),
            Figure(f"{name}, wall", took.seconds, "s"),
            Figure(f"{name}, CPU", took.cpu, "CPU-s"),
        ]
    return table


def _command(
    place: Place, name: str, options: tuple[str, ...], size: large_study.Size, *, seconds: float
) -> list[Figure]:
    """The study is that of both, made by whichever comes first."""
    from annotation.models import Project

    if not Project.objects.filter(name="Study").exists():
        large_study.make("Study", size)
    took = place.manage(name, "--project", "Study", *options)
    return [
        Figure(f"{name}, {size.judged:,} pairs", took.seconds, "s", goal=at_most(seconds)),
        Figure(f"{name}, CPU", took.cpu, "CPU-s"),
        Figure(f"{name}, CPU of Postgres", took.postgres, "CPU-s"),
    ]
