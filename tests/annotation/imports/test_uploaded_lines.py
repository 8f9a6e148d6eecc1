"""Gold pairs and models' labels: what their values may be; and the report of lines."""

from uuid import UUID

import pytest

from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines
from annotation.pairs.labelled_lines import GoldPair, LabelFault, ModelJudgmentLine
from annotation.projects.labels import GRADES
from annotation.stats.labels import SAME_OR_DIFFERENT
from generation.records import FIRST_REFUSALS, Refusal, Report

PAIR = UUID("6f0c9f4e-6d0a-4a51-9f0c-0d6a5b2f9a11")


def line_of(kind, scheme=SAME_OR_DIFFERENT, **values):
    [line] = make_lines([(7, values, None)], KINDS[kind].maker(scheme))
    return line


def gold(label, sentence1="A b.", explanation="", **options):
    values = {"sentence1": sentence1, "sentence2": "B a.", "explanation": explanation}
    return line_of("gold_pairs", label=label, **values, **options)


def judged(label="1", pair=str(PAIR), score="", **options):
    return line_of("model_judgments", pair=pair, label=label, score=score, **options)


def test_a_gold_pair_has_a_label_of_the_scale():
    assert gold("0", explanation=" A swap. ") == GoldPair("A b.", "B a.", 0, "A swap.")
    assert gold(" 3 ", scheme=GRADES) == GoldPair("A b.", "B a.", 3)


def test_a_label_of_a_model_may_have_a_score():
    assert judged(score="0.75") == ModelJudgmentLine(7, PAIR, 1, 0.75)
    assert judged("3", scheme=GRADES) == ModelJudgmentLine(7, PAIR, 3)


@pytest.mark.parametrize("label", ["2", "same", "-1", "٣", "", "1" * 5000])
def test_other_labels_are_refused(label):
    refusal = Refusal(7, "label_not_on_the_scale")
    assert gold(label) == judged(label) == refusal


def test_other_values_are_refused_with_the_reason():
    assert gold("1", sentence1="") == Refusal(7, "empty")
    assert gold("1", explanation="x" * 2001) == Refusal(7, "too_long")
    assert judged(pair="no id") == Refusal(7, "pair_is_no_id")
    for score in ("1.5", "nan", "sure"):
        assert judged(score=score) == Refusal(7, "score_not_from_0_to_1")


def test_lines_are_counted_as_they_are_taken_and_the_first_refusals_are_kept():
    report = Report()
    lines = report.readable(["one", Refusal(2, LabelFault.BAD_LABEL), "three"])
    assert (next(lines), report.read) == ("one", 1)
    assert list(lines) == ["three"]
    assert (report.read, report.refused) == (3, {"label_not_on_the_scale": 1})
    assert report.first_refusals == [Refusal(2, "label_not_on_the_scale")]
    for line in range(3, FIRST_REFUSALS + 4):
        report.refuse(line, LabelFault.UNKNOWN_PAIR)
    assert [refusal.line for refusal in report.first_refusals] == [*range(2, FIRST_REFUSALS + 2)]
    assert report.refused.total() == FIRST_REFUSALS + 2
