"""A manifest that says what is not so."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.dataset.verification import verify


def told(folder: Path) -> list[str]:
    return [str(difference) for difference in verify(folder)]


def change(folder: Path, path: str, **new: Any) -> None:
    contents = json.loads((folder / path).read_text())
    (folder / path).write_text(json.dumps(contents | new))


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"dev": 1.5}, "dev is 1.5, neither"),
        ({"dev": "many"}, "'<' not supported"),
        ({"luck": 1}, "no such settings: luck"),
    ],
)
def test_settings_that_mean_nothing_are_told(
    folder: Path, settings: dict[str, object], what: str
) -> None:
    change(folder, "manifest.json", settings=settings)
    assert [each for each in told(folder) if each.startswith(f"manifest.json: settings: {what}")]


def test_settings_that_the_pairs_cannot_fulfil_are_told(folder: Path) -> None:
    settings = json.loads((folder / "manifest.json").read_text())["settings"]
    change(folder, "manifest.json", settings=settings | {"dev": 100_000})
    assert [each for each in told(folder) if "the settings cannot be followed" in each]


def test_a_file_that_is_not_described_in_full_is_told(folder: Path) -> None:
    change(folder, "manifest.json", files={"README.md": {"sha256": "00", "bytes": 1}})
    what = "README.md is not described by sha256, bytes and rows"
    assert told(folder) == [f"manifest.json: {what}"]


def test_a_file_that_it_leaves_out_is_told(folder: Path) -> None:
    files = json.loads((folder / "manifest.json").read_text())["files"]
    del files["README.md"]
    change(folder, "manifest.json", files=files)
    assert told(folder) == ["README.md: is not in the manifest"]


def test_digests_that_croissant_says_otherwise_are_told(folder: Path) -> None:
    objects = json.loads((folder / "croissant.json").read_text())["distribution"]
    objects[0]["sha256"] = "00" * 32
    change(folder, "croissant.json", distribution=objects)
    assert "croissant.json: describes other files than the manifest" in told(folder)
