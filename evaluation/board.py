"""The leaderboard of a release: its own models and predictions that were made elsewhere."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from common.marked import gettext_noop as _
from evaluation.measures import margin

PREDICTIONS, BROUGHT, RANKING = "predictions", "brought", "ranking"
CROSSFIT = "crossfit"
# The sets that have a leaderboard.
TESTED = ("test", "dev")
KINDS = "kinds.tsv"
SHOWN = ("accuracy", "average_precision", "f1", "precision", "recall")
# Groups of test pairs, and the titles of their tables.
DIVISIONS = {
    "method": _("Accuracy by method"),
    "kind": _("Accuracy by kind of words that changed places"),
    "generator": _("Accuracy by generator"),
    "domain": _("Accuracy by domain"),
    "grade": _("Accuracy by grade"),
    "votes": _("Accuracy by votes"),
    "jaccard": _(
        "Accuracy by shared words (Jaccard similarity; in English, of the stems of content words)"
    ),
}
Json = Mapping[str, Any]
Scorer: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Span:
    """The mean of a measure over the seeds, and its lowest and highest value."""

    mean: float
    low: float
    high: float

    @property
    def ends(self) -> tuple[float, float] | None:
        return (self.low, self.high) if self.low != self.high else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A model on a set. Measures are shares, and None where they are undefined.

    Of brought predictions neither parameters nor seeds are known. `files` are the paths of its
    predictions in the folder of the evaluation, one for each seed.
    """

    model: str
    is_brought: bool
    parameters: int | None
    seeds: int | None
    accuracy: Span
    average_precision: Span | None
    f1: Span | None
    precision: Span | None
    recall: Span | None
    files: tuple[str, ...]

    def measure(self, name: str) -> Span | None:
        measure: Span | None = getattr(self, name)
        return measure


@dataclass(frozen=True, slots=True)
class Groups:
    """Figures of a model by groups of test pairs: how many, and its accuracy."""

    model: str
    is_brought: bool
    groups: Json


def entries(evaluation: Json, split: str) -> list[Entry]:
    """Of models that were also fitted to a base set, only the fit to the release's train counts."""
    return [*_own_entries(evaluation, split), *_brought_entries(evaluation, split)]


def entries_by_accuracy(evaluation: Json, split: str) -> list[Entry]:
    """Return the same with the best first; of equal ones that with the greater AUC-PR."""

    def rank(entry: Entry) -> tuple[float, float, str]:
        area = entry.average_precision.mean if entry.average_precision else 0.0
        return -entry.accuracy.mean, -area, entry.model

    return sorted(entries(evaluation, split), key=rank)


def best_first(scorers: Iterable[Scorer]) -> list[Scorer]:
    """Return scorers of a ranking, the best first; of equal ones that with the greater Spearman."""
    measured = ("r_precision", "spearman")
    return sorted(scorers, key=lambda each: [-each[name]["value"] for name in measured])


@dataclass(frozen=True, slots=True)
class Size:
    """The pairs of a set; `points` is by how much chance moves an accuracy."""

    pairs: int
    points: float
    has_one_label: bool


def size_of(evaluation: Json, split: str) -> Size | None:
    if plain := evaluation["experiments"].get("plain"):
        pairs, paraphrases = (plain["figures"]["sets"][split][n] for n in ("pairs", "paraphrases"))
        return Size(pairs, 100 * margin(pairs), paraphrases in (0, pairs))
    return None


def groups_of(evaluation: Json, division: str) -> list[Groups]:
    """Return the groups of test pairs of each model of `entries` that has this division."""
    ours = [(figures["model"], False, figures) for figures in _train_figures(evaluation)]
    theirs = [
        (name, True, figures_by_split["test"])
        for name, figures_by_split in sorted(evaluation["brought"].items())
        if "test" in figures_by_split
    ]
    return [
        Groups(model, is_brought, figures["groups"][division])
        for model, is_brought, figures in ours + theirs
        if division in figures["groups"]
    ]


def accuracy_rows(models: Sequence[Groups]) -> list[tuple[str, int, list[float]]]:
    return [
        (name, group["pairs"], [model.groups[name]["accuracy"] for model in models])
        for name, group in models[0].groups.items()
    ]


def _train_figures(evaluation: Json) -> list[Json]:
    plain = evaluation["experiments"].get("plain")
    models = plain["figures"]["models"] if plain else ()
    return [figures for figures in models if figures["data"] == "train"]


def _own_entries(evaluation: Json, split: str) -> Iterator[Entry]:
    for figures in _train_figures(evaluation):
        seeds, name = evaluation["experiments"]["plain"]["seeds"], figures["model"]
        files = tuple(predictions_path(name, seed) for seed in seeds)
        spans = {key: span_of(figures[split][key]) for key in SHOWN}
        yield Entry(name, False, figures["parameters"], len(seeds), files=files, **spans)


def span_of(figures: Json | None) -> Any:
    return figures and Span(figures["mean"], figures["low"], figures["high"])


def _brought_entries(evaluation: Json, split: str) -> Iterator[Entry]:
    for name, figures_by_split in sorted(evaluation["brought"].items()):
        if split in figures_by_split:
            figures = figures_by_split[split]["figures"]
            spans = {key: _point_span(figures[key]) for key in SHOWN}
            yield Entry(name, True, None, None, files=(brought_path(name, split),), **spans)


def _point_span(value: float | None) -> Any:
    return None if value is None else Span(value, value, value)


def predictions_path(model: str, seed: int, *, data: str = "") -> str:
    return "/".join(filter(None, [PREDICTIONS, data, f"{_file_name(model)}-{seed}.tsv"]))


def crossfit_path(model: str) -> str:
    return f"{CROSSFIT}/{_file_name(model)}.tsv"


def brought_path(name: str, split: str) -> str:
    return f"{BROUGHT}/{split}/{name}.tsv"


def _file_name(model: str) -> str:
    return model.replace("/", "--").replace(":", "-")
