"""The text of the demonstration project: its sentences, their paraphrases and its guidelines."""

import csv
import json
import math
import re
import unicodedata
from collections import Counter
from pathlib import Path

import annotation.demonstration

FOLDER = Path(annotation.demonstration.__file__).parent
SENTENCES = list(map(json.loads, (FOLDER / "sentences.jsonl").read_text("utf-8").splitlines()))
with (FOLDER / "paraphrases.tsv").open(encoding="utf-8", newline="") as file:
    PARAPHRASES = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True))
FIRST = {sentence["id"]: sentence["text"] for sentence in SENTENCES}
SECOND = [pair["sentence2"] for pair in PARAPHRASES]


def cosine(text, other):
    """Cosine of the two vectors of lower-cased word counts (PAWS 3.2)."""
    counts, others = (
        Counter(re.findall(r"\w+(?:[-.,']\w+)*", each.lower())) for each in (text, other)
    )
    dot = sum(count * others[word] for word, count in counts.items())
    return dot / math.hypot(*counts.values()) / math.hypot(*others.values())


def test_there_are_enough_different_sentences_of_ordinary_form():
    assert len(SENTENCES) == len(FIRST) >= 300
    assert sum(text.endswith("?") for text in FIRST.values()) >= 80
    texts = [*FIRST.values(), *SECOND]
    assert len({text.casefold() for text in texts}) == len(texts)
    for text in texts:
        assert unicodedata.is_normalized("NFC", text), text
        assert text == " ".join(text.split()), text
        assert not any(unicodedata.category(c)[0] == "C" for c in text), text
        assert 8 <= len(text.split()) <= 28, text
        assert re.fullmatch(r'["A-Z].*[.?]', text), text


def test_paraphrases_name_their_sentence_and_origin_and_mostly_keep_its_words():
    assert len({pair["sentence1_id"] for pair in PARAPHRASES}) >= 60
    assert all(pair["sentence1"] == FIRST[pair["sentence1_id"]] for pair in PARAPHRASES)
    origins = {(pair["method"], pair["model"]) for pair in PARAPHRASES}
    assert origins == {("back_translation", "written by hand")}
    near = [pair for pair in PARAPHRASES if cosine(pair["sentence1"], pair["sentence2"]) >= 0.9]
    assert len(near) >= 0.9 * len(PARAPHRASES)


def test_the_guidelines_have_a_part_for_each_kind_of_work():
    guidelines = (FOLDER / "guidelines.md").read_text(encoding="utf-8")
    assert "\n## Correction\n" in guidelines
    assert "\n## Judgment\n" in guidelines
