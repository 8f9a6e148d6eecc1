"""Releases written anew, from false plans too, and signed as a forger would."""

import json
from pathlib import Path

from annotation.dataset.croissant import croissant
from annotation.dataset.manifest import as_json, described
from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.writers import write_release
from tests.annotation.dataset.studies import FACTS, Study

SETTINGS = ReleaseSettings(seed=7, dev=0.2, test=0.2)


def planned(some: Study) -> ReleasePlan:
    return plan(some.sentences, some.pairs, some.candidates, settings=SETTINGS)


def write(folder: Path, made: ReleasePlan, some: Study) -> None:
    write_release(
        folder,
        made,
        sentences=some.sentences,
        judgments=some.judgments,
        facts=FACTS,
        settings=SETTINGS,
    )


def sign(folder: Path) -> None:
    """Bring checksums and sizes in manifest.json and croissant.json up to date."""
    manifest = json.loads((folder / "manifest.json").read_text())
    rows = {path: entry["rows"] for path, entry in manifest["files"].items()}
    data = {path: number for path, number in rows.items() if number is not None}
    (folder / "croissant.json").write_text(as_json(croissant(FACTS, described(folder, data))))
    manifest["files"] = described(folder, rows)
    (folder / "manifest.json").write_text(as_json(manifest))
