"""What the embedded tagger is made of, and what it learns from."""

import io
import lzma
import tarfile

import numpy as np
import pytest
from thinc.api import Linear, chain

from generation.nlp.adapters import compact_weights, name_spans, spacy_sentencizer
from generation.nlp.adapters.digests import RECORD, file_sizes, folder_digest
from generation.nlp.adapters.name_spans import Calibration
from generation.nlp.adapters.spacy_component import Labels, softmax
from generation.nlp.adapters.spacy_sentencizer import split_sentences
from generation.nlp.training import tagger, tagger_objective, tagger_vectors
from generation.nlp.training import treebanks as banks
from generation.nlp.training.tagger_objective import OPEN, UNKNOWN
from generation.nlp.training.treebanks import AnnotatedSentence

NER = "Marie\tB-PER\nCurie\tI-PER\nsang\tO\n\nOslo\tI-LOC"
NOUN, VERB, PROPER = ("NOUN", "NN"), ("VERB", "VBD"), ("PROPN", "NNP")
NAMES = ("PERSON", "LOCATION", "ORGANISATION", "MISC")
LABELS = Labels(tags=(NOUN, VERB), names=NAMES)
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
    digests = []
    for name, content in (("weights", "1"), ("weights", "2"), ("renamed", "2")):
        (tmp_path / "weights").unlink(missing_ok=True)
        (tmp_path / name).write_text(content)
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


def test_a_corpus_is_read_from_the_archive_sentence_by_sentence(tmp_path):
    with tarfile.open(tmp_path / banks.ARCHIVE, "w:xz") as archive:
        member = tarfile.TarInfo("ner/tiny_train.iob")
        member.size = len(NER)
        archive.addfile(member, io.BytesIO(NER.encode()))
    first, second = banks.read(tmp_path, "ner", "tiny_train")
    assert first == AnnotatedSentence(("Marie", "Curie", "sang"), iob=("B-PER", "I-PER", "O"))
    assert [banks.spans(some.iob) for some in (first, second)] == [[(0, 2, "PER")], [(0, 1, "LOC")]]
    with pytest.raises(ValueError, match="expected 3 columns: 'river"):
        list(banks.parse("river\tNOUN\n", "pos"))


def test_words_that_the_tokenizer_splits_share_their_name_and_their_tag():
    for word, tag, parts, tags in (
        ("re-elected", VERB, ["re", "-", "elected"], (("X", "AFX"), ("PUNCT", "HYPH"), VERB)),
        ("Sear's", PROPER, ["Sear", "'s"], (PROPER, PROPER)),
        ("-", ("SYM", "SYM"), ["-"], (("SYM", "SYM"),)),
    ):
        split = banks.resplit(AnnotatedSentence((word,), tags=(tag,), iob=("B-ORG",)), [parts])
        iob = ("B-ORG", *["I-ORG"] * (len(parts) - 1))
        assert split == AnnotatedSentence(tuple(parts), tags=tags, iob=iob)


def test_the_gradient_is_that_of_the_cross_entropy_of_what_is_annotated():
    sentence = AnnotatedSentence(("ran", "Ann", "x"), tags=(VERB, ("X", "FW"), NOUN))
    tags = tagger_objective.targets(sentence, LABELS, misc=True).tags.tolist()
    named = AnnotatedSentence(("Ann", "in", "x"), iob=("B-LOC", "O", "O"))
    names = tagger_objective.targets(named, LABELS, misc=False).names.tolist()
    assert (tags, names) == ([1, UNKNOWN, 0], [3, OPEN, OPEN])
    wanted = tagger_objective.Targets(np.array([1, UNKNOWN]), np.array([3, OPEN]))
    logits = np.random.default_rng(1).normal(size=(2, LABELS.width)).astype(np.float32)
    found = 2 * tagger_objective.gradient(logits, wanted, LABELS)[0]  # a mean of two tokens
    tags, names = softmax(logits[:1, :2])[0], softmax(logits[:1, 2:])[0]
    assert found[0, :2] == pytest.approx(tags - [0, 1], abs=1e-6)
    assert found[0, 5] == pytest.approx(names[3] - 1, abs=1e-6)
    assert not found[1, :2].any()
    assert (found[1, 3:9] > 0).all()
    assert (found[1, 9:] < 0).all()


def test_words_in_like_places_get_like_vectors_of_length_one(tmp_path):
    nouns, verbs = ("cat", "dog", "fox"), ("sleeps", "runs", "waits")
    text = "".join(f"The {noun} {verb} here .\n" for noun in nouns for verb in verbs)
    (tmp_path / tagger_vectors.TEXT).write_bytes(lzma.compress(text.encode()))
    settings = tagger_vectors.VectorSettings(words=9, width=3)
    rows = dict(zip(*tagger_vectors.train(tmp_path, settings), strict=True))
    assert np.linalg.norm(rows["cat"]) == pytest.approx(1.0, abs=1e-5)
    assert rows["cat"] @ rows["dog"] > 0.95 > rows["cat"] @ rows["sleeps"]


def test_calibration_finds_the_distortion_of_probabilities():
    random = np.random.default_rng(0)
    scores = random.normal(1.0, 2.0, size=20_000)
    right = random.random(len(scores)) < Calibration(0.7, -0.5)(1 / (1 + np.exp(-scores)))
    found = tagger.platt(scores, right)
    assert (found.slope, found.intercept) == pytest.approx((0.7, -0.5), abs=0.05)
