"""Stores what the models of an evaluation say about judged pairs as model judgments.

One model represents all seeds: its score is their mean, which is steadier than any of them, and
people need not compare three lists of disagreements that nearly agree.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from uuid import UUID

from annotation.errors import ARCHIVED
from annotation.model_judgments import services as model_judgments
from annotation.models import Project
from annotation.pairs.labelled_lines import ModelJudgmentLine
from evaluation.contract import THRESHOLD, Model
from evaluation.data import Unusable
from evaluation.experiments import plain
from evaluation.experiments.datasets import judged
from evaluation.experiments.fits import Fit, Part, Study, mean_scores
from evaluation.experiments.sets import Dataset
from generation.records import Report
from releases.dataset.manifest import as_json
from releases.models import Release

# Experiments whose scores can be stored, with what they add to the name of a model.
NAMED = {"plain": "", "crossfit": " (cross-fitted)"}


def project_of(dataset: Dataset) -> Project:
    """Return the project whose frozen release this is. Raises Unusable."""
    if dataset.known is None:
        raise Unusable(f"{dataset} has no judged pairs. Name the release that it translates.")
    if any(row.origin == "published" for row in dataset.known.values()):
        raise Unusable(
            f"{dataset} was published elsewhere. Its pairs are in no study. Judge them again first."
        )
    frozen = Release.objects.filter(version=dataset.version, state=Release.State.FROZEN)
    for release in frozen.select_related("project").iterator():
        written = as_json(release.manifest or {})
        if sha256(written.encode()).hexdigest() == dataset.sha256:
            if release.project.archived_at is not None:
                raise Unusable(f"{release.project}: {ARCHIVED}")
            return release.project
    raise Unusable(
        f"{dataset} is no release of a project in this database, so its pairs are not here. Run "
        "this where the release was built, or leave out --as-guest."
    )


def add(
    name: str, study: Study, models: Mapping[str, Model], done: Sequence[tuple[Fit, Part]]
) -> Iterator[tuple[str, Report]]:
    """Store the mean scores of each model, named after the experiment `name`.

    The same scores again are duplicates; others are refused. Raises Refused and Unusable.
    """
    project, rows = project_of(study.dataset), judged(study.dataset)
    fits_of_train = [
        (fit, part) for fit, part in done if name != "plain" or fit.data == plain.TRAIN
    ]
    for model, scores in mean_scores(fits_of_train).items():
        scores_of_judged = {key: score for key, score in scores.items() if key in rows}
        title = f"{model}{NAMED[name]}"
        yield (
            title,
            model_judgments.add(
                project,
                name=title,
                revision=_revision(name, study, models[model]),
                note=_note(study),
                lines=_lines(project, scores_of_judged),
            ),
        )


def _lines(project: Project, scores: Mapping[str, float]) -> Iterator[ModelJudgmentLine]:
    """Yield a label for each score: of several on a side, the one next to the other side."""
    scheme = project.scheme
    lowest_of_upper = [scheme.outcome(place) for place in range(scheme.size)].index(1)
    for number, (key, score) in enumerate(scores.items(), start=1):
        label = lowest_of_upper - (score <= THRESHOLD)
        yield ModelJudgmentLine(number, UUID(key), label, score)


def _revision(name: str, study: Study, model: Model) -> str:
    content = {
        "release": study.dataset.sha256,
        "experiment": name,
        "folds": study.folds,
        "model": model.identity,
        "seeds": list(study.seeds),
    }
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _note(study: Study) -> str:
    seeds = ", ".join(map(str, study.seeds))
    return f"Fitted to {study.dataset}; mean over seeds {seeds}"[:500]
