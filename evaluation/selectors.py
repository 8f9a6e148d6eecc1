"""Reads evaluations, and the files that they leave next to their releases."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from evaluation import results
from evaluation.board import TESTED
from evaluation.models import Evaluation
from releases.dataset.manifest import as_json
from releases.dataset.rows import SPLITS
from releases.models import Release
from releases.selectors.releases import folder_of, format_of, is_translation, scheme_of

State = Evaluation.State
OPEN = (State.WAITING, State.UNDER_WAY)


def evaluations_of_release(release: Release) -> Mapping[str, Evaluation]:
    rows = Evaluation.objects.filter(release=release).order_by("asked_at", "pk")
    return {row.experiment: row for row in rows}


def ahead_of(row: Evaluation) -> int:
    """Return how many evaluations, of all releases, a worker takes before this one."""
    return Evaluation.objects.filter(state__in=OPEN, asked_at__lt=row.asked_at).count()


def obstacle(release: Release) -> str | None:
    """Return why the page cannot evaluate a frozen release, as far as its manifest says."""
    if is_translation(release):
        return _("Translations are evaluated on the server. Ask an administrator.")
    if not (scheme := scheme_of(release)).is_binary:
        text = _("%(release)s has the labels %(labels)s. Evaluation needs paraphrase or not.")
        return text % {"release": release, "labels": ", ".join(scheme.outcomes)}
    for split in SPLITS:
        if not _has_pairs(release, split):
            reason = _(
                "The release has no pairs in its %(split)s set. "
                "Build a version with pairs in the train, dev and test set."
            )
            return reason % {"split": split}
    return None


def tables_of(release: Release) -> dict[str, str]:
    splits = (split for split in TESTED if _has_pairs(release, split))
    return {split: _table(release, split) for split in splits}


def _has_pairs(release: Release, split: str) -> bool:
    files = (release.manifest or {"files": {}})["files"]
    return bool(files.get(_table(release, split), {}).get("rows"))


def _table(release: Release, split: str) -> str:
    return f"{format_of(release).labelled}/{split}.tsv"


def evaluation_of(release: Release) -> results.Evaluation:
    """Return evaluation.json, with the stored results of experiments that its folder lacks.

    The folder also has what commands made. Raises Unusable if it is damaged, or of other files.
    """
    evaluation = results.read_evaluation(companion_of(release), identity_of(release))
    rows = evaluations_of_release(release).items()
    stored = {name: row.results for name, row in rows if row.results is not None}
    return evaluation | {"experiments": stored | evaluation["experiments"]}


def identity_of(release: Release) -> dict[str, Any]:
    digest = sha256(as_json(release.manifest or {}).encode()).hexdigest()
    return {"name": release.project.name, "version": release.version, "sha256": digest}


def companion_of(release: Release) -> Path:
    return results.default_folder(folder_of(release))


def folders_of(release: Release) -> list[Path]:
    """Return the folders of a release's evaluation, which may hold its texts."""
    folder = companion_of(release)
    return [folder, results.part_store(folder).folder, results.previous(folder)]


def files_of(release: Release) -> list[str]:
    """Return the paths of the files in it: the tables first, predictions last."""
    folder = companion_of(release)
    paths = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in sorted(paths, key=lambda path: (len(path.parts), path))]
