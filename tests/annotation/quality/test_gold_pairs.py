"""Gold pairs from files."""

import pytest

from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines
from annotation.models import SentencePair
from annotation.pairs.labelled_lines import LabelFault
from annotation.quality.services import gold_pairs
from generation.records import Refusal
from tests.annotation import make

pytestmark = pytest.mark.django_db
COLUMNS = ("sentence1", "sentence2", "label")
LINE = "Ada met Bo.\tBo met Ada.\t0"
OTHER_WAY_ROUND = "Bo met Ada.\tAda met Bo.\t"


def add(project, *lines):
    rows = [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]
    make = KINDS["gold_pairs"].maker(project.scheme)
    return gold_pairs.add(
        project, make_lines(((n, row, None) for n, row in enumerate(rows, 2)), make)
    )


def test_each_line_becomes_a_gold_pair_once_and_bad_lines_are_only_reported():
    project = make.study()
    bad = {
        "Ada met Bo.\tBo met Ada.\t2": LabelFault.BAD_LABEL,
        "Ada met Bo.\tBo met Ada.\tyes": LabelFault.BAD_LABEL,
        "\tBo met Ada.\t1": "empty",
    }
    report = add(project, *bad, LINE, "It rains.\tRain falls.\t1", LINE, OTHER_WAY_ROUND + "0")
    assert (report.read, report.added, report.duplicates) == (7, 2, 2)
    expected = {Refusal(line, reason) for line, reason in enumerate(bad.values(), 2)}
    assert set(report.first_refusals) == expected
    assert report.refused[LabelFault.BAD_LABEL] == 2
    again = add(project, LINE, OTHER_WAY_ROUND + "1")
    assert (again.added, again.duplicates, again.refused) == (0, 1, {LabelFault.OTHER_LABEL: 1})
    pairs = SentencePair.objects.order_by("pk")
    assert list(pairs.values_list("sentence1__text", "sentence2__text", "gold_label")) == [
        ("Ada met Bo.", "Bo met Ada.", 0),
        ("It rains.", "Rain falls.", 1),
    ]
    graded = add(make.study(protocol="parade"), LINE[:-1] + "3", "It rains.\tRain falls.\t4")
    assert (graded.added, graded.refused) == (1, {LabelFault.BAD_LABEL: 1})
