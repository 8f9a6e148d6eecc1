"""What several models say of the same pairs, side by side (PAWS Table 1, PARADE Table 8).

The scores are those in the folder of an evaluation: of our own models the mean over their seeds,
and predictions that were made elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from common.program import PROGRAM
from evaluation import board, brought
from evaluation.contract import THRESHOLD, Scores
from evaluation.data import Unusable
from evaluation.experiments.datasets import PUBLISHED_ID
from evaluation.experiments.plain import BASE, BOTH, PRETRAINED, TRAIN
from evaluation.experiments.sets import Dataset, together

# It says nothing of a pair, so it is shown only if it is named.
NEVER = "never"
OTHER_TRAININGS = (BASE, BOTH, PRETRAINED)
DIFFER, ALL_WRONG, ONLY_RIGHT = "differ", "all-wrong", "only-right"
PICKS = (DIFFER, ALL_WRONG, ONLY_RIGHT)


class Files(NamedTuple):
    """Files of scores, one for each seed, by their paths in the folder, and the sets in them."""

    paths: Sequence[str]
    splits: Sequence[str]


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A pair with the score of each model; `entity` and `grade` are empty if there are none."""

    id: str
    sentence1: str
    sentence2: str
    entity: str
    grade: str
    label: int
    scores: Mapping[str, float]

    def side(self, model: str) -> int:
        return int(self.scores[model] > THRESHOLD)

    def is_right(self, model: str) -> bool:
        return self.side(model) == self.label

    @property
    def error(self) -> float:
        """How far the scores are from the label, on average."""
        return fmean(abs(score - self.label) for score in self.scores.values())


def files_by_model(evaluation: Mapping[str, Any], split: str) -> dict[str, Files]:
    """Return where the scores of each model on a set are; other trainings: "base+train/bow"."""
    files: dict[str, Files] = {}
    plain = evaluation["experiments"].get("plain", {"figures": {"models": []}, "seeds": []})
    for figures in plain["figures"]["models"]:
        data, model = ("" if figures["data"] == TRAIN else figures["data"]), figures["model"]
        paths = [board.predictions_path(model, seed, data=data) for seed in plain["seeds"]]
        files[f"{data}/{model}" if data else model] = Files(paths, ("dev", "test"))
    for name, entries in sorted(evaluation["brought"].items()):
        if split in entries:
            files[name] = Files([board.brought_path(name, split)], (split,))
    return files


def usual_models(names: Iterable[str]) -> list[str]:
    """Return those that were fitted to train alone, or elsewhere, without never."""
    return [name for name in names if name.partition("/")[0] not in (*OTHER_TRAININGS, NEVER)]


def read_pairs(
    dataset: Dataset,
    folder: Path,
    evaluation: Mapping[str, Any],
    *,
    split: str,
    names: Sequence[str],
) -> list[ScoredPair]:
    """Return the pairs of a set in its order, with the scores of the named models.

    Without names, those of the usual models. Raises Unusable.
    """
    files = files_by_model(evaluation, split)
    all_names = names or usual_models(files)
    unknown = [name for name in all_names if name not in files]
    if unknown or not all_names:
        of_model = f" of {unknown[0]}" if unknown else ""
        raise Unusable(f"There are no predictions{of_model} on {split}. {_there_are(files)}")
    columns = {name: _mean_scores(dataset, folder, files[name], split) for name in all_names}
    pairs = dataset.split(split)
    entities, grades = (dataset.columns.get(name, {}) for name in ("entity", "grade"))
    rows = zip(pairs.ids, pairs.first, pairs.second, pairs.labels.tolist(), strict=True)
    return [
        ScoredPair(
            id=key,
            sentence1=first,
            sentence2=second,
            entity=entities.get(key, ""),
            grade=grades.get(key, ""),
            label=label,
            scores={name: float(scores[place]) for name, scores in columns.items()},
        )
        for place, (key, first, second, label) in enumerate(rows)
    ]


def _there_are(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return (
        f"There are: {listed}."
        if listed
        else f"Evaluate the release, or add predictions: {PROGRAM} score_predictions."
    )


def _mean_scores(dataset: Dataset, folder: Path, files: Files, split: str) -> Scores:
    before = files.splits[: files.splits.index(split)]
    start = sum(len(dataset.split(name)) for name in before)
    scores = [_read_file(dataset, folder, path, files.splits) for path in files.paths]
    mean: Scores = np.mean(scores, axis=0)
    return mean[start : start + len(dataset.split(split))]


def _read_file(dataset: Dataset, folder: Path, path: str, splits: Sequence[str]) -> Scores:
    pairs = together(dataset.split(name) for name in splits)
    try:
        content = (folder / path).read_bytes()
        scores, _column = brought.read_scores(content, pairs, published_ids={})
    except FileNotFoundError:
        raise Unusable(f"{path} is missing. Evaluate the release again.") from None
    except brought.Unscorable as error:
        raise Unusable(f"{path} is damaged. Evaluate the release again. {error}") from error
    return scores


def pick(pairs: Sequence[ScoredPair], how: str, name: str = "") -> list[ScoredPair]:
    """Return the pairs on which models differ, all are wrong, or only the named one is right.

    Those that models get most wrong come first. Raises Unusable.
    """
    names = [*pairs[0].scores] if pairs else []
    if how == ONLY_RIGHT and name not in names:
        raise Unusable(f"--pick {ONLY_RIGHT} needs one of the models: {', '.join(names)}.")
    if how != ALL_WRONG and len(names) < 2:
        raise Unusable(f"--pick {how} compares models. Name at least two with --models.")
    rules: dict[str, Callable[[ScoredPair], bool]] = {
        DIFFER: lambda pair: len({pair.side(model) for model in names}) > 1,
        ALL_WRONG: lambda pair: not any(pair.is_right(model) for model in names),
        ONLY_RIGHT: lambda pair: [model for model in names if pair.is_right(model)] == [name],
    }
    return most_wrong_first(pair for pair in pairs if rules[how](pair))


def most_wrong_first(pairs: Iterable[ScoredPair]) -> list[ScoredPair]:
    return sorted(pairs, key=lambda pair: -pair.error)


def by_ids(
    pairs: Sequence[ScoredPair], lines: Iterable[str], *, published_ids: Mapping[str, str]
) -> list[ScoredPair]:
    """Return the pairs whose ids begin the lines, in that order. Raises Unusable for others.

    Of a set that others published, they may be our ids or theirs.
    """
    pair_by_id = {published_ids.get(pair.id, pair.id): pair for pair in pairs}
    pair_by_id |= {pair.id: pair for pair in pairs}
    ids = [line.partition("\t")[0].strip() for line in lines]
    ids = [key for key in ids if key and key not in ("id", PUBLISHED_ID)]
    if unknown := [key for key in ids if key not in pair_by_id]:
        raise Unusable(f"The set has no pair {unknown[0]!r}. Name ids of one set: --split.")
    return [pair_by_id[key] for key in ids]


def as_lines(pairs: Sequence[ScoredPair]) -> Iterator[dict[str, Any]]:
    """Yield a JSON object for each pair, without an entity or grade that it has not."""
    for pair in pairs:
        facts = {"entity": pair.entity or None, "grade": int(pair.grade) if pair.grade else None}
        yield {
            "id": pair.id,
            "sentence1": pair.sentence1,
            "sentence2": pair.sentence2,
            **{name: cell for name, cell in facts.items() if cell is not None},
            "label": pair.label,
            "models": {
                model: {"label": pair.side(model), "score": score, "right": pair.is_right(model)}
                for model, score in pair.scores.items()
            },
        }
