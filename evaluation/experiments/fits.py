"""What an experiment fits, and the scores that follow; finished parts are kept in files."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

import numpy as np

from common.display import plural
from evaluation.contract import Fitted, Model, Pretrainable, Scores, Tell
from evaluation.data import Pairs, Unusable
from evaluation.experiments.sets import Base, Dataset, Silver, shared

# What it is fitted to, the model, and the seed.
Key: TypeAlias = tuple[str, str, int]
# Rounding errors of scores; anything farther from 0 to 1 is an error of the model.
SLACK = 1e-6
# Of the models: raised when the same settings give other scores, so that old fits are not reused.
VERSION = "2"


class Sharing(StrEnum):
    """What becomes of a test set that shares sentences with train or dev."""

    SKIP = "skip"  # it is not tested
    DROP = "drop"  # the pairs with its sentences are left out of train and dev
    KEEP = "keep"  # it is tested all the same


@dataclass(frozen=True, eq=False)
class Study:
    """What an experiment is about: releases, the first of which it belongs to, and models."""

    datasets: Sequence[Dataset]
    models: Sequence[str]
    seeds: Sequence[int]
    base: Base | None = None
    # The folders of the releases, in the same order.
    folders: Sequence[Path] = ()
    # Of cross-fitting alone.
    folds: int = 0
    # Of the plain experiment alone.
    silver: Silver | None = None
    # Of the plain experiment, the curve and cross alone.
    sharing: Sharing = Sharing.SKIP

    @property
    def dataset(self) -> Dataset:
        return self.datasets[0]


def refuse_shared_base(study: Study, *splits: str) -> None:
    """Raise Unusable if a base set has a sentence of one of these splits that may not be shared."""
    if study.base is None or study.sharing is not Sharing.SKIP:
        return
    base_pairs = study.base.train + study.base.dev
    for dataset in study.datasets:
        for split in splits:
            if common := shared(base_pairs, dataset.split(split)):
                raise Unusable(
                    f"{study.base.name} has {plural(len(common), 'sentence')} of the {split} set "
                    f"of {dataset}, such as {common[0]!r}. Remove the pairs with them from it, or "
                    "choose --shared drop."
                )


@dataclass(frozen=True, eq=False)
class Fit:
    """A model to be fitted to `train`, which then scores each of `tests`.

    `data` names what it is fitted to, such as "train" or "base+train". `before` is a set that it is
    fitted to first.
    """

    data: str
    model: str
    seed: int
    train: Pairs
    dev: Pairs
    tests: Mapping[str, Pairs]
    before: Pairs | None = None

    @property
    def key(self) -> Key:
        return (self.data, self.model, self.seed)

    def __str__(self) -> str:
        return f"{self.model} on {self.data}, seed {self.seed}"


@dataclass(frozen=True, eq=False)
class Part:
    """The scores of a fitted model for each of its test sets. `is_kept`: from an earlier run."""

    parameters: int
    scores: Mapping[str, Scores]
    is_kept: bool = False


Results: TypeAlias = Mapping[Key, Part]


@contextmanager
def name_folder_in_errors(folder: Path) -> Iterator[None]:
    """Let an OSError that names no file, such as that of a full disk, name the folder."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(folder)
        raise


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of finished parts, one file each, named by what decides the scores.

    Another model, seed or pair has another name, so a part can never be used for the wrong fit.
    """

    folder: Path

    def find(self, name: str) -> Part | None:
        """Return a part; None if there is none, or its file is damaged."""
        try:
            content = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
            scores = {test: np.array(values) for test, values in content["scores"].items()}
            return Part(content["parameters"], scores, is_kept=True)
        except (FileNotFoundError, ValueError, KeyError):
            return None

    def keep(self, name: str, part: Part) -> None:
        """Write a part so that a killed process or a full disk leaves no half of it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        scores = {test: values.tolist() for test, values in part.scores.items()}
        partial = self.folder / f".{name}.{os.getpid()}"
        try:
            with name_folder_in_errors(self.folder):
                partial.write_text(json.dumps({"parameters": part.parameters, "scores": scores}))
            partial.replace(self.folder / f"{name}.json")
        finally:
            partial.unlink(missing_ok=True)


def run(
    fits: Sequence[Fit], *, models: Mapping[str, Model], kept: Kept, tell: Tell
) -> Iterator[tuple[Fit, Part]]:
    """Yield each fit with its part, new or kept. Raises Unusable if a model cannot learn."""
    for fit in fits:
        name = _fit_digest(fit, models[fit.model])
        part = kept.find(name)
        if part is None:
            part = _run_fit(fit, models[fit.model], tell)
            kept.keep(name, part)
        yield fit, part


def _run_fit(fit: Fit, model: Model, tell: Tell) -> Part:
    try:
        fitted = _fit(fit, model, tell)
    except ValueError as error:
        raise Unusable(f"{fit}: {error}") from error
    scores = {name: _check(fit, fitted.scores(pairs), pairs) for name, pairs in fit.tests.items()}
    return Part(fitted.parameters, scores)


def _fit(fit: Fit, model: Model, tell: Tell) -> Fitted:
    if fit.before is None:
        return model.fit(fit.train, fit.dev, seed=fit.seed, tell=tell)
    if not isinstance(model, Pretrainable):
        raise ValueError("this model cannot be trained on noisy labels first.")
    return model.fit_in_turn([fit.before, fit.train], fit.dev, seed=fit.seed, tell=tell)


def _check(fit: Fit, scores: Scores, pairs: Pairs) -> Scores:
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (len(pairs),) or not bool((np.abs(values - 0.5) <= 0.5 + SLACK).all()):
        raise Unusable(f"{fit}: the model did not give each pair a score from 0 to 1.")
    return np.clip(values, 0.0, 1.0)


def _fit_digest(fit: Fit, model: Model) -> str:
    """Return the digest of everything that decides the scores of a fit."""
    content = {
        "version": VERSION,
        "identity": model.identity,
        "seed": fit.seed,
        "train": digest(fit.train),
        "dev": digest(fit.dev),
        "tests": {name: digest(pairs) for name, pairs in fit.tests.items()},
    }
    if fit.before is not None:
        content["before"] = digest(fit.before)
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


@lru_cache(maxsize=64)
def digest(pairs: Pairs) -> str:
    """Return the SHA-256 of pairs: ids, texts and labels in their order."""
    hasher = sha256()
    rows = zip(pairs.ids, pairs.first, pairs.second, pairs.labels.tolist(), strict=True)
    for row in rows:
        hasher.update("\t".join(map(str, row)).encode() + b"\n")
    return hasher.hexdigest()


def scorer_of(fit: Fit, part: Part) -> Callable[[Pairs], Scores]:
    scores = {digest(pairs): part.scores[name] for name, pairs in fit.tests.items()}
    return lambda pairs: scores[digest(pairs)]


def join_scores(part: Part, *tests: str) -> Scores:
    return np.concatenate([part.scores[name] for name in tests])


def mean_scores(fits_and_parts: Iterable[tuple[Fit, Part]]) -> dict[str, dict[str, float]]:
    """Return the mean score of each tested pair over the seeds, by model and id.

    Leaves out pairs that a fit was trained on: it has seen their labels.
    """
    scores_of: defaultdict[str, defaultdict[str, list[float]]]
    scores_of = defaultdict(lambda: defaultdict(list))
    for fit, part in fits_and_parts:
        train_ids = {*fit.train.ids}
        for name, pairs in fit.tests.items():
            for key, score in zip(pairs.ids, part.scores[name].tolist(), strict=True):
                if key not in train_ids:
                    scores_of[fit.model][key].append(score)
    return {
        model: {key: fmean(values) for key, values in by_key.items()}
        for model, by_key in scores_of.items()
    }
