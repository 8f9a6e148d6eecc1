"""What the embedded tagger learns from: corpora, targets, word vectors, calibration."""

import io
import lzma
import tarfile

import numpy as np
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]

from generation.nlp.adapters.name_spans import Calibration, logit
from generation.nlp.adapters.spacy_component import Labels, softmax
from generation.nlp.training import tagger, tagger_corpora, tagger_objective, tagger_vectors
from generation.nlp.training import treebanks as banks
from generation.nlp.training.tagger_corpora import Corpus
from generation.nlp.training.tagger_objective import OPEN, UNKNOWN, Targets
from generation.nlp.training.tagger_vectors import BREAK, OFFSETS, VectorSettings
from generation.nlp.training.treebanks import AnnotatedSentence

POS = "The\tDET\tDT\nriver\tNOUN\tNN\n\nIt\tPRON\tPRP\nflows\tVERB\tVBZ"
NER = "Marie\tB-PER\nCurie\tI-PER\nsang\tO\n\n"
PROPER, ADJECTIVE, PARTICIPLE = ("PROPN", "NNP"), ("ADJ", "NNP"), ("VERB", "NNP")
NOUN = ("NOUN", "NN")
LABELS = Labels(
    tags=(("NOUN", "NN"), ("VERB", "VB")), names=("PERSON", "LOCATION", "ORGANISATION", "MISC")
)


def test_sentences_are_read_with_their_tags_or_their_names():
    assert list(banks.parse(POS, "pos")) == [
        AnnotatedSentence(("The", "river"), tags=(("DET", "DT"), ("NOUN", "NN"))),
        AnnotatedSentence(("It", "flows"), tags=(("PRON", "PRP"), ("VERB", "VBZ"))),
    ]
    names = AnnotatedSentence(("Marie", "Curie", "sang"), iob=("B-PER", "I-PER", "O"), tags=None)
    assert list(banks.parse(NER, "ner")) == [names]
    with pytest.raises(ValueError, match="expected 3 columns: 'river"):
        list(banks.parse("river\tNOUN\n", "pos"))


def test_a_corpus_is_found_in_the_archive_by_layer_and_name(tmp_path):
    with tarfile.open(tmp_path / banks.ARCHIVE, "w:xz") as archive:
        member = tarfile.TarInfo("ner/tiny_train.iob")
        member.size = len(NER)
        archive.addfile(member, io.BytesIO(NER.encode()))
    (sentence,) = banks.read(tmp_path, "ner", "tiny_train")
    assert sentence.words == ("Marie", "Curie", "sang")
    with pytest.raises(KeyError):
        banks.read(tmp_path, "pos", "tiny_train")


def test_iob_tags_become_spans():
    for iob, expected in (
        (["O", "O"], []),
        (["B-PER", "I-PER", "O", "B-LOC"], [(0, 2, "PER"), (3, 4, "LOC")]),
        (["B-PER", "B-PER"], [(0, 1, "PER"), (1, 2, "PER")]),
        (["B-PER", "I-LOC"], [(0, 1, "PER"), (1, 2, "LOC")]),
        (["O", "I-ORG", "I-ORG"], [(1, 3, "ORG")]),
    ):
        assert banks.spans(iob) == expected, iob


def test_words_that_the_tokenizer_splits_share_their_name_and_their_tag():
    fort = AnnotatedSentence(("Ft.", "Worth"), iob=("B-LOC", "I-LOC"))
    split = banks.resplit(fort, [["Ft", "."], ["Worth"]])
    assert split == AnnotatedSentence(("Ft", ".", "Worth"), iob=("B-LOC", "I-LOC", "I-LOC"))
    verb = ("VERB", "VBD")
    for word, tag, parts, tags in (
        ("re-elected", verb, ["re", "-", "elected"], (("X", "AFX"), ("PUNCT", "HYPH"), verb)),
        ("Sear's", PROPER, ["Sear", "'s"], (PROPER, PROPER)),
        ("-", ("SYM", "SYM"), ["-"], (("SYM", "SYM"),)),
    ):
        split = banks.resplit(AnnotatedSentence((word,), tags=(tag,)), [parts])
        assert (split.words, split.tags) == (tuple(parts), tags)
    corpus = Corpus("tiny", (AnnotatedSentence(("co-op",), iob=("B-ORG",)),), misc=False)
    tokenised = tagger_corpora.as_tokenised(corpus, lambda word: word.partition("-"))
    expected = AnnotatedSentence(("co", "-", "op"), iob=("B-ORG", "I-ORG", "I-ORG"))
    assert (tokenised.sentences, tokenised.misc) == ((expected,), False)


def test_names_are_widened_over_proper_words_but_not_over_common_ones_or_other_names():
    for tags, iob, expected in (
        ([PARTICIPLE, PROPER], "O B-LOC", "B-LOC I-LOC"),
        ([PROPER, ADJECTIVE], "B-ORG O", "B-ORG I-ORG"),
        ([NOUN, PROPER, NOUN, ADJECTIVE, PROPER], "O B-LOC O B-PER B-ORG", "O B-LOC O B-PER B-ORG"),
    ):
        words = tuple(f"w{index}" for index in range(len(tags)))
        sentence = AnnotatedSentence(words, tags=tuple(tags), iob=tuple(iob.split()))
        assert tagger_corpora.restore_edges(sentence).iob == tuple(expected.split())


def test_rare_tag_pairs_are_not_learnt():
    often = AnnotatedSentence(("a",) * tagger_corpora.RARE, tags=(NOUN,) * tagger_corpora.RARE)
    once = AnnotatedSentence(("b",), tags=(PROPER,))
    assert tagger_corpora.labels([Corpus("tiny", (often, once))]).tags == (NOUN,)


def test_annotations_become_columns_and_outside_is_open_where_a_corpus_knows_few_names():
    tagged = AnnotatedSentence(("Ann", "ran"), tags=(NOUN, ("X", "FW")), iob=("B-PER", "O"))
    wanted = tagger_objective.targets(tagged, LABELS, misc=True)
    assert (wanted.tags.tolist(), wanted.names.tolist()) == ([0, UNKNOWN], [1, 0])
    untagged = AnnotatedSentence(("Oslo", "fell"), iob=("I-LOC", "O"))
    wanted = tagger_objective.targets(untagged, LABELS, misc=False)
    assert (wanted.tags.tolist(), wanted.names.tolist()) == ([UNKNOWN, UNKNOWN], [4, OPEN])


def test_the_gradient_is_that_of_the_cross_entropy_of_what_is_annotated():
    logits = np.random.default_rng(1).normal(size=(1, LABELS.width)).astype(np.float32)

    def gradient(tag, name):
        wanted = Targets(np.array([tag]), np.array([name]))
        found, loss = tagger_objective.gradient(logits, wanted, LABELS)
        return found.ravel(), loss

    tags, names = softmax(logits[:, :2])[0], softmax(logits[:, 2:])[0]
    found, loss = gradient(1, 3)
    assert loss == pytest.approx(-np.log(tags[1]) - np.log(names[3]), rel=1e-5)
    assert found[:2] == pytest.approx(tags - [0, 1], abs=1e-6)
    assert found[5] == pytest.approx(names[3] - 1, abs=1e-6)
    assert not gradient(UNKNOWN, UNKNOWN)[0].any()
    known, others = np.split(gradient(UNKNOWN, OPEN)[0][3:11], [6])
    assert (known > 0).all()
    assert (others < 0).all()


def test_neighbours_are_counted_at_each_offset_within_a_sentence():
    stream = np.array([0, 1, 2, BREAK, BREAK], np.int32)
    counted = tagger_vectors.count_neighbours(stream, np.array([0, 1, 2], np.int32), 3)
    by_offset = dict(zip(OFFSETS, np.hsplit(counted.toarray(), len(OFFSETS)), strict=True))
    assert by_offset[1].tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert by_offset[-2].tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    apart = np.array([0, BREAK, BREAK, 1], np.int32)
    assert tagger_vectors.count_neighbours(apart, np.array([0, 1], np.int32), 2).nnz == 0
    rare = np.array([0, BREAK], np.int32)
    assert tagger_vectors.count_neighbours(np.array([0, 1], np.int32), rare, 2).sum() == 1


def test_words_in_like_places_get_like_vectors_of_length_one(tmp_path):
    counts = sparse.csr_matrix(np.array([[8.0, 2.0], [2.0, 8.0]]))
    information = tagger_vectors.information(counts, 1.0).toarray()
    assert information == pytest.approx(np.diag([np.log(1.6)] * 2))
    nouns, verbs = ("cat", "dog", "fox"), ("sleeps", "runs", "waits")
    text = "".join(f"The {noun} {verb} here .\n" for noun in nouns for verb in verbs)
    (tmp_path / tagger_vectors.TEXT).write_bytes(lzma.compress(text.encode()))
    words, vectors = tagger_vectors.train(tmp_path, VectorSettings(words=9, width=3))
    rows = dict(zip(words, vectors, strict=True))
    assert np.linalg.norm(rows["cat"]) == pytest.approx(1.0, abs=1e-5)
    assert rows["cat"] @ rows["dog"] > 0.95 > rows["cat"] @ rows["sleeps"]


def test_calibration_finds_the_distortion_of_probabilities():
    random = np.random.default_rng(0)
    scores = random.normal(1.0, 2.0, size=20_000)
    wanted = Calibration(slope=0.7, intercept=-0.5)
    right = random.random(len(scores)) < wanted(1 / (1 + np.exp(-scores)))
    found = tagger.platt(scores, right)
    assert (found.slope, found.intercept) == pytest.approx((0.7, -0.5), abs=0.05)
    raw = np.array([0.2, 0.4, 0.6, 0.7, 0.9, 0.95])
    half = np.array([False, True, False, True, True, False])
    assert tagger.platt(logit(raw), half)(raw).mean() == pytest.approx(0.5)
