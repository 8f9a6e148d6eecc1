"""What the embedded pipeline is made of: names out of probabilities, weights, vectors, digests."""

import numpy as np
import pytest
from thinc.api import Linear, chain

from generation.nlp.adapters import compact_weights, name_spans, spacy_sentencizer
from generation.nlp.adapters.digests import RECORD, file_sizes, folder_digest
from generation.nlp.adapters.name_spans import Calibration
from generation.nlp.adapters.spacy_sentencizer import split_sentences

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


def test_a_network_predicts_alike_after_its_weights_were_stored(tmp_path):
    written, read = (chain(Linear(4, 3), Linear(2, 4)).initialize() for _ in range(2))
    compact_weights.save(written, tmp_path / "weights.npz")
    compact_weights.load(read, tmp_path / "weights.npz")
    inputs = np.ones((1, 3), np.float32)
    assert read.predict(inputs) == pytest.approx(written.predict(inputs), abs=1e-2)
    compact_weights.save(Linear(4, 3).initialize(), tmp_path / "weights.npz")
    with pytest.raises(KeyError):
        compact_weights.load(read, tmp_path / "weights.npz")


def test_the_digest_of_a_folder_changes_with_any_file_and_any_name_but_the_record(tmp_path):
    weights, digests = tmp_path / "weights", []
    for change in (
        lambda: weights.write_bytes(b"1"),
        lambda: weights.write_bytes(b"2"),
        lambda: weights.rename(tmp_path / "renamed"),
    ):
        change()
        digests.append(folder_digest(tmp_path))
    (tmp_path / RECORD).write_text("{}")
    assert folder_digest(tmp_path) == digests[2]
    assert len(set(digests)) == 3
    assert file_sizes(tmp_path) == {"renamed": 1}


def test_running_text_is_split_by_rules_and_long_passages_are_cut_at_a_space(monkeypatch):
    text = "Dr. Weir met the U.S. team. It rained!"
    assert list(split_sentences(text)) == ["Dr. Weir met the U.S. team.", "It rained!"]
    assert len(list(split_sentences("Er kam z.B. nie. Sie auch.", language="de"))) == 2
    monkeypatch.setattr(spacy_sentencizer, "LONGEST_PART", 20)
    text = "one two three four five six seven eight nine ten"
    assert [len(part) for part in split_sentences(text)] == [18, 14, 14]
    assert " ".join(split_sentences(text)) == text
    assert "".join(split_sentences("x" * 50)) == "x" * 50
