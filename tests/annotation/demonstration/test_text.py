"""The text of the demonstration project: its sentences, their paraphrases and its guidelines."""

import csv
import json
import math
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

import annotation.demonstration

FOLDER = Path(annotation.demonstration.__file__).parent
HEADER = ["sentence1_id", "sentence1", "sentence2", "method", "model"]
WORD = re.compile(r"\w+(?:[-.,']\w+)*")


def read_sentences() -> list[dict[str, str]]:
    lines = (FOLDER / "sentences.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_paraphrases() -> list[dict[str, str]]:
    with (FOLDER / "paraphrases.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")
        assert next(rows) == HEADER
        return [dict(zip(HEADER, row, strict=True)) for row in rows]


SENTENCES = read_sentences()
PARAPHRASES = read_paraphrases()
TEXTS = [sentence["text"] for sentence in SENTENCES] + [pair["sentence2"] for pair in PARAPHRASES]


def cosine(text: str, other: str) -> float:
    """Cosine of the two vectors of lower-cased word counts (PAWS 3.2)."""
    counts, others = (Counter(WORD.findall(each.lower())) for each in (text, other))
    dot = sum(count * others[word] for word, count in counts.items())
    return dot / math.hypot(*counts.values()) / math.hypot(*others.values())


def test_there_is_enough_text_to_show_the_whole_work() -> None:
    assert len(SENTENCES) >= 300
    assert len({pair["sentence1_id"] for pair in PARAPHRASES}) >= 60


def test_every_sentence_has_an_id_and_a_text() -> None:
    assert all(sentence.keys() == {"id", "text"} for sentence in SENTENCES)
    assert all(all(sentence.values()) for sentence in SENTENCES)


def test_ids_are_unique() -> None:
    assert len({sentence["id"] for sentence in SENTENCES}) == len(SENTENCES)


def test_no_sentence_stands_twice() -> None:
    counts = Counter(sentence["text"].casefold() for sentence in SENTENCES)
    assert [text for text, count in counts.items() if count > 1] == []


def test_texts_are_normalised_and_free_of_control_characters() -> None:
    assert [text for text in TEXTS if not unicodedata.is_normalized("NFC", text)] == []
    assert [text for text in TEXTS if any(unicodedata.category(c)[0] == "C" for c in text)] == []
    assert [text for text in TEXTS if text != " ".join(text.split())] == []


def test_texts_are_sentences_of_ordinary_length() -> None:
    assert [text for text in TEXTS if not 8 <= len(text.split()) <= 28] == []
    assert [text for text in TEXTS if not re.fullmatch(r'["A-Z].*[.?]', text)] == []


def test_questions_and_only_questions_end_with_a_question_mark() -> None:
    questions = [sentence for sentence in SENTENCES if sentence["text"].endswith("?")]
    assert len(questions) >= 80


def test_every_paraphrase_quotes_the_sentence_that_it_names() -> None:
    texts = {sentence["id"]: sentence["text"] for sentence in SENTENCES}
    assert all(pair["sentence1"] == texts[pair["sentence1_id"]] for pair in PARAPHRASES)


def test_a_paraphrase_is_a_new_text() -> None:
    seconds = [pair["sentence2"].casefold() for pair in PARAPHRASES]
    firsts = {sentence["text"].casefold() for sentence in SENTENCES}
    assert len(set(seconds)) == len(seconds)
    assert firsts.isdisjoint(seconds)


def test_every_paraphrase_says_how_it_was_made() -> None:
    origins = {(pair["method"], pair["model"]) for pair in PARAPHRASES}
    assert origins == {("back_translation", "written by hand")}


def test_nine_paraphrases_in_ten_keep_their_words() -> None:
    near = [pair for pair in PARAPHRASES if cosine(pair["sentence1"], pair["sentence2"]) >= 0.9]
    assert len(near) >= 0.9 * len(PARAPHRASES)


@pytest.mark.parametrize("part", ["Correction", "Judgment"])
def test_the_guidelines_have_a_part_for_each_kind_of_work(part: str) -> None:
    guidelines = (FOLDER / "guidelines.md").read_text(encoding="utf-8")
    assert f"\n## {part}\n" in guidelines
