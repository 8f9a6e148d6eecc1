"""Tables of the report: votes that lead to the numbers of PAWS Tables 3 to 5, and agreement."""

from annotation.stats import agreement_tables
from annotation.stats.agreement import Agreement, Estimate, Filtered
from annotation.stats.consensus import Protocol
from annotation.stats.labels import Level, scale
from annotation.stats.paws_tables import (
    Correction,
    Outcome,
    SplitCounts,
    identification,
    table3,
    table4,
    table5,
)
from common import tables

# 47,290 judged; 43,647 kept, 5,350 of them by four of five.
WIKIPEDIA = {(5, 0): 33955, (4, 1): 4750, (3, 2): 2860, (2, 3): 783, (1, 4): 600, (0, 5): 4342}
# 14,325 judged; 12,665 kept, 2,650 of them by four of five. With five judgments on every pair no
# votes give both 92.0 % and 95.8 %: some pairs dropped must have had fewer, so 130 here have three.
FIVE_JUDGMENTS = {(5, 0): 7315, (4, 1): 1386, (3, 2): 931, (2, 3): 599, (1, 4): 1264, (0, 5): 2700}
QUORA = FIVE_JUDGMENTS | {(0, 3): 130}


def test_table_3_of_paws():
    outcomes = {
        "Quora": Outcome(Correction(16280, 10699, 3626, 1955), QUORA),
        "Wikipedia": Outcome(Correction(50000, 39903, 7387, 2710), WIKIPEDIA),
    }
    assert table3(outcomes) == [
        ("", "Quora", "Wikipedia", "All"),
        ("# Raw pairs", "16,280", "50,000", "66,280"),
        ("Sentence correction", "", "", ""),
        ("  # Accepted pairs", "10,699", "39,903", "50,602"),
        ("  # Fixed pairs", "3,626", "7,387", "11,013"),
        ("  # Rejected pairs", "1,955", "2,710", "4,665"),
        ("Paraphrase identification", "", "", ""),
        ("  Total # pairs", "14,325", "47,290", "61,615"),
        ("    paraphrase", "4,693", "5,725", "10,418"),
        ("    non-paraphrase", "9,632", "41,565", "51,197"),
        ("  Human agreement", "92.0%", "94.7%", "94.0%"),
        ("After post-filtering", "", "", ""),
        ("  Total # pairs", "12,665", "43,647", "56,312"),
        ("  Human agreement", "95.8%", "97.5%", "97.2%"),
    ]


def test_a_table_of_one_corpus_does_not_name_it():
    rows = table3({"Wikipedia": Outcome(Correction(50000, 39903, 7387, 2710), WIKIPEDIA)})
    assert rows[:3] == [
        ("# Raw pairs", "50,000"), ("Sentence correction", ""), ("  # Accepted pairs", "39,903"),
    ]  # fmt: skip
    assert table4({"Wikipedia": Outcome(Correction(9, 0, 0, 0), {})}, title="`imported`") == [
        ("`imported`", ""), ("Total # back translation pairs", "0"), ("  paraphrase", "0"),
        ("  non-paraphrase", "0"), ("Human agreement", "-"),
    ]  # fmt: skip


def test_repeats_of_any_corpus_have_a_row():
    outcomes = {
        "Quora": Outcome(Correction(4, 0, 0, 0, repeats=1), {(0, 5): 3}),
        "Wikipedia": Outcome(Correction(2, 0, 0, 0), {(5, 0): 2}),
    }
    assert table4(outcomes, kind="imported")[:3] == [
        ("", "Quora", "Wikipedia", "All"), ("Repeats of earlier pairs", "1", "0", "1"),
        ("Total # imported pairs", "3", "2", "5"),
    ]  # fmt: skip


def test_tables_4_and_5_of_paws():
    votes = {(0, 5): 20400, (1, 4): 4300, (2, 3): 821, (3, 2): 206, (4, 1): 600, (5, 0): 570}
    assert table4({"Wikipedia": Outcome(Correction(26897, 0, 0, 0), votes)}) == [
        ("Total # back translation pairs", "26,897"), ("  paraphrase", "25,521"),
        ("  non-paraphrase", "1,376"), ("Human agreement", "94.8%"),
    ]  # fmt: skip
    final = SplitCounts(49401, 8000, 8000, (28904,))
    swap, empty = SplitCounts(30397, None, None, (2918,)), SplitCounts(0, 0, 0, (0,))
    by_corpus = {
        "labeled_final": {
            "Quora": SplitCounts(11988, 0, 677, (3960,)),
            "Wikipedia": SplitCounts(37413, 8000, 7323, (24944,)),
        },
        "labeled_swap": {"Wikipedia": swap},
    }
    assert table5({"labeled_final": final, "labeled_swap": swap, "empty": empty}, by_corpus) == [
        ("", "Train", "Dev", "Test", "Yes%"),
        ("labeled_final", "49,401", "8,000", "8,000", "44.2%"),
        ("  Quora", "11,988", "0", "677", "31.3%"),
        ("  Wikipedia", "37,413", "8,000", "7,323", "47.3%"),
        ("labeled_swap", "30,397", "", "", "9.6%"),
        ("empty", "0", "0", "0", "-"),
    ]
    # Pairs are counted by the side of their majority.
    tied = identification({(2, 2): 3, (1, 3): 1}, Protocol(4, 3))
    assert (tied.total, tied.by_outcome) == (4, (0, 1))
    graded = identification({(0, 1, 1, 1): 2, (2, 0, 1, 0): 1}, Protocol(3, 2, scale(3, border=2)))
    assert (graded.total, graded.by_outcome) == (3, (1, 2))
    rows = [("Pairs", "Train"), ("  kept", "1,000")]
    assert tables.as_text(rows) == "Pairs   Train\n  kept  1,000\n"
    drawn = "| Pairs | Train |\n| --- | ---: |\n| &nbsp;&nbsp;kept | 1,000 |\n"
    assert tables.as_markdown(rows) == drawn


def test_agreement_is_printed_with_its_intervals():
    human = Estimate(0.947, (0.9454, 0.949))
    alpha, nothing = Estimate(0.5, (0.25, 0.75)), [Estimate(None)] * 4

    def at(level):
        alphas = (alpha, Estimate(0.75), Estimate(0.8))
        before = Agreement(level, 1051, human, Estimate(-0.25), *alphas)
        return Filtered(before, Agreement(level, 47, Estimate(1.0), *nothing))

    both = at(Level.NOMINAL)
    rows = [
        ("", "All", "Kept"), ("Decided pairs", "1,051", "47"),
        ("Human agreement", "94.7% (94.5 to 94.9)", "100.0%"), ("Fleiss' kappa", "-0.250", "-"),
        ("Krippendorff's alpha", "0.500 (0.250 to 0.750)", "-"),
    ]  # fmt: skip
    assert agreement_tables.overall(both) == rows
    rows_of_steps = [("  ordinal", "0.750", "-"), ("  interval", "0.800", "-")]
    assert agreement_tables.overall(at(Level.INTERVAL)) == rows + rows_of_steps
    measures = ("Human agreement", "Fleiss' kappa", "Krippendorff's alpha")
    assert agreement_tables.parts([("word swap", both)], Level.NOMINAL) == [
        ("", "Pairs", *measures, "Kept", "Human agreement"),
        ("word swap", "1,051", *(row[1] for row in rows[2:]), "47", "100.0%"),
    ]
    header, row = agreement_tables.parts([("word swap", at(Level.ORDINAL))], Level.ORDINAL)
    assert (header[4], row[4]) == ("Ordinal alpha", "0.750")
    assert agreement_tables.share(Estimate(None)) == "-"
