"""Treebanks as the embedded tagger learns from them."""

import io
import tarfile

import pytest

from tools.training import treebanks as banks
from tools.training.treebanks import AnnotatedSentence

NER = "Marie\tB-PER\nCurie\tI-PER\nsang\tO\n\nOslo\tI-LOC"
VERB, PROPER = ("VERB", "VBD"), ("PROPN", "NNP")


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
