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
    labelled_build = build(
        project, place.folder / "labelled", place.postgres, "labelled", **LABELLED
    )
    whole_build = build(project, place.folder / "every", place.postgres, "every")
    return [
        Figure("judged pairs, five judgments each", size.judged),
        *_judged_figures(labelled_build, size, place.postgres),
        *_rest_figures(over_rest.time_pairs(project, place.postgres), size),
        *_build_figures(whole_build, size, place.postgres),
    ]


def _judged_figures(build: Build, size: large_study.Size, postgres: int) -> list[Figure]:
    copying, _rows = plain_copy.copy_out(build.release, postgres)
    rate = _rate(size.judged, build.writing)
    return [
        Figure("export, beside COPY out", rate, "judged/s", _rate(size.judged, copying)),
        *_clock_figures("export", build.writing),
    ]


def _rest_figures(reading: Clock, size: large_study.Size) -> list[Figure]:
    rate = _rate(size.judged, reading)
    return [
        Figure("pairs as NDJSON", rate, "judged/s"),
        *_clock_figures("pairs as NDJSON", reading),
    ]


def _build_figures(build: Build, size: large_study.Size, postgres: int) -> list[Figure]:
    copying_out, rows = plain_copy.copy_out(build.release, postgres)
    copying_in = plain_copy.copy_pairs_in(rows, postgres)
    freezing, writing = (_rate(build.pairs, clock) for clock in (build.freezing, build.writing))
    whole_rate = size.judged / (build.freezing.seconds + build.writing.seconds)
    return [
        Figure("pairs in the files of all", build.pairs),
        Figure("freeze, beside COPY in", freezing, "pairs/s", _rate(build.pairs, copying_in)),
        Figure("write, beside COPY out", writing, "pairs/s", _rate(build.pairs, copying_out)),
        Figure("whole build", whole_rate, "judged/s"),
        *_clock_figures("freeze", build.freezing),
        *_clock_figures("write", build.writing),
    ]


def _rate(pairs: int, clock: Clock) -> float:
    return pairs / clock.seconds


def _clock_figures(name: str, clock: Clock) -> list[Figure]:
    return [
        Figure(f"{name}, wall", clock.seconds, "s"),
        Figure(f"{name}, CPU", clock.cpu, "CPU-s"),
        Figure(f"{name}, CPU of Postgres", clock.postgres, "CPU-s"),
    ]
