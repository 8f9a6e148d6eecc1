"""How fast a study is exported, compared with a bare COPY of its rows.

An export is all that a researcher needs of a labelled study: each judged pair with its texts, votes
and label, and each single judgment, without recombined pairs and pairs without judgments. It is
timed as a release, and over REST as a line of JSON for each pair. A release of everything is timed
too, from its plan to its last file.
"""

from typing import Any

from benchmarks.dataset import over_rest, plain_copy
from benchmarks.dataset.build import Build, Clock, build
from benchmarks.dataset.place import Place
from benchmarks.table import Figure
from support import large_study

LABELLED: dict[str, Any] = {"recombine": False, "noisy_labels": {}}


def figures(place: Place, *, size: large_study.Size) -> list[Figure]:
    """Rates are pairs per second: of the judged pairs, or of all in the files where it says so."""
    print("References of the export: a bare COPY of the same rows")
    project = large_study.make("Export", size)
    labelled = build(project, place.folder / "labelled", place.postgres, "labelled", **LABELLED)
    every = build(project, place.folder / "every", place.postgres, "every")
    return [
        Figure("judged pairs, five judgments each", size.judged),
        *_judged(labelled, size, place.postgres),
        *_over_rest(over_rest.pairs(project, place.postgres), size),
        *_whole(every, size, place.postgres),
    ]


def _judged(made: Build, size: large_study.Size, postgres: int) -> list[Figure]:
    copied, _rows = plain_copy.out(made.release, postgres)
    rate = _rate(size.judged, made.writing)
    return [
        Figure("export, beside COPY out", rate, "judged/s", _rate(size.judged, copied)),
        *_spent("export", made.writing),
    ]


def _over_rest(read: Clock, size: large_study.Size) -> list[Figure]:
    rate = _rate(size.judged, read)
    return [
        Figure("pairs as NDJSON", rate, "judged/s"),
        *_spent("pairs as NDJSON", read),
    ]


def _whole(made: Build, size: large_study.Size, postgres: int) -> list[Figure]:
    copied, rows = plain_copy.out(made.release, postgres)
    inserted = plain_copy.back_in(rows, postgres)
    freezing, writing = (_rate(made.pairs, clock) for clock in (made.freezing, made.writing))
    whole = size.judged / (made.freezing.seconds + made.writing.seconds)
    return [
        Figure("pairs in the files of all", made.pairs),
        Figure("freeze, beside COPY in", freezing, "pairs/s", _rate(made.pairs, inserted)),
        Figure("write, beside COPY out", writing, "pairs/s", _rate(made.pairs, copied)),
        Figure("whole build", whole, "judged/s"),
        *_spent("freeze", made.freezing),
        *_spent("write", made.writing),
    ]


def _rate(pairs: int, clock: Clock) -> float:
    return pairs / clock.seconds


def _spent(name: str, clock: Clock) -> list[Figure]:
    return [
        Figure(f"{name}, wall", clock.seconds, "s"),
        Figure(f"{name}, CPU", clock.cpu, "CPU-s"),
        Figure(f"{name}, CPU of Postgres", clock.postgres, "CPU-s"),
    ]
