"""What the embedded pipeline is made of: names out of probabilities, weights, vectors, digests."""

import numpy as np
import pytest
from spacy.vocab import Vocab
from thinc.api import Linear, chain

from generation.nlp.adapters import compact_weights, name_spans, spacy_sentencizer
from generation.nlp.adapters.digests import RECORD, file_sizes, folder_digest
from generation.nlp.adapters.name_spans import Calibration
from generation.nlp.adapters.spacy_sentencizer import split_sentences
from generation.nlp.adapters.word_vectors import WordVectors

# Columns: outside, begin person, inside person, begin place, inside place.
OUTSIDE = [0.9, 0.05, 0.0, 0.05, 0.0]
BEGIN_PERSON = [0.1, 0.6, 0.0, 0.3, 0.0]
INSIDE_PERSON = [0.2, 0.1, 0.5, 0.0, 0.2]
BEGIN_PLACE = [0.0, 0.2, 0.0, 0.8, 0.0]
INSIDE_PLACE = [0.0, 0.0, 0.1, 0.0, 0.9]
TORN = [0.4, 0.3, 0.0, 0.3, 0.0]  # no single type outweighs outside
UNIT = np.array([[0.6, -0.8], [0.0, 1.0]], np.float32)


def decoded(*rows, first=(0,)):
    return name_spans.decode(np.array(rows, np.float32), np.isin(np.arange(len(rows)), first))


def test_names_begin_and_end_where_their_probabilities_say():
    for rows, first, expected in (
        ([OUTSIDE, OUTSIDE], (0,), []),
        ([OUTSIDE, BEGIN_PERSON, INSIDE_PERSON, OUTSIDE], (0,), [(1, 3, 0)]),
        ([OUTSIDE, BEGIN_PERSON, INSIDE_PERSON], (0,), [(1, 3, 0)]),
        ([BEGIN_PERSON, BEGIN_PLACE], (0,), [(0, 1, 0), (1, 2, 1)]),
        ([OUTSIDE, INSIDE_PERSON], (0,), [(1, 2, 0)]),
        ([BEGIN_PERSON, INSIDE_PERSON], (0, 1), [(0, 1, 0), (1, 2, 0)]),  # two sentences
        ([TORN], (0,), [(0, 1, 0)]),
        ([BEGIN_PERSON, INSIDE_PLACE], (0,), [(0, 2, 1)]),  # the type of the greatest sum
    ):
        found = decoded(*rows, first=first)
        spans = zip(found.starts.tolist(), found.ends.tolist(), found.types.tolist(), strict=True)
        assert list(spans) == expected


def test_a_names_raw_probability_counts_every_token_of_it_and_the_stop():
    names = decoded(BEGIN_PERSON, INSIDE_PERSON, [0.8, 0.0, 0.2, 0.0, 0.0])
    assert names.raw == pytest.approx([0.9 * 0.7 * 0.8])
    assert decoded(BEGIN_PERSON, INSIDE_PERSON, first=(0, 1)).raw[0] == pytest.approx(0.9)


def test_calibration_keeps_the_order_and_certainty_a_number():
    raw = np.array([0.01, 0.5, 0.99])
    assert Calibration()(raw) == pytest.approx(raw)
    assert np.all(np.diff(Calibration(slope=0.4, intercept=-1.0)(np.linspace(0, 1, 50))) > 0)
    assert np.all(np.isfinite(name_spans.logit(np.array([0.0, 1.0]))))


def test_a_network_predicts_alike_after_its_weights_were_stored(tmp_path):
    def network():
        return chain(Linear(nO=4, nI=3), Linear(nO=2, nI=4)).initialize()

    written, read, paths = network(), network(), [tmp_path / "one.npz", tmp_path / "two.npz"]
    for path in paths:
        compact_weights.save(written, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    compact_weights.load(read, paths[0])
    inputs = np.ones((1, 3), np.float32)
    assert read.predict(inputs) == pytest.approx(written.predict(inputs), abs=1e-2)
    compact_weights.save(Linear(nO=4, nI=3).initialize(), paths[0])
    with pytest.raises(KeyError):
        compact_weights.load(read, paths[0])


def test_word_vectors_keep_their_direction_and_serve_capitalised_words(tmp_path):
    def installed(*words):
        vocab = Vocab()
        WordVectors.quantise(words, UNIT).install(vocab)
        return vocab

    own, lent = installed("cat", "Cat"), installed("cat", "dog")
    vector = np.asarray(own.get_vector("cat"))
    assert vector / np.linalg.norm(vector) == pytest.approx(UNIT[0], abs=0.02)
    assert (own.get_vector("Cat") != own.get_vector("cat")).any()
    assert (lent.get_vector("Dog") == lent.get_vector("dog")).all()
    assert not lent.has_vector("fox")
    written = WordVectors.quantise(["é", "–"], UNIT)
    written.to_disk(tmp_path)
    read = WordVectors.from_disk(tmp_path)
    assert read.words == written.words
    assert (read.rows == written.rows).all()


def test_the_digest_of_a_folder_changes_with_any_file_and_any_name_but_the_record(tmp_path):
    weights, digests = tmp_path / "weights", set()
    for change in (
        lambda: weights.write_bytes(b"1"),
        lambda: weights.write_bytes(b"2"),
        lambda: weights.rename(tmp_path / "renamed"),
    ):
        change()
        digests.add(folder_digest(tmp_path))
    (tmp_path / "ner").mkdir()
    (tmp_path / "ner" / "model").write_bytes(b"1")
    digests.add(folder_digest(tmp_path))
    assert len(digests) == 4
    (tmp_path / RECORD).write_text("{}")
    assert folder_digest(tmp_path) in digests
    assert file_sizes(tmp_path) == {"renamed": 1, "ner/model": 1}


def test_running_text_is_split_by_rules_that_know_abbreviations():
    text = "Dr. Weir met the U.S. team. It rained!"
    assert list(split_sentences(text)) == ["Dr. Weir met the U.S. team.", "It rained!"]
    assert len(list(split_sentences("Er kam z.B. nie. Sie auch.", language="de"))) == 2


def test_a_long_passage_is_cut_at_a_space_and_a_long_word_where_it_must(monkeypatch):
    monkeypatch.setattr(spacy_sentencizer, "LONGEST_PART", 20)
    text = "one two three four five six seven eight nine ten"
    parts = list(split_sentences(text))
    assert len(parts) == 3
    assert " ".join(parts) == text
    assert "".join(split_sentences("x" * 50)) == "x" * 50
