"""The text of the demonstration project: its sentences, their paraphrases and its guidelines."""

import csv
import json
import re
import unicodedata
from pathlib import Path

import annotation.demonstration

FOLDER = Path(annotation.demonstration.__file__).parent


def test_sentences_and_paraphrases_are_many_different_and_of_ordinary_form():
    lines = (FOLDER / "sentences.jsonl").read_text(encoding="utf-8").splitlines()
    first = {sentence["id"]: sentence["text"] for sentence in map(json.loads, lines)}
    assert len(lines) == len(first) >= 300
    assert sum(text.endswith("?") for text in first.values()) >= 80
    with (FOLDER / "paraphrases.tsv").open(encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len({pair["sentence1_id"] for pair in pairs}) >= 60
    assert all(pair["sentence1"] == first[pair["sentence1_id"]] for pair in pairs)
    origins = {(pair["method"], pair["model"]) for pair in pairs}
    assert origins == {("back_translation", "written by hand")}
    texts = [*first.values(), *(pair["sentence2"] for pair in pairs)]
    assert len({text.casefold() for text in texts}) == len(texts)
    for text in texts:
        assert unicodedata.is_normalized("NFC", text), text
        assert re.fullmatch(r'["A-Z]\S*( \S+)+[.?]', text), text
        assert not any(unicodedata.category(c)[0] == "C" for c in text), text
        assert 8 <= len(text.split()) <= 28, text


def test_the_guidelines_have_a_part_for_each_kind_of_work():
    guidelines = (FOLDER / "guidelines.md").read_text(encoding="utf-8")
    assert all(f"\n## {part}\n" in guidelines for part in ("Correction", "Judgment"))
