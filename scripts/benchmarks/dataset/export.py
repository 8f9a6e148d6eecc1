"""How fast a study becomes a release: beside a bare COPY of its rows, and beside the peers."""

from scripts.benchmarks.dataset import peers, plain_copy, study
from scripts.benchmarks.dataset.build import Clock, build
from scripts.benchmarks.dataset.place import Place
from scripts.benchmarks.table import Figure, at_least


def figures(place: Place, *, size: study.Size) -> list[Figure]:
    """Of judged pairs per second, like the peers'; a release holds more than those."""
    print(f"References of the export: a bare COPY of the same rows; {peers.DOCCANO}")
    made = build(study.make("Export", size), place.folder / "export", place.postgres)
    copied, rows = plain_copy.out(made.release, place.postgres)
    inserted = plain_copy.back_in(rows, place.postgres)
    rate = size.judged / made.writing.seconds
    goal = at_least(50, of_ratio=True)
    return [
        Figure("judged pairs in the release", size.judged),
        Figure("pairs in its files", made.pairs),
        Figure(
            "freeze, beside COPY in",
            _rate(made.pairs, made.freezing),
            "pairs/s",
            _rate(made.pairs, inserted),
        ),
        Figure(
            "write, beside COPY out",
            _rate(made.pairs, made.writing),
            "pairs/s",
            _rate(made.pairs, copied),
        ),
        Figure("write, beside doccano's export", rate, "judged/s", peers.DOCCANO.exported, goal),
        Figure("write, beside Label Studio's", rate, "judged/s", peers.LABEL_STUDIO.exported),
        *_cpu("freeze", made.freezing),
        *_cpu("write", made.writing),
    ]


def _rate(pairs: int, clock: Clock) -> float:
    return pairs / clock.seconds


def _cpu(name: str, clock: Clock) -> list[Figure]:
    return [
        Figure(f"{name}, wall", clock.seconds, "s"),
        Figure(f"{name}, CPU", clock.cpu, "CPU-s"),
        Figure(f"{name}, CPU of Postgres", clock.postgres, "CPU-s"),
    ]
