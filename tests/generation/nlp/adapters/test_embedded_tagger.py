"""What the embedded tagger is made of."""

import numpy as np
import pytest

from generation.nlp.adapters import name_spans
from generation.nlp.adapters.model_files import RECORD, file_sizes, folder_digest
from generation.nlp.adapters.name_spans import Calibration

# Columns: outside, begin person, inside person, begin place, inside place.
ROWS = {
    "outside": [0.9, 0.05, 0.0, 0.05, 0.0],
    "person": [0.1, 0.6, 0.0, 0.3, 0.0],
    "in person": [0.2, 0.1, 0.5, 0.0, 0.2],
    "place": [0.0, 0.2, 0.0, 0.8, 0.0],
    "in place": [0.0, 0.0, 0.1, 0.0, 0.9],
    "torn": [0.4, 0.3, 0.0, 0.3, 0.0],
    "likely end": [0.8, 0.0, 0.2, 0.0, 0.0],
}


def test_names_begin_and_end_where_their_probabilities_say():
    for rows, first, expected, raw in (
        (["outside", "outside"], [0], [], []),
        (["outside", "person", "in person", "outside"], [0], [(1, 3, 0)], [0.9 * 0.7]),
        (["person", "in person", "likely end"], [0], [(0, 2, 0)], [0.9 * 0.7 * 0.8]),
        (["person", "place"], [0], [(0, 1, 0), (1, 2, 1)], [0.9, 1.0]),
        (["outside", "in person"], [0], [(1, 2, 0)], [0.1]),
        (["person", "in person"], [0, 1], [(0, 1, 0), (1, 2, 0)], [0.9, 0.8]),  # two sentences
        (["torn"], [0], [(0, 1, 0)], [0.6]),
        (["person", "in place"], [0], [(0, 2, 1)], [0.9]),  # the type of the greatest sum
    ):
        marks = np.isin(np.arange(len(rows)), first)
        found = name_spans.decode(np.array([ROWS[row] for row in rows], np.float32), marks)
        assert list(zip(found.starts, found.ends, found.types, strict=True)) == expected
        assert found.raw == pytest.approx(raw)
    certain = np.array([0.0, 0.01, 0.5, 0.99, 1.0])
    assert Calibration()(certain) == pytest.approx(certain, abs=1e-6)
    assert np.all(np.diff(Calibration(slope=0.4, intercept=-1.0)(certain)) > 0)


def test_the_digest_of_a_folder_changes_with_any_file_and_any_name_but_the_record(tmp_path):
    digests = []
    for name, content in (("weights", "1"), ("weights", "2"), ("renamed", "2")):
        (tmp_path / "weights").unlink(missing_ok=True)
        (tmp_path / name).write_text(content)
        digests.append(folder_digest(tmp_path))
    (tmp_path / RECORD).write_text("{}")
    assert folder_digest(tmp_path) == digests[2]
    assert len(set(digests)) == 3
    assert file_sizes(tmp_path) == {"renamed": 1}
