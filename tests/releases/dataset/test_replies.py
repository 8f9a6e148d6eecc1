"""annotators.jsonl: what is told of annotators, what the card says of it, and forged rows."""

import json
from dataclasses import replace

import pytest

from releases.dataset.files import ANNOTATORS
from releases.dataset.formats import FORMATS
from releases.dataset.rows import AnnotatorRow
from releases.dataset.verification import verify
from releases.dataset.writers import write_release
from tests.releases.dataset.studies import (
    FACTS,
    SETTINGS,
    complete_content,
    describe_again,
)
from tests.releases.dataset.test_verification import sign


def lines_of(folder):
    return (folder / ANNOTATORS.path).read_text(encoding="utf-8").splitlines()


def test_a_line_has_a_persons_replies_by_title():
    row = AnnotatorRow("annotator-1", {"Age “band”": "25 to 34", "Tongue": None})
    line = '{"annotator": "annotator-1", "replies": {"Age “band”": "25 to 34", "Tongue": null}}'
    assert ANNOTATORS.lines([row]) == f"{line}\n"
    assert ANNOTATORS.parse(line) == row
    with pytest.raises(ValueError, match="not texts or null"):
        ANNOTATORS.parse(line.replace("null", "3"))


def test_a_person_whose_combination_is_rare_has_only_nulls(release):
    replies = [json.loads(line)["replies"]["First language"] for line in lines_of(release)]
    assert replies == ["de"] * 4 + ["en"] * 3 + [None] * 2


def test_the_card_says_how_many_share_a_combination_and_how_many_are_withheld(release):
    text = (release / "README.md").read_text()
    section = text.partition("## Groups of annotators")[2].partition("\n## ")[0]
    assert "what 9 annotators replied" in section
    assert "Choices of fewer than 3 of them" in section
    assert "2 of them have only nulls" in section
    assert "| First language: de | 4 |" in section
    assert "`annotators.jsonl` | what annotators" in text


def test_with_one_the_card_says_that_a_row_may_describe_one_person(tmp_path):
    settings = replace(SETTINGS, least_in_group=1)
    rows = [AnnotatorRow("annotator-3", {"First language": "pl"})]
    content = replace(complete_content(), annotators=rows)
    write_release(tmp_path / "release", content, facts=FACTS, settings=settings)
    assert verify(tmp_path / "release") == []
    assert "A row may describe one person." in (tmp_path / "release/README.md").read_text()


def test_without_replies_nothing_is_said_of_them(tmp_path):
    write_release(tmp_path / "release", complete_content(), facts=FACTS, settings=SETTINGS)
    manifest = json.loads((tmp_path / "release/manifest.json").read_text())
    assert "least_in_group" not in manifest["settings"]
    assert "replies" not in manifest["counts"]
    assert "annotators.jsonl" not in (tmp_path / "release/README.md").read_text()
    assert ANNOTATORS.path not in FORMATS["pawsmith-release/1"].known


RARE = '{"annotator": "annotator-8", "replies": {"First language": "pl", "Age": "25 to 34"}}'
STRANGER = '{"annotator": "annotator-9", "replies": {"First language": null, "Age": null}}'


@pytest.mark.parametrize(
    ("place", "line", "said"),
    [
        (8, RARE, "line 9: fewer than 3 people have the replies of annotator-8"),
        (8, STRANGER, "line 9: annotator-9 gave no judgment"),
        (0, STRANGER, "line 1: annotator-9 is not before the next one"),
        (0, '{"annotator": "annotator-0"}', "line 1: not the fields annotator, replies"),
    ],
)
def test_a_forged_row_is_named_by_its_line(copied, place, line, said):
    folder = copied()
    lines = lines_of(folder)
    lines[place] = line
    (folder / ANNOTATORS.path).write_text("".join(f"{each}\n" for each in lines))
    describe_again(folder)
    sign(folder)
    assert f"annotators.jsonl, {said}" in list(map(str, verify(folder)))


def test_a_forged_figure_of_a_group_is_found(copied):
    folder = copied()
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["counts"]["replies"]["groups"][0]["alpha"] = 0.99
    path.write_text(json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    assert any(str(found).startswith("manifest.json: replies is ") for found in verify(folder))
