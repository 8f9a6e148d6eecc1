"""Labels of experts and guests: files that only some releases have."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.dataset.content import AdjudicationRow, Content, GuestRow, entries
from annotation.dataset.verification import verify
from annotation.dataset.writers import write_content
from tests.annotation.dataset.studies import FACTS, study
from tests.annotation.dataset.verification.tampering import SETTINGS, planned, sign

ADJUDICATIONS, GUESTS = "adjudications.jsonl", "guests.jsonl"


def content(families: int = 40) -> Content:
    """A study in which an expert and a guest have looked at the first pairs of their kinds."""
    some = study(families=families)
    made = planned(some)
    judged = [pair for pair in made.pairs if pair.origin == "judged"]
    low = [pair.id for pair in judged if not pair.kept]
    return Content(
        entries=list(entries(made)),
        sentences=some.sentences,
        judgments=some.judgments,
        adjudications=[AdjudicationRow(low[0], 1), AdjudicationRow(low[1], None)],
        guests=[GuestRow(pair.id, "Model", "7", 1, 0.75) for pair in judged[:4]],
        conflicts=made.conflicts,
        unknown=made.unknown,
        silver_left_out=made.silver_left_out,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_content(tmp_path / "1.0", content(), facts=FACTS, settings=SETTINGS)
    return tmp_path / "1.0"


def test_a_release_with_experts_and_guests_is_sound(folder: Path) -> None:
    assert verify(folder) == []


def test_their_files_are_in_the_manifest_and_in_the_card(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["files"][ADJUDICATIONS]["rows"] == 2
    assert manifest["files"][GUESTS]["rows"] == 4
    assert manifest["counts"]["adjudications"] == 2
    guests = [{"guest": "Model", "revision": "7", "labels": 4}]
    assert manifest["counts"]["guests"] == guests
    assert "The model Model 7 labelled 4 pairs." in (folder / "README.md").read_text()
    described = json.loads((folder / "croissant.json").read_text())["distribution"]
    assert {ADJUDICATIONS, GUESTS} <= {item["contentUrl"] for item in described}


def test_without_rows_there_is_no_file(tmp_path: Path) -> None:
    none = replace(content(), adjudications=(), guests=())
    write_content(tmp_path / "1.0", none, facts=FACTS, settings=SETTINGS)
    assert not (tmp_path / "1.0" / ADJUDICATIONS).exists()
    assert not (tmp_path / "1.0" / GUESTS).exists()
    assert verify(tmp_path / "1.0") == []


@pytest.mark.parametrize("path", [ADJUDICATIONS, GUESTS])
def test_a_file_that_the_manifest_names_and_is_missing_is_found(folder: Path, path: str) -> None:
    (folder / path).unlink()
    assert f"{path}: is missing" in map(str, verify(folder))


@pytest.mark.parametrize(
    ("path", "old", "new", "line", "what"),
    [
        (ADJUDICATIONS, '"label": 1', '"label": 2', 1, "has the label 2"),
        (ADJUDICATIONS, '"label": null', '"label": 0.0', 2, "label is 0.0"),
        (GUESTS, '"score": 0.75', '"score": 1.25', 1, "has the score 1.25"),
        (GUESTS, '"label": 1', '"label": 7', 1, "has the label 7"),
        (GUESTS, '"pair": "', '"pair": "x', 1, "is no judged pair"),
    ],
)
def test_a_signed_change_is_found_with_its_line(
    folder: Path, path: str, old: str, new: str, line: int, what: str
) -> None:
    text = (folder / path).read_text()
    assert old in text
    (folder / path).write_text(text.replace(old, new, 1))
    sign(folder)
    found = [str(difference) for difference in verify(folder)]
    assert any(each.startswith(f"{path}, line {line}: ") and what in each for each in found)


def test_an_adjudication_of_a_kept_pair_is_found(folder: Path) -> None:
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    kept = next(pair["id"] for pair in pairs if pair["kept"] and pair["origin"] == "judged")
    with (folder / ADJUDICATIONS).open("a") as file:
        file.write(json.dumps({"pair": kept, "label": 1}) + "\n")
    sign(folder)
    assert any(f"{kept} is no judged pair without a label" in str(each) for each in verify(folder))


def test_a_guest_that_labels_a_pair_twice_is_found(folder: Path) -> None:
    text = (folder / GUESTS).read_text()
    (folder / GUESTS).write_text(text + text.split("\n")[0] + "\n")
    sign(folder)
    assert "guests.jsonl, line 5: " in "".join(map(str, verify(folder)))
