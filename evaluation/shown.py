"""What the page of an evaluation shows: its leaderboards, the learning curve, and what is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotation.models import Membership
from annotation.pairs.differences import kind_name
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot
from annotation.projects.views import table_page
from annotation.stats.agreement import Estimate
from annotation.stats.shape import shown_figures
from evaluation import board, models_by_name, results
from evaluation.advice import gain, remarks, shape_remark
from evaluation.board import Entry
from evaluation.charts import chart
from evaluation.data import Unusable
from evaluation.experiments.changes import DIFFERENT
from evaluation.models import Evaluation
from evaluation.sections import FEW_GROUPS
from evaluation.selectors import (
    OPEN,
    ahead_of,
    evaluation_of,
    evaluations_of_release,
    files_of,
    obstacle,
    tables_of,
)
from releases.models import Release
from releases.selectors.releases import is_translation, scheme_of

SCALE, PER_CENT, CORRELATION = Axis((0, 0.5, 1)), Axis((0, 50, 100)), Axis((-100, 0, 100))
# With fewer test pairs, chance is said first.
FEW_PAIRS = 30
SETS = {"test": gettext_lazy("Test set"), "dev": gettext_lazy("Dev set")}
State = Evaluation.State


@dataclass(frozen=True, slots=True)
class Line:
    """A model on a leaderboard: its accuracy as a dot, and the files of its predictions."""

    entry: Entry
    dot: Dot | None
    files: tuple[str, ...]


def progress(member: Membership, release: Release) -> dict[str, Any]:
    rows = [row for row in evaluations_of_release(release).values() if row.state in OPEN]
    return table_page.frame(member) | {
        "release": release,
        "open": [{"row": row, "ahead": ahead_of(row)} for row in rows],
    }


def context(member: Membership, release: Release) -> dict[str, Any]:
    rows, files = [*evaluations_of_release(release).values()], files_of(release)
    return progress(member, release) | {
        "asked_last": {"model_names": rows[-1].names, "seeds": rows[-1].seeds} if rows else {},
        "obstacle": obstacle(release),
        "translated": is_translation(release),
        "sets": [*tables_of(release).values()],
        "failed": [row for row in rows if row.state == State.FAILED],
        "cancelled": [row for row in rows if row.state == State.CANCELLED],
        "files": [path for path in files if "/" not in path],
        "is_simulated": (release.manifest or {}).get("simulated"),
        **_tables(release, {*files}),
    }


def on_page_of_release(release: Release) -> dict[str, Any]:
    """Return how hard the test set is for models, for the page of a frozen release.

    Nothing for one whose labels models here cannot learn.
    """
    if not scheme_of(release).is_binary:
        return {}
    rows = evaluations_of_release(release).values()
    parts = {"is_open": any(row.state in OPEN for row in rows), "obstacle": obstacle(release)}
    try:
        evaluation = evaluation_of(release)
    except Unusable as error:
        return {"hardness": parts | {"unusable": str(error)}}
    lines = [
        (_name_in_words(entry), entry) for entry in board.entries_by_accuracy(evaluation, "test")
    ]
    size = board.size_of(evaluation, "test")
    is_small = size is not None and size.pairs < FEW_PAIRS
    shown = {"lines": lines, "size": size, "is_small": is_small, "shape": _shape(evaluation)}
    return {"hardness": parts | shown}


def _shape(evaluation: results.Evaluation) -> dict[str, Any] | None:
    """Return what rules of shape give away, and their rows; None if that was not measured."""
    if not (entry := evaluation["experiments"].get("shape")):
        return None
    figures = entry["figures"]
    remark = shape_remark(figures, gettext)
    return shown_figures(figures, gettext) | {"remark": gettext(remark.message) % remark.values}


def _name_in_words(entry: Entry) -> str:
    is_known = not entry.is_brought and entry.model in models_by_name.ABOUT
    return gettext(models_by_name.ABOUT[entry.model]) if is_known else entry.model


def _tables(release: Release, files: set[str]) -> dict[str, Any]:
    try:
        evaluation = evaluation_of(release)
    except Unusable as error:
        return {"unusable": str(error)}
    curve, ranking = (evaluation["experiments"].get(name) for name in ("curve", "ranking"))
    boards = {split: list(_lines(evaluation, split, files)) for split in board.TESTED}
    return {
        "lines": boards["test"],
        "remarks": {split: [*_remarks(boards[split])] for split in board.TESTED},
        "sizes": {split: board.size_of(evaluation, split) for split in board.TESTED},
        "divisions": [*_divisions(evaluation)],
        # Our own models have figures on dev too, but those were chosen by it.
        "dev_lines": [line for line in boards["dev"] if line.entry.is_brought] and boards["dev"],
        "curve": _curve(curve["figures"]) if curve else None,
        "gain": gain(curve["figures"]) if curve else None,
        "chart": chart(curve["figures"]) if curve else None,
        "shape": _shape(evaluation),
        "ranking": _ranking(ranking["figures"], files) if ranking else None,
    }


def _remarks(lines: Sequence[Line]) -> Iterator[str]:
    for remark in remarks([line.entry for line in lines]):
        yield gettext(remark.message) % remark.values


def _divisions(evaluation: results.Evaluation) -> Iterator[dict[str, Any]]:
    for division, title in board.DIVISIONS.items():
        if groups := board.groups_of(evaluation, division):
            rows = [
                (group_name(division, name), *row) for name, *row in board.accuracy_rows(groups)
            ]
            yield {"title": gettext(title), "models": groups, "rows": rows}


def group_name(division: str, name: str) -> str:
    """Return the name of a group on the page; its template names methods."""
    if division != "kind":
        return name
    return gettext("not the same words") if name == DIFFERENT else kind_name(name)


def _ranking(figures: Mapping[str, Any], files: set[str]) -> dict[str, Any]:
    scales = {"r_precision": PER_CENT, "spearman": CORRELATION}
    lines = [
        scorer | {name: _measure_with_dot(scorer[name], scale) for name, scale in scales.items()}
        for scorer in board.best_first(figures["scorers"])
    ]
    paths = sorted(path for path in files if path.startswith(f"{board.RANKING}/"))
    counts = figures["counts"]
    sizes = {"groups": counts["groups"], "pairs": counts["pairs"], "few": FEW_GROUPS}
    return {"lines": lines, "files": paths, **sizes}


def _measure_with_dot(figures: Mapping[str, Any], scale: Axis) -> dict[str, Any]:
    """Return a measure; few groups have no interval."""
    ends = None if figures["low"] is None else (figures["low"], figures["high"])
    dot = charts.horizontal_dot(Estimate(figures["value"], ends), scale)
    return {"value": figures["value"], "interval": ends, "dot": dot}


def _lines(evaluation: results.Evaluation, split: str, files: set[str]) -> Iterator[Line]:
    for entry in board.entries_by_accuracy(evaluation, split):
        dot = charts.horizontal_dot(Estimate(entry.accuracy.mean, entry.accuracy.ends), SCALE)
        yield Line(entry, dot, tuple(path for path in entry.files if path in files))


def _curve(figures: Mapping[str, Any]) -> dict[str, Any]:
    models = figures["models"]
    rows = [
        (points[0]["pairs"], [board.span_of(point["average_precision"]) for point in points])
        for points in zip(*(model["points"] for model in models), strict=False)
    ]
    return {"models": [model["model"] for model in models], "rows": rows}
