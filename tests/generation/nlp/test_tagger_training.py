"""What the embedded tagger learns from: corpora, targets, word vectors, calibration."""

import io
import lzma
import tarfile

import numpy as np
import pytest

from generation.nlp.adapters.name_spans import Calibration
from generation.nlp.adapters.spacy_component import Labels, softmax
from generation.nlp.training import tagger, tagger_objective, tagger_vectors
from generation.nlp.training import treebanks as banks
from generation.nlp.training.tagger_objective import OPEN, UNKNOWN
from generation.nlp.training.treebanks import AnnotatedSentence

NER = "Marie\tB-PER\nCurie\tI-PER\nsang\tO\n\nOslo\tI-LOC"
NOUN, VERB, PROPER = ("NOUN", "NN"), ("VERB", "VBD"), ("PROPN", "NNP")
NAMES = ("PERSON", "LOCATION", "ORGANISATION", "MISC")
LABELS = Labels(tags=(NOUN, VERB), names=NAMES)


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
