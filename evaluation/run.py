"""Runs an experiment: fits its models, and writes the folder next to the release.

Also scores predictions that were made elsewhere. Commands, workers and pages share this.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

from annotation.stats.overlap import is_english
from evaluation import board, brought, results
from evaluation.contract import Model
from evaluation.data import Unusable
from evaluation.experiments import (
    artefacts,
    changes,
    cross_domain,
    crossfit,
    curve,
    errors,
    fits,
    plain,
    regimes,
)
from evaluation.experiments.datasets import Dataset
from evaluation.experiments.figures import Figures
from evaluation.experiments.fits import Fit, Part, Results, Study
from evaluation.ranking import experiment as ranking
from evaluation.ranking import files, making
from evaluation.ranking.making import RankingSettings
from evaluation.ranking.sources import read_source
from generation.methods.model_loaders import load_tagger
from generation.model_store import EMBEDDED

PLAIN = "plain"
MEANWHILE = (
    "Another run has written the experiment {experiment} to {folder} meanwhile. Its tables were "
    "kept. Run this again to replace them: fits are kept, too."
)
# Takes the fits done, with a fraction of the one under way, and the number of fits.
TellFits: TypeAlias = Callable[[float, int], None]
# A folder of the result, and the texts of files by their paths, which replace all that it had.
Files: TypeAlias = tuple[str, Mapping[str, str]]


class Experiment(Protocol):
    """What each module of an experiment has."""

    def fits(self, study: Study) -> list[Fit]: ...

    def figures(self, study: Study, results: Results) -> Figures: ...


EXPERIMENTS: Mapping[str, Experiment] = {
    PLAIN: plain,
    "curve": curve,
    "cross": cross_domain,
    "errors": errors,
    "artefacts": artefacts,
    "regimes": regimes,
    "crossfit": crossfit,
}


def evaluate(
    name: str,
    study: Study,
    models: Mapping[str, Model],
    folder: Path,
    *,
    tell: TellFits,
    fitted: Callable[[Fit, Part], None],
) -> results.Evaluation:
    """Fit the models, write the folder, and return the experiment's entry in evaluation.json.

    `fitted` is called after each fit; what it raises ends the run, and finished fits are kept.
    Raises Unusable.
    """
    experiment = EXPERIMENTS[name]
    before = results.read(folder, study.dataset.identity)["experiments"].get(name)
    parts = _fit(experiment.fits(study), models, folder, tell=tell, fitted=fitted)
    with_kinds = _add_kinds(study) if name == PLAIN else study
    entry = results.experiment(study, models, experiment.figures(with_kinds, parts))
    replaced, files = FILES[name](with_kinds, parts) if name in FILES else ("", {})

    def add(evaluation: results.Evaluation) -> None:
        if evaluation["experiments"].get(name) not in (before, entry):
            raise Unusable(MEANWHILE.format(folder=folder, experiment=name))
        evaluation["experiments"][name] = entry
        if name == PLAIN:
            _group_again(evaluation, with_kinds.dataset, folder)

    results.update(folder, study.dataset, add, files=files, replaced=replaced)
    return entry


def _fit(
    planned: Sequence[Fit],
    models: Mapping[str, Model],
    folder: Path,
    *,
    tell: TellFits,
    fitted: Callable[[Fit, Part], None],
    before: int = 0,
) -> dict[fits.Key, Part]:
    """Fit what is planned, or take what is kept; `before` is the number of steps done before."""
    parts: dict[fits.Key, Part] = {}
    steps = before + len(planned)

    def tell_step(done: int, most: int) -> None:
        tell(before + len(parts) + done / max(most, done, 1), steps)

    kept = results.part_store(folder)
    for fit, part in fits.run(planned, models=models, kept=kept, tell=tell_step):
        parts[fit.key] = part
        tell(before + len(parts), steps)
        fitted(fit, part)
    return parts


def _add_kinds(study: Study) -> Study:
    """Add the kinds of change of an English release, whose language the embedded tagger knows."""
    dataset = study.dataset
    if not is_english(dataset.language):
        return study
    kinds = changes.kinds(dataset.dev + dataset.test, load_tagger(EMBEDDED))
    return replace(study, datasets=[replace(dataset, kinds=kinds), *study.datasets[1:]])


def _group_again(evaluation: results.Evaluation, dataset: Dataset, folder: Path) -> None:
    """Give brought predictions on test the same groups as our models. Raises Unusable."""
    for name, of_splits in evaluation["brought"].items():
        if "test" in of_splits:
            path = folder / board.brought_path(name, "test")
            if not path.is_file():
                raise Unusable(f"{path} is missing. Remove the predictions of {name} on test.")
            _scores, entry = brought.figures(dataset, "test", path.read_bytes())
            of_splits["test"]["groups"] = entry["groups"]


def rank(
    study: Study,
    models: Mapping[str, Model],
    folder: Path,
    *,
    software_version: str,
    tell: TellFits,
    fitted: Callable[..., None],
) -> results.Evaluation:
    """Make the groups of a release's test set, score them, and write both into the folder.

    The embedded tagger must know its language. Returns the experiment's entry. `fitted` is also
    called when the groups are made. Raises Unusable.
    """
    study_of_one_seed = replace(study, seeds=study.seeds[:1])
    tagger, source = load_tagger(EMBEDDED), read_source(study.folders[0])
    ranking_made = making.make_ranking(
        source, RankingSettings(), tagger=tagger, software_version=software_version
    )
    planned = ranking.fits(study_of_one_seed, ranking_made)
    tell(1, 1 + len(planned))
    fitted()
    parts = _fit(planned, models, folder, tell=tell, fitted=fitted, before=1)
    entry = results.experiment(
        study_of_one_seed, models, ranking.figures(study_of_one_seed, ranking_made, parts)
    )
    results.update(
        folder,
        study.dataset,
        lambda evaluation: evaluation["experiments"].update({ranking.DATA: entry}),
        files={},
        replaced=board.RANKING,
        write=partial(files.write, ranking_made),
    )
    return entry


def _predictions(study: Study, found: Results) -> Files:
    """Return the scores of dev and test of each fit, and a file of kinds if they are known."""
    kinds = study.dataset.kinds
    ids = (study.dataset.dev + study.dataset.test).ids
    texts = {
        _path(*key): results.predictions_text(ids, fits.joined(part, "dev", "test"))
        for key, part in found.items()
    }
    of_kinds = {} if kinds is None else {board.KINDS: changes.as_text(kinds)}
    return board.PREDICTIONS, texts | of_kinds


def _path(data: str, model: str, seed: int) -> str:
    return board.own_path(model, seed, data="" if data == plain.TRAIN else data)


def _contradictions(study: Study, found: Results) -> Files:
    """Return the pairs of each model, with those first whose label it contradicts most."""
    texts = crossfit.contradictions(study, found)
    return board.CROSSFIT, {board.crossfit_path(name): text for name, text in texts.items()}


FILES: Mapping[str, Callable[[Study, Results], Files]] = {
    PLAIN: _predictions,
    "crossfit": _contradictions,
}


def bring(
    dataset: Dataset, folder: Path, *, name: str, split: str, content: bytes, replaces: bool = True
) -> tuple[Figures, bool]:
    """Score predictions that were made elsewhere, and add them to the folder.

    Returns their figures, and whether they replaced others of the same name and split, which stay
    without `replaces`. Raises Unusable.
    """
    kinds = changes.read(folder / board.KINDS, dataset.dev + dataset.test)
    scores, entry = brought.figures(replace(dataset, kinds=kinds), split, content)
    replaced = False

    def add(evaluation: results.Evaluation) -> None:
        nonlocal replaced
        brought.refuse_name(name, evaluation["brought"])
        of_name = evaluation["brought"].setdefault(name, {})
        replaced = split in of_name
        if replaced and not replaces:
            raise brought.Unscorable(brought.Fault(brought.TAKEN, {"name": name}))
        of_name[split] = entry

    text = results.predictions_text(dataset.split(split).ids, scores)
    results.update(folder, dataset, add, files={board.brought_path(name, split): text})
    return entry["figures"], replaced


def remove(dataset: Dataset, folder: Path, *, name: str, splits: Sequence[str]) -> list[str]:
    """Return the sets that had some. Raises Unusable, which is Unscorable without any."""
    splits_removed: list[str] = []

    def take(evaluation: results.Evaluation) -> None:
        of_name = evaluation["brought"].pop(name, {})
        splits_removed.extend(split for split in splits if split in of_name)
        if not splits_removed:
            values = {"name": name, "sets": " or ".join(splits)}
            raise brought.Unscorable(brought.Fault(brought.NOT_THERE, values))
        if entries := {
            split: entry for split, entry in of_name.items() if split not in splits_removed
        }:
            evaluation["brought"][name] = entries

    paths = [board.brought_path(brought.checked_name(name), split) for split in splits]
    results.update(folder, dataset, take, files={}, removed=paths)
    return splits_removed
