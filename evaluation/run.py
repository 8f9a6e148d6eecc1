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
    shape,
)
from evaluation.experiments.figures import Figures
from evaluation.experiments.fits import Fit, Part, Results, Study
from evaluation.experiments.sets import Dataset
from evaluation.ranking import experiment as ranking
from evaluation.ranking import files, making
from evaluation.ranking.making import RankingSettings
from evaluation.ranking.sources import read_source
from generation.methods.model_loaders import load_tagger
from generation.model_store import EMBEDDED

PLAIN, SHAPE = "plain", "shape"
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

    def figures(self, study: Study, results: Results, /) -> Figures: ...


EXPERIMENTS: Mapping[str, Experiment] = {
    PLAIN: plain,
    SHAPE: shape,
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

    `shape` comes with the plain experiment: its rules are fitted in seconds.
    `fitted` is called after each fit; what it raises ends the run, and finished fits are kept.
    Raises Unusable.
    """
    experiment = EXPERIMENTS[name]
    entry_before = results.read_evaluation(folder, study.dataset.identity)["experiments"].get(name)
    parts = _fit_all(experiment.fits(study), models, folder, tell=tell, fitted=fitted)
    study_with_kinds = _add_kinds(study) if name == PLAIN else study
    entry = results.experiment_entry(study, models, experiment.figures(study_with_kinds, parts))
    replaced, files = FILES[name](study_with_kinds, parts) if name in FILES else ("", {})

    def add_entry(evaluation: results.Evaluation) -> None:
        if evaluation["experiments"].get(name) not in (entry_before, entry):
            raise Unusable(MEANWHILE.format(folder=folder, experiment=name))
        evaluation["experiments"][name] = entry
        if name == PLAIN:
            evaluation["experiments"][SHAPE] = _shape_entry(study)
            _group_again(evaluation, study_with_kinds.dataset, folder)

    results.update_folder(folder, study.dataset, add_entry, files=files, replaced=replaced)
    return entry


def _shape_entry(study: Study) -> results.Evaluation:
    study_of_rules = replace(study, models=(), seeds=(), base=None, silver=None)
    return results.experiment_entry(study_of_rules, {}, shape.figures(study_of_rules, {}))


def _fit_all(
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
    kinds = changes.kinds_of_change(dataset.dev + dataset.test, load_tagger(EMBEDDED))
    return replace(study, datasets=[replace(dataset, kinds=kinds), *study.datasets[1:]])


def _group_again(evaluation: results.Evaluation, dataset: Dataset, folder: Path) -> None:
    """Give brought predictions on test the same groups as our models. Raises Unusable."""
    for name, entry_of_split in evaluation["brought"].items():
        if "test" in entry_of_split:
            path = folder / board.brought_path(name, "test")
            if not path.is_file():
                raise Unusable(f"{path} is missing. Remove the predictions of {name} on test.")
            _scores, entry = brought.score_file(dataset, "test", path.read_bytes())
            entry_of_split["test"]["groups"] = entry["groups"]


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
    test_ranking = making.make_ranking(
        source, RankingSettings(), tagger=tagger, software_version=software_version
    )
    planned = ranking.fits(study_of_one_seed, test_ranking)
    tell(1, 1 + len(planned))
    fitted()
    parts = _fit_all(planned, models, folder, tell=tell, fitted=fitted, before=1)
    entry = results.experiment_entry(
        study_of_one_seed, models, ranking.figures(study_of_one_seed, test_ranking, parts)
    )
    results.update_folder(
        folder,
        study.dataset,
        lambda evaluation: evaluation["experiments"].update({ranking.DATA: entry}),
        files={},
        replaced=board.RANKING,
        write=partial(files.write_ranking, test_ranking),
    )
    return entry


def _prediction_files(study: Study, parts: Results) -> Files:
    """Return the scores of dev and test of each fit, and a file of kinds if they are known."""
    kinds = study.dataset.kinds
    ids = (study.dataset.dev + study.dataset.test).ids
    predictions_files = {
        _predictions_path(*key): results.predictions_text(
            ids, fits.join_scores(part, "dev", "test")
        )
        for key, part in parts.items()
        if "test" in part.scores
    }
    kinds_file = {} if kinds is None else {board.KINDS: changes.kinds_as_text(kinds)}
    return board.PREDICTIONS, predictions_files | kinds_file


def _predictions_path(data: str, model: str, seed: int) -> str:
    return board.predictions_path(model, seed, data="" if data == plain.TRAIN else data)


def _contradictions(study: Study, found: Results) -> Files:
    """Return the pairs of each model, with those first whose label it contradicts most."""
    texts = crossfit.contradictions(study, found)
    return board.CROSSFIT, {board.crossfit_path(name): text for name, text in texts.items()}


FILES: Mapping[str, Callable[[Study, Results], Files]] = {
    PLAIN: _prediction_files,
    "crossfit": _contradictions,
}


def bring(
    dataset: Dataset, folder: Path, *, name: str, split: str, content: bytes, replaces: bool = True
) -> tuple[Figures, bool]:
    """Score predictions that were made elsewhere, and add them to the folder.

    Returns their figures, and whether they replaced others of the same name and split, which stay
    without `replaces`. Raises Unusable.
    """
    kinds = changes.read_kinds(folder / board.KINDS, dataset.dev + dataset.test)
    scores, entry = brought.score_file(replace(dataset, kinds=kinds), split, content)
    replaced = False

    def add_entry(evaluation: results.Evaluation) -> None:
        nonlocal replaced
        brought.refuse_name(name, evaluation["brought"])
        entry_of_split = evaluation["brought"].setdefault(name, {})
        replaced = split in entry_of_split
        if replaced and not replaces:
            raise brought.Unscorable(brought.Fault(brought.TAKEN, {"name": name}))
        entry_of_split[split] = entry

    text = results.predictions_text(dataset.split(split).ids, scores)
    results.update_folder(folder, dataset, add_entry, files={board.brought_path(name, split): text})
    return entry["figures"], replaced


def remove(dataset: Dataset, folder: Path, *, name: str, splits: Sequence[str]) -> list[str]:
    """Return the sets that had some. Raises Unusable, which is Unscorable without any."""
    splits_removed: list[str] = []

    def remove_entries(evaluation: results.Evaluation) -> None:
        entry_of_split = evaluation["brought"].pop(name, {})
        splits_removed.extend(split for split in splits if split in entry_of_split)
        if not splits_removed:
            values = {"name": name, "sets": " or ".join(splits)}
            raise brought.Unscorable(brought.Fault(brought.NOT_THERE, values))
        if entries := {
            split: entry for split, entry in entry_of_split.items() if split not in splits_removed
        }:
            evaluation["brought"][name] = entries

    paths = [board.brought_path(brought.check_name(name), split) for split in splits]
    results.update_folder(folder, dataset, remove_entries, files={}, removed=paths)
    return splits_removed
