"""What the README of an evaluation says of each experiment, in per cent as in the papers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from annotation.stats import shape
from common.display import plural, readable
from common.tables import Row
from evaluation import advice
from evaluation.board import SHOWN, best_first
from evaluation.cells import HEADER, NONE, Json, gain, percent, spread, table
from evaluation.ranking.report import with_interval
from releases.dataset.translated.rows import RegimeName

RANKED = """Of {pairs} in test, {groups} have a group: the second sentence, its paraphrase, and
three versions of the second sentence in which one, two and three pairs of words changed places.
The groups are in `ranking`.

R-Precision is the share of groups in which the paraphrase has the highest score. Spearman is the
mean correlation of the scores with the order of the four. Both are times 100, with 95 % intervals
(bootstrap over groups).
"""
# With fewer, a bootstrap interval is too narrow to be trusted.
FEW_GROUPS = 30
FEW = f"With fewer than {FEW_GROUPS} groups, figures and intervals say little."
# A wider interval of an accuracy does not tell chance from a clear gain.
WIDE = 0.2
PRETRAINING = """On test. Models were first trained on {pairs} with the label of their method, and
then on the release's training pairs; in brackets the gain over these alone. Left out: {left_out}
with a sentence of dev or test. “–”: the model cannot be trained on noisy labels first.
"""
# The title of a training, what the model was fitted to, and to what where a gain is over that.
Training: TypeAlias = tuple[str, str, str]
WITH_BASE = (("base", "base", ""), ("base + train", "base+train", "base"), ("train", "train", ""))
ON_BASE = WITH_BASE[:2]
PRETRAINED = (("train", "train", ""), ("noisy, then train", "pretrained", "train"))


def _plain_section(entry: Json) -> Iterator[str]:
    models = entry["figures"]["models"]
    if base := entry["settings"]["base"]:
        yield f"## With {base['name']}\n"
        yield "On test; in brackets the gain from the release's training pairs.\n"
        yield table(_rows_by_training(models, WITH_BASE))
        if "base_test" in entry["figures"]["sets"]:
            yield f"On the test set of {base['name']}; in brackets the gain from the same.\n"
            yield table(_rows_by_training(models, ON_BASE, "base_test"))
    yield from _sharing_notes(models)
    if silver := entry["settings"].get("silver"):
        yield "## Trained on noisy labels first\n"
        pairs, left_out = (plural(silver[name], "pair") for name in ("pairs", "left_out"))
        yield PRETRAINING.format(pairs=pairs, left_out=left_out)
        yield table(_rows_by_training(models, PRETRAINED))


def _sharing_notes(models: Sequence[Json]) -> Iterator[str]:
    """Yield what the test sets share with each training, and what was left out of it."""
    for data, figures in {figures["data"]: figures for figures in models}.items():
        for test, name in (("test", "the release"), ("base_test", "the base")):
            cell = figures.get(test, {})
            if "left_out" in cell:
                pairs = plural(cell["left_out"], "pair")
                yield f"Fitted to {data} without {pairs} that share a sentence with {name}.\n"
            elif "kept" in cell:
                sentences = plural(cell["kept"], "sentence")
                yield f"The test set of {name} shares {sentences} with {data}.\n"


def _rows_by_training(
    models: Sequence[Json], columns: Sequence[Training], test: str = "test"
) -> list[Row]:
    """Return the accuracy and AUC-PR of each model on a test set after each training."""
    by_model: dict[str, dict[str, Json]] = {}
    for model_figures in models:
        if test in model_figures:
            figures_by_training = by_model.setdefault(model_figures["model"], {})
            figures_by_training[model_figures["data"]] = model_figures[test]
    header = [f"{title}: {name}" for title, *_ in columns for name in HEADER[:2]]
    rows = [
        (model, *(_result(by_training, column, name) for column in columns for name in SHOWN[:2]))
        for model, by_training in by_model.items()
    ]
    return [("Model", *header), *rows]


def _result(of: Mapping[str, Json], training: Training, name: str) -> str:
    """Return a measure with its gain; nothing for a model that was not trained so."""
    _, data, before = training
    if data not in of:
        return NONE
    if "shared" in of[data]:
        return _cell(of[data])
    return gain(of[data][name], of[before].get(name) if before else None)


def _curve_section(entry: Json) -> Iterator[str]:
    models = entry["figures"]["models"]
    base = entry["settings"]["base"]
    yield "## Learning curve\n"
    yield "![AUC-PR on test by the number of training pairs](curve.svg)\n"
    with_base = f", with {base['name']}" if base else ""
    yield (
        f"Accuracy / AUC-PR on test by the share of the families in train{with_base}. “Pairs” is\n"
        "the mean over the seeds, which draw other families.\n"
    )
    rows = [
        (point["share"], f"{point['pairs']:,}", *(_score(model["points"][at]) for model in models))
        for at, point in enumerate(models[0]["points"])
    ]
    yield table([("Families", "Pairs", *(model["model"] for model in models)), *rows])
    if left_out := entry["figures"].get("left_out"):
        yield f"Without {plural(left_out, 'pair')} that share a sentence with test.\n"
    if gain := advice.gain(entry["figures"]):
        yield (
            f"{gain.model} is the best with all pairs: from {gain.fewer:,} to {gain.pairs:,}, "
            f"its AUC-PR changed\nby {100 * gain.mean:+.1f} points. {gain.advice}\n"
        )


def _score(cell: Json) -> str:
    return f"{spread(cell['accuracy'])} / {spread(cell['average_precision'])}"


def _cross_section(entry: Json) -> Iterator[str]:
    tests = [release["name"] for release in entry["figures"]["sets"]]
    yield "## Training on some releases, testing on others\n"
    yield (
        "Accuracy / AUC-PR. “Shared”: sentences of the test set that train or dev has, too; a set\n"
        "without figures is not tested. “Left out”: pairs of train and dev with such sentences.\n"
    )
    for model in (model["model"] for model in entry["models"]):
        rows = [row for row in entry["figures"]["rows"] if row["model"] == model]
        cells = [
            (row["train"], f"{row['pairs']:,}", *(_cell(row["tests"][name]) for name in tests))
            for row in rows
        ]
        yield table([(f"{model}, trained on", "Pairs", *tests), *cells])
    # Evaluations of earlier versions have no such counts.
    for sharing in entry["figures"].get("shared", ()):
        number = plural(sharing["sentences"], "sentence")
        yield f"The test sets of {' and '.join(sharing['sets'])} share {number}.\n"


def _cell(cell: Json) -> str:
    if "shared" in cell:
        return f"Shared: {cell['shared']:,}"
    said = {"kept": "shared", "left_out": "left out"}
    notes = [f" ({text}: {cell[name]:,})" for name, text in said.items() if name in cell]
    return "".join([_score(cell), *notes])


def _errors_section(entry: Json) -> Iterator[str]:
    yield "## Mistakes that another model does not make\n"
    yield f"On test, added up over {plural(len(entry['seeds']), 'seed')}.\n"
    rows = [
        (row["of"], row["by"], f"{row['mistakes']:,}", f"{row['right']:,}", _part(row))
        for row in entry["figures"]["models"]
    ]
    yield table([("Mistakes of", "Right by", "Mistakes", "Right", "Share (%)"), *rows])


def _part(row: Json) -> str:
    return percent(row["right"] / row["mistakes"] if row["mistakes"] else None)


def _artefacts_section(entry: Json) -> Iterator[str]:
    yield "## Controls that see part of a pair\n"
    yield (
        "Each should be no better than chance, the larger share of a label. If one is, labels or\n"
        "sides can be guessed without comparing the sentences. Intervals are 95 % (Wilson).\n"
    )
    rows = [
        (
            control["control"],
            f"{control['pairs']:,}",
            percent(control["chance"]),
            percent(control["accuracy"]),
            "–".join(map(percent, control["interval"])),
            percent(control["average_precision"]),
            _chance_verdict(control),
        )
        for control in entry["figures"]["controls"]
    ]
    yield table([("Control", "Pairs", "Chance", "Accuracy", "Interval", "AUC-PR", "Result"), *rows])


def _shape_section(entry: Json) -> Iterator[str]:
    figures = entry["figures"]
    yield "## Rules that see only the shape of a pair\n"
    train, test = (plural(figures["sets"][name]["pairs"], "pair") for name in ("train", "test"))
    yield (
        f"Fitted to {train} of train, tested on {test}. “Points”: above the more frequent label\n"
        f"of test ({percent(figures['majority'])} %). Intervals are 95 % (Wilson).\n"
    )
    yield table(shape.as_rows(figures))
    yield f"{advice.shape_remark(figures)}\n"


def _chance_verdict(control: Json) -> str:
    low, high = control["interval"]
    if control["better"]:
        return "better than chance"
    return "too few pairs to tell" if high - low > WIDE else "as chance"


def _regimes_section(entry: Json) -> Iterator[str]:
    figures = entry["figures"]
    languages = [release["name"] for release in figures["sets"]]
    yield "## Languages (PAWS-X)\n"
    yield "Accuracy / AUC-PR on test; “mean” is over the translations.\n"
    for model in figures["models"]:
        rows = [
            (
                readable(name),
                *(_score(by_language[lang]) if lang in by_language else NONE for lang in languages),
                " / ".join(map(percent, model["means"][name].values())),
            )
            for name in RegimeName
            if (by_language := model["regimes"].get(name))
        ]
        yield table([(model["model"], *languages, "mean"), *rows])
        yield from _languages_right_tables(model)
    if figures["missing"]:
        yield f"Not run, as files are missing: {', '.join(figures['missing'])}.\n"


def _crossfit_section(entry: Json) -> Iterator[str]:
    figures = entry["figures"]
    number = figures["sets"]["judged"]["pairs"]
    yield "## Judged pairs, by models that did not see their families\n"
    yield (
        f"All {number:,} judged pairs with a label, in {figures['folds']} folds. The files in\n"
        "`crossfit` list for each model the pairs whose label it contradicts most first: these\n"
        "labels are the likeliest errors.\n"
    )
    rows = [
        (
            model["model"],
            f"{model['parameters']:,}",
            *(spread(model["judged"][measure]) for measure in SHOWN),
        )
        for model in figures["models"]
    ]
    yield table([("Model", "Parameters", *HEADER), *rows])


def _languages_right_tables(model: Json) -> Iterator[str]:
    for name in RegimeName:
        rows = model["right"].get(name, ())
        if len(model["regimes"].get(name, ())) > 1:
            ranges = [_range(row) for row in rows]
            shares = [percent(row["share"]) for row in rows]
            header = (f"{model['model']}, {readable(name)}: languages right", *ranges)
            yield table([header, ("pairs (%)", *shares)])


def _range(row: Json) -> str:
    few, most = row["fewest"], row["most"]
    return str(few) if few == most else f"{few}-{most}"


def _ranking_section(entry: Json) -> Iterator[str]:
    scorers, counts = best_first(entry["figures"]["scorers"]), entry["figures"]["counts"]
    pairs = plural(counts["pairs"], "paraphrase")
    yield "## Ranking of partial paraphrases\n"
    yield RANKED.format(pairs=pairs, groups=f"{counts['groups']:,}")
    if counts["groups"] < FEW_GROUPS:
        yield f"{FEW}\n"
    rows = [
        (
            scorer["scorer"],
            *(with_interval(**scorer[name]) for name in ("r_precision", "spearman")),
            str(scorer["unscored"]),
            str(scorer["undefined"]),
        )
        for scorer in scorers
    ]
    header = ("Scorer", "R-Precision", "Spearman", "Not scored", "All scores equal")
    yield table([header, *rows])


SECTIONS = {
    "plain": _plain_section,
    "shape": _shape_section,
    "curve": _curve_section,
    "cross": _cross_section,
    "errors": _errors_section,
    "artefacts": _artefacts_section,
    "regimes": _regimes_section,
    "crossfit": _crossfit_section,
    "ranking": _ranking_section,
}
