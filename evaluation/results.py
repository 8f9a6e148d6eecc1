"""The companion folder of a release: what models make of it. The release itself never changes."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from filelock import lock_descriptor

from evaluation import charts, tables
from evaluation.contract import THRESHOLD, Model, Scores
from evaluation.data import Unusable
from evaluation.experiments.figures import Figures
from evaluation.experiments.fits import Kept, Study, name_folder_in_errors
from evaluation.experiments.sets import Dataset
from releases.dataset.folders import write_text
from releases.dataset.manifest import as_json

FORMAT = "pawsmith-evaluation/1"
EVALUATION, README, CURVE = "evaluation.json", "README.md", "curve.svg"
Evaluation: TypeAlias = dict[str, Any]


def default_folder(release: Path, identity: Mapping[str, Any] | None = None) -> Path:
    """Return the folder next to a release: `evaluations/` with the name of its folder or archive.

    It is `evaluations/VERSION`, the default of earlier versions, if that has an evaluation of this
    release (`Dataset.identity`).
    """
    folder = release.resolve()
    folder = folder.parent / "evaluations" / folder.name.removesuffix(".tar.gz")
    version = identity["version"] if identity else ""
    former = folder.parent / version
    if former.parent == folder.parent and _is_of_release(former, identity or {}):
        return former
    return folder


def _is_of_release(folder: Path, identity: Mapping[str, Any]) -> bool:
    try:
        return _has_evaluation(folder) and bool(read_evaluation(folder, identity))
    except Unusable:
        return False


def refuse_folder(folder: Path, release: Path) -> None:
    """Raise Unusable for a folder within a release, or with anything but an evaluation."""
    if folder.resolve().is_relative_to(release.resolve()):
        raise Unusable(f"{folder} is in the release, which must not change. Use another --out.")
    if folder.is_file() or (
        folder.is_dir() and any(folder.iterdir()) and not _has_evaluation(folder)
    ):
        raise Unusable(f"{folder} holds something else than an evaluation. Use another --out.")


def _has_evaluation(folder: Path) -> bool:
    return (folder / EVALUATION).is_file()


def part_store(folder: Path) -> Kept:
    """Return where finished parts are kept: next to the folder, as that appears only as a whole."""
    return Kept(folder.with_name(f"{folder.name}.parts"))


def read_evaluation(folder: Path, release: Mapping[str, Any]) -> Evaluation:
    """Return the evaluation of a release (`Dataset.identity`) so far. Raises Unusable."""
    if not _has_evaluation(folder):
        return {"format": FORMAT, "release": dict(release), "experiments": {}, "brought": {}}
    path = folder / EVALUATION
    try:
        evaluation = json.loads(path.read_text(encoding="utf-8"))
        is_same_release = (
            evaluation["format"] == FORMAT and evaluation["release"]["sha256"] == release["sha256"]
        )
    except (ValueError, TypeError, KeyError):
        raise Unusable(f"{path} is damaged. Move its folder away, and run this again.") from None
    if not is_same_release:
        release_name = f"{release['name']} {release['version']}"
        raise Unusable(f"{path} is of another release than this {release_name}. Use another --out.")
    return dict(evaluation)


def experiment_entry(study: Study, models: Mapping[str, Model], figures: Figures) -> Evaluation:
    """Return the entry of an experiment: everything that is needed to repeat it."""
    return {
        "releases": [
            dataset.identity | ({"part": dataset.part} if dataset.part else {})
            for dataset in study.datasets
        ],
        "models": [{"model": name, **model.identity} for name, model in models.items()],
        "seeds": list(study.seeds),
        "settings": {
            "threshold": THRESHOLD,
            "base": study.base.identity if study.base else None,
            "silver": study.silver.identity if study.silver else None,
            "shared": study.sharing,
        },
        "figures": figures,
    }


def update_folder(
    folder: Path,
    dataset: Dataset,
    change: Callable[[Evaluation], None],
    *,
    files: Mapping[str, str],
    replaced: str = "",
    removed: Sequence[str] = (),
    write: Callable[[Path], None] | None = None,
) -> None:
    """Change the evaluation of a release, and write its folder as a whole.

    `files` has the texts of further files by their paths in it. `replaced` is a folder in it that
    new files replace: some of `files`, or what `write` puts into it, empty, by itself. `removed`
    are paths of files that go. Raises Unusable.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _lock_folder(folder), name_folder_in_errors(folder):
        _finish_or_undo_replacement(folder)
        evaluation = read_evaluation(folder, dataset.identity)
        change(evaluation)
        with _replace_folder(folder) as partial:
            if replaced:
                shutil.rmtree(partial / replaced, ignore_errors=True)
            for path in removed:
                (partial / path).unlink(missing_ok=True)
            _write(partial, evaluation, files)
            if write:
                (partial / replaced).mkdir(parents=True)
                write(partial / replaced)


def _write(folder: Path, evaluation: Evaluation, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_text(folder / path, text)
    if curve := evaluation["experiments"].get("curve"):
        write_text(folder / CURVE, charts.svg(curve["figures"]))
    write_text(folder / EVALUATION, as_json(evaluation))
    write_text(folder / README, tables.readme(evaluation))


def predictions_text(ids: Sequence[str], scores: Scores) -> str:
    rows = zip(ids, scores.tolist(), strict=True)
    return "\n".join(["id\tscore", *(f"{key}\t{score!r}" for key, score in rows)]) + "\n"


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Let one process at a time change a folder."""
    with folder.with_name(f".{folder.name}.lock").open("w") as file:
        lock_descriptor(file.fileno())
        yield


def previous(folder: Path) -> Path:
    """Return where the folder lies while it is replaced."""
    return folder.with_name(f".{folder.name}.previous")


def _finish_or_undo_replacement(folder: Path) -> None:
    """Tidy up after a process that was killed within `_replace_folder`."""
    if previous(folder).exists():
        if folder.exists():
            # The new folder is in its place: only the old one was not deleted yet.
            shutil.rmtree(previous(folder))
        else:
            # Killed between the two renames: the old folder returns, without the change.
            previous(folder).rename(folder)


@contextmanager
def _replace_folder(folder: Path) -> Iterator[Path]:
    """Yield a copy of a folder that takes its place on success."""
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    if folder.exists():
        shutil.copytree(folder, partial)
    else:
        partial.mkdir()
    try:
        yield partial
        if folder.exists():
            folder.rename(previous(folder))
        partial.rename(folder)
        shutil.rmtree(previous(folder), ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
