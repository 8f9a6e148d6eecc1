"""The README of an evaluation: its leaderboard, and the tables of its experiments."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from common.display import plural, readable
from common.tables import Row
from evaluation import advice
from evaluation.board import (
    DIVISIONS,
    KINDS,
    SHOWN,
    TESTED,
    Entry,
    Groups,
    accuracy_rows,
    entries,
    groups_of,
    size_of,
)
from evaluation.cells import HEADER, NONE, Json, percent, spread, table
from evaluation.models_by_name import ABOUT
from evaluation.sections import SECTIONS
from generation.nlp.settings import KIND_NAMES

MEASURES = """All figures are in per cent. A score above 0.5 says paraphrase, the positive class.
AUC-PR is average precision; `evaluation.json` also has the area by trapezoids. ± is half of the
distance between the lowest and the highest seed. A model that gives all pairs the same score has
the share of paraphrases as AUC-PR."""
ONE_LABEL = "All pairs of the {split} set have one label, so no figure tells a good model.\n"
CHANCE = """The {split} set has {pairs}: chance in their choice moves an accuracy or AUC-PR by up to
about {margin:.1f} points up or down (95 %), so smaller differences mean little.
"""


def readme(evaluation: Json) -> str:
    release, experiments = evaluation["release"], evaluation["experiments"]
    parts = [
        f"# Evaluation of {_title(evaluation)}\n",
        f"The SHA-256 of the release's `manifest.json` is `{release['sha256']}`.\n",
    ]
    if release["simulated"]:
        parts.append("**Programs simulated answers in this release: no figure is a finding.**\n")
    parts.append(f"{MEASURES}\n")
    parts += [*_models(experiments), *_split_tables(evaluation), *_divisions(evaluation)]
    for name, section in SECTIONS.items():
        if name in experiments:
            parts += section(experiments[name])
    return "\n".join([*parts, *_run_descriptions(experiments)])


def of_releases(evaluations: Sequence[Json]) -> str:
    """Return one table of several releases: each model on the test set of each (PARADE Table 6)."""
    rows = [
        (_title(evaluation), *_row(entry))
        for evaluation in evaluations
        for entry in entries(evaluation, TESTED[0])
    ]
    order = {model: place for place, model in enumerate(dict.fromkeys(row[1] for row in rows))}
    rows.sort(key=lambda row: order[row[1]])
    return table([("Test set of", "Model", "Parameters", *HEADER), *rows])


def _title(evaluation: Json) -> str:
    return f"{evaluation['release']['name']} {evaluation['release']['version']}"


def _split_tables(evaluation: Json) -> Iterator[str]:
    for split in TESTED:
        if split_entries := entries(evaluation, split):
            yield f"## Models on {split}\n"
            yield table([("Model", "Parameters", *HEADER), *map(_row, split_entries)])
            yield from _notes(evaluation, split)
            yield from (f"{remark}\n" for remark in advice.remarks(split_entries))


def _divisions(evaluation: Json) -> Iterator[str]:
    for division, title in DIVISIONS.items():
        if groups := groups_of(evaluation, division):
            rows = [
                (_group(division, name), f"{pairs:,}", *map(percent, accuracies))
                for name, pairs, accuracies in accuracy_rows(groups)
            ]
            yield f"## {title}\n"
            yield table([("", "Pairs", *(_name(group) for group in groups)), *rows])
            if division == "kind":
                yield f"`{KINDS}` has the kind of each pair of dev and test by its id.\n"


def _group(division: str, name: str) -> str:
    if division == "kind":
        return KIND_NAMES.get(name) or readable(name)
    # Domains and generators are names that people chose.
    return readable(name) if division == "method" else name


def _models(every: Json) -> Iterator[str]:
    fitted = {model["model"] for entry in every.values() for model in entry["models"]}
    if lines := [f"- {about}" for name, about in ABOUT.items() if name in fitted]:
        yield "\n".join(["What each model looks at:\n", *lines]) + "\n"


def _row(entry: Entry) -> Row:
    parameters = NONE if entry.parameters is None else f"{entry.parameters:,}"
    spans = (entry.measure(name) for name in SHOWN)
    return (_name(entry), parameters, *(spread(asdict(span) if span else None) for span in spans))


def _name(of: Entry | Groups) -> str:
    return f"{of.model} (brought)" if of.is_brought else of.model


def _notes(evaluation: Json, split: str) -> Iterator[str]:
    if any(split in by_split for by_split in evaluation["brought"].values()):
        yield "“Brought”: predictions of a model that was fitted elsewhere.\n"
    if size := size_of(evaluation, split):
        if size.has_one_label:
            yield ONE_LABEL.format(split=split)
        yield CHANCE.format(split=split, pairs=plural(size.pairs, "pair"), margin=size.points)


def _run_descriptions(experiments: Json) -> Iterator[str]:
    if experiments:
        yield "## What was run\n"
    for name in SECTIONS:
        if entry := experiments.get(name):
            titles = (f"{release['name']} {release['version']}" for release in entry["releases"])
            releases = ", ".join(dict.fromkeys(titles))
            base = entry["settings"]["base"]
            with_base = f", with {base['name']}" if base else ""
            if entry["settings"].get("silver"):
                with_base += ", and with noisy labels first"
            models = ", ".join(model["model"] for model in entry["models"])
            seeds = ", ".join(map(str, entry["seeds"]))
            fitted = f": {models}; seeds {seeds}" if models else ""
            yield f"- `{name}` on {releases}{with_base}{fitted}"
    if experiments:
        yield "\n`evaluation.json` has the settings of the models, and every figure by seed.\n"
