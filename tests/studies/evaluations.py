"""Experiments with a release: waiting, under way, done with figures, failed."""

import json
from datetime import timedelta

from django.utils import timezone

from evaluation import board
from evaluation import results as evaluations
from evaluation.models import Evaluation
from evaluation.selectors import companion_of, identity_of
from releases.models import Release
from releases.selectors.releases import folder_of

SPAN = {"mean": 0.75, "low": 0.7, "high": 0.8}
SPANS = dict.fromkeys(board.SHOWN, SPAN)
POINT = {"average_precision": SPAN, "seeds": [{"average_precision": 0.75}] * 3}
POINTS = [{"pairs": pairs, **POINT} for pairs in (120, 240)]
MEASURE = {"value": 20.0, "low": 10.0, "high": 30.0}
SCORER = {"scorer": "order", "groups": 9, "is_model": False, "unscored": 1, "undefined": 0}
ALL = {"pairs": 60, "accuracy": 0.75}
GROUPS = {"method": {"word_swap": ALL}, "kind": {"noun": ALL, "not_the_same_words": ALL}}
# Of evaluations, by their experiment.
FIGURES = {
    "plain": {
        "sets": {split: {"pairs": 60, "paraphrases": 30} for split in ("train", "dev", "test")},
        "models": [
            {
                "model": "bow",
                "data": "train",
                "parameters": 7,
                "test": SPANS,
                "dev": SPANS,
                "groups": GROUPS,
            }
        ],
    },
    "curve": {
        "sets": {"test": {"pairs": 60, "paraphrases": 30}},
        "models": [{"model": "bow", "points": POINTS}],
    },
    "ranking": {
        "counts": {"pairs": 30, "groups": 9},
        "scorers": [SCORER | {"r_precision": MEASURE, "spearman": MEASURE}],
    },
}

SHAPE = {
    "sets": {split: {"pairs": 60, "paraphrases": 30} for split in ("train", "test")},
    "majority": 0.5,
    "rules": [{"rule": "rotation", "accuracy": 0.9, "points": 0.4, "interval": [0.8, 0.95]}],
    "verdict": "readable",
}


def evaluated(study, state="done", **columns):
    """All experiments are done, and asked for again if the state is another one."""
    release = Release.objects.get(public_id=study.arguments["public_id"])
    for split in ("train", "dev", "test"):
        release.manifest["files"][f"labeled_final/{split}.tsv"] = {"rows": 60}
    release.save()
    for experiment, figures in FIGURES.items():
        results = {"seeds": [0], "figures": figures}
        Evaluation.objects.create(
            release=release,
            experiment=experiment,
            names=["bow"],
            state=state,
            asked_at=timezone.now(),
            asked_by=study.people["manager"],
            results=results,
            finished_at=timezone.now(),
            **columns,
        )
    _bring(study, release)


def _bring(study, release):
    folder, measured = companion_of(release), dict.fromkeys(board.SHOWN, 0.8)
    entry = {split: {"figures": measured, "groups": GROUPS} for split in ("test", "dev")}
    content = evaluations.read_evaluation(folder, identity_of(release)) | {
        "brought": {"Theirs": entry},
        "experiments": {"shape": {"figures": SHAPE}},
    }
    folder.mkdir(parents=True)
    (folder / evaluations.EVALUATION).write_text(json.dumps(content))
    _write_scores(release, board.brought_path("Theirs", "test"), ["test"])
    _write_scores(release, board.predictions_path("bow", 0), ["dev", "test"])


def _write_scores(release, path, splits):
    """Scores of the pairs in the files of the release, of which small ones have none."""
    tables = [folder_of(release) / f"labeled_final/{split}.tsv" for split in splits]
    rows = [row for table in tables if table.exists() for row in table.read_text().splitlines()[1:]]
    file = companion_of(release) / path
    file.parent.mkdir(parents=True)
    lines = ["id\tscore", *(f"{row.split(chr(9))[0]}\t0.75" for row in rows)]
    file.write_text("\n".join(lines) + "\n")


def evaluation_waiting(study):
    evaluated(study, "waiting", failure="The disk is full.")


def evaluation_under_way(study):
    begun = timezone.now() - timedelta(minutes=10)
    evaluated(study, "under_way", done=150, total=900, started_at=begun)


def evaluation_failed(study):
    evaluated(study, "failed", failure="The train set has only paraphrases.")


def evaluation_cancelled(study):
    evaluated(study, "cancelled")
