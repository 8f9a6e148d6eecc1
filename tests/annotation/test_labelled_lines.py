"""What becomes of lines that bear a label."""

from annotation.labelled_lines import FIRST_REFUSALS, BadLine, LabelFault, Report
from generation.records import Refusal


def test_the_lines_that_can_be_read_are_passed_on_and_all_are_counted():
    report = Report()
    lines = ["one", BadLine(2, LabelFault.BAD_LABEL, "x"), "three"]
    assert list(report.readable(lines)) == ["one", "three"]
    assert (report.read, report.refused) == (3, {"label_not_on_the_scale": 1})
    assert report.first_refusals == [Refusal(2, "label_not_on_the_scale")]


def test_lines_are_read_as_they_are_taken():
    report = Report()
    next(report.readable(["one", "two"]))
    assert report.read == 1


def test_the_first_refusals_are_kept_and_all_are_counted():
    report = Report()
    for line in range(FIRST_REFUSALS + 1):
        report.refuse(line, LabelFault.UNKNOWN_PAIR)
    assert [each.line for each in report.first_refusals] == list(range(FIRST_REFUSALS))
    assert report.refused.total() == FIRST_REFUSALS + 1
