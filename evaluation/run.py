"""Runs an experiment: fits its models, and writes the folder next to the release.

The command `evaluate` and the workers share this.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TypeAlias

from evaluation import results
from evaluation.contract import Model
from evaluation.experiments import (
    artefacts,
    cross_domain,
    crossfit,
    curve,
    errors,
    fits,
    plain,
    regimes,
)
from evaluation.experiments.figures import Figures
from evaluation.experiments.fits import Fit, Part, Results, Study

# Takes the fits done, with a fraction of the one under way, and the number of fits.
TellFits: TypeAlias = Callable[[float, int], None]
# A folder of the result, and the texts of its files by their names, which replace all that it had.
Files: TypeAlias = tuple[str, Mapping[str, str]]


class Experiment(Protocol):
    """What each module of an experiment has."""

    def fits(self, study: Study) -> list[Fit]: ...

    def figures(self, study: Study, results: Results) -> Figures: ...


EXPERIMENTS: Mapping[str, Experiment] = {
    "plain": plain,
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
    planned = experiment.fits(study)
    found: dict[fits.Key, Part] = {}

    def tell_step(done: int, most: int) -> None:
        tell(len(found) + done / max(most, done, 1), len(planned))

    kept = results.kept(folder)
    for fit, part in fits.run(planned, models=models, kept=kept, tell=tell_step):
        found[fit.key] = part
        tell(len(found), len(planned))
        fitted(fit, part)
    entry = results.experiment(study, models, experiment.figures(study, found))
    replaced, files = FILES[name](study, found) if name in FILES else ("", {})
    results.update(
        folder,
        study.dataset,
        lambda evaluation: evaluation["experiments"].update({name: entry}),
        files={f"{replaced}/{path}": text for path, text in files.items()},
        replaced=replaced,
    )
    return entry


def _predictions(study: Study, found: Results) -> Files:
    """Return the scores of dev and test of each fit."""
    ids = (study.dataset.dev + study.dataset.test).ids
    texts = {
        _path(*key): results.predictions_text(ids, fits.joined(part, "dev", "test"))
        for key, part in found.items()
    }
    return results.PREDICTIONS, texts


def _path(data: str, model: str, seed: int) -> str:
    folder = "" if data == plain.TRAIN else f"{data}/"
    return f"{folder}{results.file_name(model)}-{seed}.tsv"


def _contradictions(study: Study, found: Results) -> Files:
    """Return the pairs of each model, with those first whose label it contradicts most."""
    texts = crossfit.contradictions(study, found)
    return results.CROSSFIT, {f"{results.file_name(name)}.tsv": texts[name] for name in texts}


FILES: Mapping[str, Callable[[Study, Results], Files]] = {
    "plain": _predictions,
    "crossfit": _contradictions,
}
