"""What the page of an evaluation shows: its leaderboards, the learning curve, and what is wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Membership
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot
from annotation.projects.views import table_page
from annotation.stats.agreement import Estimate
from evaluation import board, results
from evaluation.advice import gain
from evaluation.board import Entry
from evaluation.data import Unusable
from evaluation.models import Evaluation
from evaluation.selectors import OPEN, evaluation_of, files_of, of_release
from releases.models import Release

SCALE = Axis((0.0, 0.5, 1.0))
SPLITS = ("test", "dev")
State = Evaluation.State


@dataclass(frozen=True, slots=True)
class Line:
    """A model on a leaderboard: its accuracy as a dot, and the files of its predictions."""

    entry: Entry
    dot: Dot | None
    files: tuple[str, ...]


def context(member: Membership, release: Release) -> dict[str, Any]:
    """Return the context of the page."""
    rows, files = of_release(release).values(), files_of(release)
    return table_page.frame(member) | {
        "release": release,
        "open": [row for row in rows if row.state in OPEN],
        "failed": [row for row in rows if row.state == State.FAILED],
        "cancelled": [row for row in rows if row.state == State.CANCELLED],
        "files": [path for path in files if "/" not in path],
        "is_simulated": (release.manifest or {}).get("simulated"),
        **_tables(release, {*files}),
    }


def _tables(release: Release, files: set[str]) -> dict[str, Any]:
    try:
        evaluation = evaluation_of(release)
    except Unusable as error:
        return {"unusable": str(error)}
    curve = evaluation["experiments"].get("curve")
    boards = {split: list(_lines(evaluation, split, files)) for split in SPLITS}
    return {
        "lines": boards["test"],
        # Our own models have figures on dev too, but those were chosen by it.
        "dev_lines": [line for line in boards["dev"] if line.entry.is_brought] and boards["dev"],
        "curve": _curve(curve["figures"]) if curve else None,
        "gain": gain(curve["figures"]) if curve else None,
    }


def _lines(evaluation: results.Evaluation, split: str, files: set[str]) -> Iterator[Line]:
    for entry in board.by_accuracy(evaluation, split):
        dot = charts.across(Estimate(entry.accuracy.mean, entry.accuracy.ends), SCALE)
        yield Line(entry, dot, tuple(path for path in entry.files if path in files))


def _curve(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the models, and a row for each size of train."""
    models = figures["models"]
    rows = [
        (points[0]["pairs"], [point["average_precision"] for point in points])
        for points in zip(*(each["points"] for each in models), strict=False)
    ]
    return {"models": [each["model"] for each in models], "rows": rows}
