"""What the embedded tagger is made of, and what it learns from."""

import io
import tarfile

import numpy as np
import pytest

from generation.nlp.adapters import name_spans
from generation.nlp.adapters.model_files import RECORD, file_sizes, folder_digest
from generation.nlp.adapters.name_spans import Calibration
from generation.nlp.training import treebanks as banks
from generation.nlp.training.treebanks import AnnotatedSentence

NER = "Marie\tB-PER\nCurie\tI-PER\nsang\tO\n\nOslo\tI-LOC"
VERB, PROPER = ("VERB", "VBD"), ("PROPN", "NNP")
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


def test_a_corpus_is_read_by_sentences_and_parts_of_words_share_their_name_and_tag(tmp_path):
    with tarfile.open(tmp_path / banks.ARCHIVE, "w:xz") as archive:
        member = tarfile.TarInfo("ner/tiny_train.iob")
        member.size = len(NER)
        archive.addfile(member, io.BytesIO(NER.encode()))
    first, second = banks.read_treebank(tmp_path, "ner", "tiny_train")
    assert first == AnnotatedSentence(("Marie", "Curie", "sang"), iob=("B-PER", "I-PER", "O"))
    assert [banks.spans_of(some.iob) for some in (first, second)] == [
        [(0, 2, "PER")],
        [(0, 1, "LOC")],
    ]
    with pytest.raises(ValueError, match="not enough values"):
        list(banks.parse("river\tNOUN\n", "pos"))
    for word, tag, parts, tags in (
        ("re-elected", VERB, ["re", "-", "elected"], (("X", "AFX"), ("PUNCT", "HYPH"), VERB)),
        ("Sear's", PROPER, ["Sear", "'s"], (PROPER, PROPER)),
        ("-", ("SYM", "SYM"), ["-"], (("SYM", "SYM"),)),
    ):
        split = banks.resplit(AnnotatedSentence((word,), tags=(tag,), iob=("B-ORG",)), [parts])
        iob = ("B-ORG", *["I-ORG"] * (len(parts) - 1))
        assert split == AnnotatedSentence(tuple(parts), tags=tags, iob=iob)
