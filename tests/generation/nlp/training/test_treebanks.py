"""Reading the annotated corpora that the embedded tagger learns from."""

import io
import tarfile
from pathlib import Path

import pytest

from generation.nlp.training import treebanks
from generation.nlp.training.treebanks import AnnotatedSentence

POS = "The\tDET\tDT\nriver\tNOUN\tNN\n\nIt\tPRON\tPRP\nflows\tVERB\tVBZ\n\n"
NER = "Marie\tB-PER\nCurie\tI-PER\nsang\tO\n\n"


def _archive(folder: Path, name: str, text: str) -> None:
    content = text.encode()
    with tarfile.open(folder / treebanks.ARCHIVE, "w:xz") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))


def test_a_blank_line_ends_a_sentence() -> None:
    assert list(treebanks.parse(POS, "pos")) == [
        AnnotatedSentence(("The", "river"), tags=(("DET", "DT"), ("NOUN", "NN"))),
        AnnotatedSentence(("It", "flows"), tags=(("PRON", "PRP"), ("VERB", "VBZ"))),
    ]


def test_a_last_sentence_without_a_blank_line_is_read_as_well() -> None:
    assert [s.words for s in treebanks.parse("a\tO\n\nb\tO", "ner")] == [("a",), ("b",)]


def test_names_come_as_iob_tags_without_part_of_speech() -> None:
    (sentence,) = treebanks.parse(NER, "ner")
    assert sentence == AnnotatedSentence(
        ("Marie", "Curie", "sang"), iob=("B-PER", "I-PER", "O"), tags=None
    )


def test_a_line_with_too_few_columns_is_refused_and_shown() -> None:
    with pytest.raises(ValueError, match="expected 3 columns: 'river"):
        list(treebanks.parse("river\tNOUN\n", "pos"))


def test_a_corpus_is_found_in_the_archive_by_layer_and_name(tmp_path: Path) -> None:
    _archive(tmp_path, "ner/tiny_train.iob", NER)
    assert [s.words for s in treebanks.read(tmp_path, "ner", "tiny_train")] == [
        ("Marie", "Curie", "sang")
    ]


def test_a_corpus_that_the_archive_does_not_hold_is_a_key_error(tmp_path: Path) -> None:
    _archive(tmp_path, "ner/tiny_train.iob", NER)
    with pytest.raises(KeyError):
        treebanks.read(tmp_path, "pos", "tiny_train")


@pytest.mark.parametrize(
    ("iob", "expected"),
    [
        (["O", "O"], []),
        (["B-PER", "I-PER", "O", "B-LOC"], [(0, 2, "PER"), (3, 4, "LOC")]),
        (["B-PER", "B-PER"], [(0, 1, "PER"), (1, 2, "PER")]),
        (["B-PER", "I-LOC"], [(0, 1, "PER"), (1, 2, "LOC")]),
        (["O", "I-ORG", "I-ORG"], [(1, 3, "ORG")]),
    ],
)
def test_iob_tags_become_spans(iob: list[str], expected: list[tuple[int, int, str]]) -> None:
    assert treebanks.spans(iob) == expected


def test_a_word_that_the_tokenizer_splits_spreads_its_name_over_the_parts() -> None:
    sentence = AnnotatedSentence(("Ft.", "Worth", "won"), iob=("B-LOC", "I-LOC", "O"))
    assert treebanks.resplit(sentence, [["Ft", "."], ["Worth"], ["won"]]) == AnnotatedSentence(
        ("Ft", ".", "Worth", "won"), iob=("B-LOC", "I-LOC", "I-LOC", "O")
    )


def test_a_split_prefix_becomes_an_affix_before_a_hyphen() -> None:
    sentence = AnnotatedSentence(("re-elected", "him"), tags=(("VERB", "VBD"), ("PRON", "PRP")))
    split = treebanks.resplit(sentence, [["re", "-", "elected"], ["him"]])
    assert split.words == ("re", "-", "elected", "him")
    assert split.tags == (("X", "AFX"), ("PUNCT", "HYPH"), ("VERB", "VBD"), ("PRON", "PRP"))


def test_parts_without_a_hyphen_keep_the_tag_of_their_word() -> None:
    sentence = AnnotatedSentence(("Sear's",), tags=(("PROPN", "NNP"),))
    split = treebanks.resplit(sentence, [["Sear", "'s"]])
    assert split.tags == (("PROPN", "NNP"), ("PROPN", "NNP"))


def test_a_lone_hyphen_keeps_its_own_tag() -> None:
    sentence = AnnotatedSentence(("-",), tags=(("SYM", "SYM"),))
    assert treebanks.resplit(sentence, [["-"]]).tags == (("SYM", "SYM"),)
