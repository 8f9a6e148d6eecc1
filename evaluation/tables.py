"""The tables of an evaluation, in per cent with one decimal as in the papers, and its README."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from annotation.stats.report import Row, as_markdown
from common.display import plural, readable
from common.marked import gettext_noop as _
from evaluation.board import SHOWN, Entry, entries, groups_of, margin_of
from evaluation.models_by_name import ABOUT
from releases.dataset.translated.regimes import Name

NONE = "–"
Json = Mapping[str, Any]
HEADER = ("Accuracy", "AUC-PR", "F1", "Precision", "Recall")
DIVISIONS = {
    "method": _("Accuracy by method"),
    "votes": _("Accuracy by votes"),
    "jaccard": _("Accuracy by shared words (Jaccard similarity)"),
}
RANKED = """Of {pairs} in test, {groups} have a group: the second sentence, its paraphrase, and
three versions of the second sentence in which one, two and three pairs of words changed places.
The groups are in `ranking`.

R-Precision is the share of groups in which the paraphrase has the highest score. Spearman is the
mean correlation of the scores with the order of the four. Both are times 100, with 95 % intervals
(bootstrap over groups).
"""
# With fewer, a bootstrap interval is too narrow to be trusted.
FEW_GROUPS = 30
MEASURES = """All figures are in per cent. A score above 0.5 says paraphrase, the positive class.
AUC-PR is average precision; `evaluation.json` also has the area by trapezoids. ± is half of the
distance between the lowest and the highest seed. A model that gives all pairs the same score has
the share of paraphrases as AUC-PR."""
CHANCE = """The {split} set has {pairs}: chance in their choice moves an accuracy by up to
{margin:.1f} points up or down (95 %), so smaller differences mean little.
"""


def readme(evaluation: Json) -> str:
    """Return README.md."""
    release, every = evaluation["release"], evaluation["experiments"]
    parts = [
        f"# Evaluation of {release['name']} {release['version']}\n",
        f"The SHA-256 of the release's `manifest.json` is `{release['sha256']}`.\n",
    ]
    if release["simulated"]:
        parts.append("**Programs simulated answers in this release: no figure is a finding.**\n")
    parts.append(f"{MEASURES}\n")
    parts += [*_models(every), *_of_splits(evaluation)]
    for name, section in SECTIONS.items():
        if name in every:
            parts += section(every[name])
    return "\n".join([*parts, *_repeating(every)])


def _table(rows: Sequence[Row]) -> str:
    """Format a table; names of releases and files may have bars."""
    return as_markdown([tuple(cell.replace("|", "\\|") for cell in row) for row in rows])


def percent(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f}"


def mean(span: Json | None) -> str:
    return percent(span["mean"] if span else None)


def spread(span: Json | None) -> str:
    """Return a mean with half of its range, such as "75.0 ± 0.4"; without it if that is 0."""
    half = (span["high"] - span["low"]) / 2 if span else 0.0
    return f"{mean(span)} ± {percent(half)}" if half else mean(span)


def gain(with_it: Json | None, without: Json | None) -> str:
    """Return a mean with its gain in brackets: the difference of the two figures as printed."""
    if not (with_it and without):
        return mean(with_it)
    difference = round(100 * with_it["mean"], 1) - round(100 * without["mean"], 1)
    return f"{mean(with_it)} ({difference:+.1f})"


def _of_splits(evaluation: Json) -> Iterator[str]:
    for split in ("test", "dev"):
        if found := entries(evaluation, split):
            yield f"## Models on {split}\n"
            yield _table([("Model", "Parameters", *HEADER), *map(_row, found)])
            yield from _notes(evaluation, split)


def _models(every: Json) -> Iterator[str]:
    """Yield a list of what the models look at."""
    fitted = {each["model"] for entry in every.values() for each in entry["models"]}
    if known := [f"- {about}" for name, about in ABOUT.items() if name in fitted]:
        yield "\n".join(["What each model looks at:\n", *known]) + "\n"


def _row(entry: Entry) -> Row:
    name = f"{entry.model} (brought)" if entry.is_brought else entry.model
    parameters = NONE if entry.parameters is None else f"{entry.parameters:,}"
    spans = (entry.measure(each) for each in SHOWN)
    return (name, parameters, *(spread(asdict(span) if span else None) for span in spans))


def _notes(evaluation: Json, split: str) -> Iterator[str]:
    if any(split in each for each in evaluation["brought"].values()):
        yield "“Brought”: predictions of a model that was fitted elsewhere.\n"
    if found := margin_of(evaluation, split):
        yield CHANCE.format(split=split, pairs=plural(found[0], "pair"), margin=found[1])


def _plain(entry: Json) -> Iterator[str]:
    every = entry["figures"]["models"]
    if base := entry["settings"]["base"]:
        yield f"## With {base['name']}\n"
        yield "On test; in brackets the gain from the release's training pairs.\n"
        yield _table(_base(every))
    for division, title in DIVISIONS.items():
        if by_model := groups_of(entry, division):
            yield f"## {title}\n"
            yield _table(_division(by_model))


def _base(every: Sequence[Json]) -> list[Row]:
    by_data: dict[str, dict[str, Json]] = {}
    for each in every:
        by_data.setdefault(each["model"], {})[each["data"]] = each["test"]
    columns = ("accuracy", "average_precision")
    titles = ("base", "base + train", "train")
    header = [f"{title}: {name}" for title in titles for name in HEADER[:2]]
    return [("Model", *header)] + [
        (
            model,
            *(mean(of["base"][name]) for name in columns),
            *(gain(of["base+train"][name], of["base"][name]) for name in columns),
            *(mean(of["train"][name]) for name in columns),
        )
        for model, of in by_data.items()
    ]


def _division(by_model: Mapping[str, Json]) -> list[Row]:
    groups = [*by_model.values()]
    rows = [
        (readable(name), f"{first['pairs']:,}", *(percent(of[name]["accuracy"]) for of in groups))
        for name, first in groups[0].items()
    ]
    return [("", "Pairs", *by_model), *rows]


def _curve(entry: Json) -> Iterator[str]:
    models = entry["figures"]["models"]
    base = entry["settings"]["base"]
    yield "## Learning curve\n"
    yield "![AUC-PR on test by the number of training pairs](curve.svg)\n"
    with_base = f", with {base['name']}" if base else ""
    yield f"Accuracy / AUC-PR on test by the share of the families in train{with_base}.\n"
    rows = [
        (point["share"], f"{point['pairs']:,}", *(_both(each["points"][at]) for each in models))
        for at, point in enumerate(models[0]["points"])
    ]
    yield _table([("Families", "Pairs", *(each["model"] for each in models)), *rows])


def _both(cell: Json) -> str:
    return f"{mean(cell['accuracy'])} / {mean(cell['average_precision'])}"


def _cross(entry: Json) -> Iterator[str]:
    tests = [each["name"] for each in entry["figures"]["sets"]]
    yield "## Training on some releases, testing on others\n"
    yield "Accuracy / AUC-PR. “Shared”: train has sentences of the test set, so it is not tested.\n"
    for model in (each["model"] for each in entry["models"]):
        rows = [row for row in entry["figures"]["rows"] if row["model"] == model]
        cells = [
            (row["train"], f"{row['pairs']:,}", *(_cell(row["tests"][name]) for name in tests))
            for row in rows
        ]
        yield _table([(f"{model}, trained on", "Pairs", *tests), *cells])


def _cell(cell: Json) -> str:
    return f"Shared: {cell['shared']:,}" if "shared" in cell else _both(cell)


def _errors(entry: Json) -> Iterator[str]:
    yield "## Mistakes that another model does not make\n"
    yield f"On test, added up over {plural(len(entry['seeds']), 'seed')}.\n"
    rows = [
        (row["of"], row["by"], f"{row['mistakes']:,}", f"{row['right']:,}", _part(row))
        for row in entry["figures"]["models"]
    ]
    yield _table([("Mistakes of", "Right by", "Mistakes", "Right", "Share (%)"), *rows])


def _part(row: Json) -> str:
    return percent(row["right"] / row["mistakes"] if row["mistakes"] else None)


def _artefacts(entry: Json) -> Iterator[str]:
    yield "## Controls that see part of a pair\n"
    yield (
        "Each should be no better than chance, the larger share of a label. If one is, labels or\n"
        "sides can be guessed without comparing the sentences. Intervals are 95 % (Wilson).\n"
    )
    rows = [
        (
            each["control"],
            f"{each['pairs']:,}",
            percent(each["chance"]),
            percent(each["accuracy"]),
            "–".join(map(percent, each["interval"])),
            "better than chance" if each["better"] else "as chance",
        )
        for each in entry["figures"]["controls"]
    ]
    yield _table([("Control", "Pairs", "Chance", "Accuracy", "Interval", "Result"), *rows])


def _regimes(entry: Json) -> Iterator[str]:
    figures = entry["figures"]
    languages = [each["name"] for each in figures["sets"]]
    yield "## Languages (PAWS-X)\n"
    yield "Accuracy / AUC-PR on test; “mean” is over the translations.\n"
    for each in figures["models"]:
        rows = [
            (
                readable(name),
                *(_both(of[lang]) if lang in of else NONE for lang in languages),
                " / ".join(map(percent, each["means"][name].values())),
            )
            for name in Name
            if (of := each["regimes"].get(name))
        ]
        yield _table([(each["model"], *languages, "mean"), *rows])
        yield from _languages_right(each)
    if figures["missing"]:
        yield f"Not run, as files are missing: {', '.join(figures['missing'])}.\n"


def _crossfit(entry: Json) -> Iterator[str]:
    figures = entry["figures"]
    number = figures["sets"]["judged"]["pairs"]
    yield "## Judged pairs, by models that did not see their families\n"
    yield (
        f"All {number:,} judged pairs with a label, in {figures['folds']} folds. The files in\n"
        "`crossfit` list for each model the pairs whose label it contradicts most first: these\n"
        "labels are the likeliest errors.\n"
    )
    rows = [
        (each["model"], f"{each['parameters']:,}", *(spread(each["judged"][of]) for of in SHOWN))
        for each in figures["models"]
    ]
    yield _table([("Model", "Parameters", *HEADER), *rows])


def _languages_right(each: Json) -> Iterator[str]:
    for name in Name:
        rows = each["right"].get(name, ())
        if len(each["regimes"].get(name, ())) > 1:
            ranges = [_range(row) for row in rows]
            shares = [percent(row["share"]) for row in rows]
            header = (f"{each['model']}, {readable(name)}: languages right", *ranges)
            yield _table([header, ("pairs (%)", *shares)])


def _range(row: Json) -> str:
    few, most = row["fewest"], row["most"]
    return str(few) if few == most else f"{few}-{most}"


def _ranking(entry: Json) -> Iterator[str]:
    found, counts = entry["figures"]["scorers"], entry["figures"]["counts"]
    pairs = plural(counts["pairs"], "paraphrase")
    yield "## Ranking of partial paraphrases\n"
    yield RANKED.format(pairs=pairs, groups=f"{counts['groups']:,}")
    if counts["groups"] < FEW_GROUPS:
        yield f"With fewer than {FEW_GROUPS} groups, figures and intervals say little.\n"
    rows = [
        (
            each["scorer"],
            *(_measure(each[name]) for name in ("r_precision", "spearman")),
            str(each["unscored"]),
            str(each["undefined"]),
        )
        for each in found
    ]
    header = ("Scorer", "R-Precision", "Spearman", "Not scored", "All scores equal")
    yield _table([header, *rows])


def _measure(of: Json) -> str:
    return f"{of['value']:.2f} ({of['low']:.1f} to {of['high']:.1f})"


def _repeating(every: Json) -> Iterator[str]:
    """Yield what each experiment fitted."""
    if every:
        yield "## What was run\n"
    for name in SECTIONS:
        if entry := every.get(name):
            releases = ", ".join(f"{of['name']} {of['version']}" for of in entry["releases"])
            base = entry["settings"]["base"]
            with_base = f", with {base['name']}" if base else ""
            models = ", ".join(each["model"] for each in entry["models"]) or "no models"
            seeds = ", ".join(map(str, entry["seeds"]))
            yield f"- `{name}` on {releases}{with_base}: {models}; seeds {seeds}"
    if every:
        yield "\n`evaluation.json` has the settings of the models, and every figure by seed.\n"


SECTIONS = {
    "plain": _plain,
    "curve": _curve,
    "cross": _cross,
    "errors": _errors,
    "artefacts": _artefacts,
    "regimes": _regimes,
    "crossfit": _crossfit,
    "ranking": _ranking,
}
