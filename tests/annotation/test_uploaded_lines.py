"""Lines of known pairs and of models' labels: each gives a pair, or itself with a reason."""

import json
from functools import partial
from io import BytesIO
from uuid import UUID

import pytest

from annotation.pairs import labelled_lines
from annotation.pairs.labelled_lines import BadLine, GoldPair, LabelFault, ModelJudgmentLine
from generation.records import FIRST_REFUSALS, Format, Refusal, Report, UnreadableFile

PAIR = UUID("6f0c9f4e-6d0a-4a51-9f0c-0d6a5b2f9a11")
HEADER = "sentence1\tsentence2\tlabel\texplanation\n"


def known(text, file_format=Format.TSV, max_label=1, *, read=labelled_lines.gold_pairs):
    data = text if isinstance(text, bytes) else text.encode()
    return list(read(BytesIO(data), file_format, max_label=max_label))


models = partial(known, read=labelled_lines.model_judgments)


def test_a_line_is_a_pair_with_its_answer():
    assert known(HEADER + "A b.\tB a.\t0\t A swap. \n") == [GoldPair("A b.", "B a.", 0, "A swap.")]
    assert known(HEADER + "\r\n\nA.\tB.\t1\t\n\n") == [GoldPair("A.", "B.", 1)]
    other_order = "label\tid\tsentence2\tsentence1\n3\tx\tB a.\tA b.\n"
    assert known(other_order, max_label=3) == [GoldPair("A b.", "B a.", 3)]
    scored = f"pair\tlabel\tscore\n{PAIR}\t1\t0.75\n\n{PAIR}\t0\t\n"
    assert models(scored) == [ModelJudgmentLine(2, PAIR, 1, 0.75), ModelJudgmentLine(4, PAIR, 0)]
    assert models(f"pair\tlabel\n{PAIR}\t3\n", max_label=3) == [ModelJudgmentLine(2, PAIR, 3)]
    for label in (1, "1"):
        line = json.dumps({"sentence1": "A b.", "sentence2": "B a.", "label": label})
        assert known(line, Format.JSONL) == [GoldPair("A b.", "B a.", 1)]
        line = json.dumps({"pair": str(PAIR), "label": label, "score": 0.5})
        assert models(line, Format.JSONL) == [ModelJudgmentLine(1, PAIR, 1, 0.5)]


def test_a_bad_line_comes_back_with_its_number_and_its_reason_and_the_others_are_read():
    for line, reason in (
        *((f"A.\tB.\t{label}\t", "label_not_on_the_scale") for label in ("2", "same", "-1", "٣")),
        ("A.\tB.\t" + "1" * 5000 + "\t", "label_not_on_the_scale"),
        ("\tB.\t1\t", "empty"),
        ("A.\tB.", "wrong_columns"),
        ("A\x07.\tB.\t1\t", "control_character"),
        ("A" * 2001 + "\tB.\t1\t", "too_long"),
    ):
        found = known(f"{HEADER}A.\tB.\t1\t\n{line}\n")
        assert found == [GoldPair("A.", "B.", 1), BadLine(3, reason, line)]
    for line, reason in (
        ("no id\t1\t", "pair_is_no_id"),
        (f"{PAIR}\t2\t", "label_not_on_the_scale"),
        (f"{PAIR}\t\t", "label_not_on_the_scale"),
        *((f"{PAIR}\t1\t{score}", "score_not_from_0_to_1") for score in ("1.5", "nan", "sure")),
        (f"{PAIR}\t1", "wrong_columns"),
    ):
        found = models(f"pair\tlabel\tscore\n{line}\n{PAIR}\t1\t\n")
        assert found == [BadLine(2, reason, line), ModelJudgmentLine(3, PAIR, 1)]
    broken, good = known(HEADER.encode() + b"\xff\tB.\t1\t\nA.\tB.\t1\t\n")
    assert (broken.line, broken.reason, good) == (2, "broken_utf8", GoldPair("A.", "B.", 1))
    for line in ("{", "[]", '{"sentence1": 1.5}', "[" * 100_000):
        [refused] = known(line, Format.JSONL)
        assert isinstance(refused, BadLine), line[:20]
    for read, text in ((known, "sentence1\tsentence2\nA.\tB.\n"), (models, "pair\n")):
        with pytest.raises(UnreadableFile, match="label"):
            read(text)


def test_lines_are_counted_as_they_are_taken_and_the_first_refusals_are_kept():
    report = Report()
    lines = report.readable(["one", BadLine(2, LabelFault.BAD_LABEL, "x"), "three"])
    assert (next(lines), report.read) == ("one", 1)
    assert list(lines) == ["three"]
    assert (report.read, report.refused) == (3, {"label_not_on_the_scale": 1})
    assert report.first_refusals == [Refusal(2, "label_not_on_the_scale")]
    for line in range(3, FIRST_REFUSALS + 4):
        report.refuse(line, LabelFault.UNKNOWN_PAIR)
    assert [each.line for each in report.first_refusals] == [*range(2, FIRST_REFUSALS + 2)]
    assert report.refused.total() == FIRST_REFUSALS + 2


def test_a_number_that_cannot_be_calculated_with_is_no_text():
    line = '{"sentence1": 1e999, "sentence2": "B.", "label": 1}'
    assert known(line, Format.JSONL) == [BadLine(1, "not_a_number", line)]
