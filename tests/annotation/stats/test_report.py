"""The arithmetic of the report, on votes that lead to the numbers of PAWS Tables 3 to 5."""

from collections import Counter

import pytest

from annotation.stats.consensus import Protocol
from annotation.stats.report import (
    Correction,
    SplitCounts,
    as_markdown,
    as_text,
    identification,
    table3,
    table4,
    table5,
)

# 47,290 judged; 43,647 kept, 5,350 of them by four of five.
WIKIPEDIA = {(5, 0): 33955, (4, 1): 4750, (3, 2): 2860, (2, 3): 783, (1, 4): 600, (0, 5): 4342}
# 14,325 judged; 12,665 kept, 2,650 of them by four of five. With five judgments on every pair no
# votes give both 92.0 % and 95.8 %: some pairs dropped must have had fewer, so 130 here have three.
FIVE_JUDGMENTS = {(5, 0): 7315, (4, 1): 1386, (3, 2): 931, (2, 3): 599, (1, 4): 1264, (0, 5): 2700}
QUORA = FIVE_JUDGMENTS | {(0, 3): 130}


def cells(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(row[0].strip(), *row[1:]) for row in rows if row[1]]


def test_the_wikipedia_column_of_table_3() -> None:
    assert cells(table3(Correction(50000, 39903, 7387, 2710), WIKIPEDIA)) == [
        ("# Raw pairs", "50,000"),
        ("# Accepted pairs", "39,903"),
        ("# Fixed pairs", "7,387"),
        ("# Rejected pairs", "2,710"),
        ("Total # pairs", "47,290"),
        ("paraphrase", "5,725"),
        ("non-paraphrase", "41,565"),
        ("Human agreement", "94.7%"),
        ("Total # pairs", "43,647"),
        ("Human agreement", "97.5%"),
    ]


def test_the_quora_column_of_table_3() -> None:
    assert cells(table3(Correction(16280, 10699, 3626, 1955), QUORA)) == [
        ("# Raw pairs", "16,280"),
        ("# Accepted pairs", "10,699"),
        ("# Fixed pairs", "3,626"),
        ("# Rejected pairs", "1,955"),
        ("Total # pairs", "14,325"),
        ("paraphrase", "4,693"),
        ("non-paraphrase", "9,632"),
        ("Human agreement", "92.0%"),
        ("Total # pairs", "12,665"),
        ("Human agreement", "95.8%"),
    ]


def test_table_4() -> None:
    votes = {(0, 5): 20400, (1, 4): 4300, (2, 3): 821, (3, 2): 206, (4, 1): 600, (5, 0): 570}
    assert cells(table4(votes)) == [
        ("Total # back translation pairs", "26,897"),
        ("paraphrase", "25,521"),
        ("non-paraphrase", "1,376"),
        ("Human agreement", "94.8%"),
    ]


def test_table_5() -> None:
    rows = table5(
        {
            "labeled_final": SplitCounts(49401, 8000, 8000, paraphrases=28904),
            "labeled_swap": SplitCounts(30397, None, None, paraphrases=2918),
        }
    )
    assert rows == [
        ("", "Train", "Dev", "Test", "Yes%"),
        ("labeled_final", "49,401", "8,000", "8,000", "44.2%"),
        ("labeled_swap", "30,397", "", "", "9.6%"),
    ]


def test_a_tie_is_on_neither_side() -> None:
    counts = identification({(2, 2): 3, (1, 3): 1}, Protocol(4, 3))
    assert (counts.total, counts.paraphrase, counts.non_paraphrase) == (4, 1, 0)


def test_grades_count_by_their_side() -> None:
    counts = identification(Counter({(0, 1, 1, 1): 2, (2, 0, 1, 0): 1}), Protocol(3, 2, 3, 2))
    assert (counts.paraphrase, counts.non_paraphrase) == (2, 1)


def test_nothing_judged_has_no_agreement() -> None:
    assert table4({})[-1] == ("Human agreement", "-")
    assert table5({"labeled_final": SplitCounts(0, 0, 0, 0)})[-1][-1] == "-"


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (as_text, "Pairs   Train\n  kept  1,000\n"),
        (as_markdown, "| Pairs | Train |\n| --- | ---: |\n| &nbsp;&nbsp;kept | 1,000 |\n"),
    ],
)
def test_tables_are_drawn(draw, expected: str) -> None:  # type: ignore[no-untyped-def]
    assert draw([("Pairs", "Train"), ("  kept", "1,000")]) == expected
