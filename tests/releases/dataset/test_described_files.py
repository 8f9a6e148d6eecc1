"""The files and columns that croissant.json describes, and false descriptions of them."""

import json

import pytest

from releases.dataset.manifest import as_json
from releases.dataset.verification import verify
from tests.releases.dataset.test_verification import sign


def test_lists_are_arrays_and_labels_are_marked(release):
    described = json.loads((release / "croissant.json").read_text())
    fields = {
        field["@id"]: field for records in described["recordSet"] for field in records["field"]
    }
    via = fields["pairs/via"]
    assert (via["dataType"], via["isArray"], via["arrayShape"]) == ("sc:Text", True, "-1")
    assert fields["labeled_final/dev/label"]["dataType"] == ["sc:Integer", "cr:Label"]
    assert fields["labeled_final/dev/soft_label"]["dataType"] == ["sc:Float", "cr:Label"]
    assert "isArray" not in fields["labeled_final/dev/label"]


def other_type(described):
    described["recordSet"][0]["field"][0]["dataType"] = "sc:Integer"


def other_checksum(described):
    described["distribution"][0]["sha256"] = "0" * 64


def missing_column(described):
    described["recordSet"][0]["field"].pop()


def further_file(described):
    described["distribution"].append({"@type": "cr:FileObject", "@id": "more.tsv"})


def other_croissant(described):
    described["conformsTo"] = "http://mlcommons.org/croissant/0.8"


def no_files(described):
    del described["distribution"]


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (other_type, "adjudications/pair is not described as in the manifest and the tables"),
        (other_checksum, "adjudications.jsonl is not described as in the manifest and the tables"),
        (missing_column, "adjudications is not described as in the manifest and the tables"),
        (further_file, "more.tsv is described, but is not in the release"),
        (
            other_croissant,
            "does not describe the files: ValueError('conformsTo is "
            "http://mlcommons.org/croissant/0.8')",
        ),
        (no_files, "does not describe the files: KeyError('distribution')"),
    ],
)
def test_a_false_description_of_files_is_named(copied, change, difference):
    folder = copied()
    described = json.loads((folder / "croissant.json").read_text())
    change(described)
    (folder / "croissant.json").write_text(as_json(described))
    sign(folder)
    assert f"croissant.json: {difference}" in map(str, verify(folder))
