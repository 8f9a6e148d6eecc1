"""Tables of the report: votes that lead to the numbers of PAWS Tables 3 to 5, and agreement."""

from annotation.stats import report
from annotation.stats.agreement import Agreement, Estimate, Filtered
from annotation.stats.consensus import Protocol
from annotation.stats.report import Correction, SplitCounts, identification, table3, table4, table5

# 47,290 judged; 43,647 kept, 5,350 of them by four of five.
WIKIPEDIA = {(5, 0): 33955, (4, 1): 4750, (3, 2): 2860, (2, 3): 783, (1, 4): 600, (0, 5): 4342}
# 14,325 judged; 12,665 kept, 2,650 of them by four of five. With five judgments on every pair no
# votes give both 92.0 % and 95.8 %: some pairs dropped must have had fewer, so 130 here have three.
FIVE_JUDGMENTS = {(5, 0): 7315, (4, 1): 1386, (3, 2): 931, (2, 3): 599, (1, 4): 1264, (0, 5): 2700}
QUORA = FIVE_JUDGMENTS | {(0, 3): 130}


def test_table_3_of_paws():
    rows = table3(Correction(50000, 39903, 7387, 2710), WIKIPEDIA)
    assert rows == [
        ("# Raw pairs", "50,000"),
        ("Sentence correction", ""), ("  # Accepted pairs", "39,903"),
        ("  # Fixed pairs", "7,387"), ("  # Rejected pairs", "2,710"),
        ("Paraphrase identification", ""), ("  Total # pairs", "47,290"),
        ("    paraphrase", "5,725"), ("    non-paraphrase", "41,565"),
        ("  Human agreement", "94.7%"),
        ("After post-filtering", ""), ("  Total # pairs", "43,647"), ("  Human agreement", "97.5%"),
    ]  # fmt: skip
    quora = [cell for _, cell in table3(Correction(16280, 10699, 3626, 1955), QUORA) if cell]
    assert quora == [
        "16,280", "10,699", "3,626", "1,955",
        "14,325", "4,693", "9,632", "92.0%", "12,665", "95.8%",
    ]  # fmt: skip


def test_tables_4_and_5_of_paws():
    votes = {(0, 5): 20400, (1, 4): 4300, (2, 3): 821, (3, 2): 206, (4, 1): 600, (5, 0): 570}
    assert table4(votes) == [
        ("Total # back translation pairs", "26,897"), ("  paraphrase", "25,521"),
        ("  non-paraphrase", "1,376"), ("Human agreement", "94.8%"),
    ]  # fmt: skip
    assert table4({})[-1] == ("Human agreement", "-")
    final = SplitCounts(49401, 8000, 8000, paraphrases=28904)
    swap, empty = SplitCounts(30397, None, None, paraphrases=2918), SplitCounts(0, 0, 0, 0)
    assert table5({"labeled_final": final, "labeled_swap": swap, "empty": empty}) == [
        ("", "Train", "Dev", "Test", "Yes%"),
        ("labeled_final", "49,401", "8,000", "8,000", "44.2%"),
        ("labeled_swap", "30,397", "", "", "9.6%"),
        ("empty", "0", "0", "0", "-"),
    ]
    # Pairs are counted by the side of their majority.
    tied = identification({(2, 2): 3, (1, 3): 1}, Protocol(4, 3))
    assert (tied.total, tied.paraphrase, tied.non_paraphrase) == (4, 1, 0)
    graded = identification({(0, 1, 1, 1): 2, (2, 0, 1, 0): 1}, Protocol(3, 2, 3, 2))
    assert (graded.total, graded.paraphrase, graded.non_paraphrase) == (3, 2, 1)
    rows = [("Pairs", "Train"), ("  kept", "1,000")]
    assert report.as_text(rows) == "Pairs   Train\n  kept  1,000\n"
    drawn = "| Pairs | Train |\n| --- | ---: |\n| &nbsp;&nbsp;kept | 1,000 |\n"
    assert report.as_markdown(rows) == drawn


def test_agreement_is_printed_with_its_intervals():
    human = Estimate(0.947, (0.9454, 0.949))
    before = Agreement(1051, human, Estimate(-0.25), Estimate(0.5, (0.25, 0.75)), Estimate(0.75))
    after = Agreement(47, Estimate(1.0), Estimate(None), Estimate(None), Estimate(None))
    both = Filtered(before, after)
    rows = [
        ("", "All", "Kept"), ("Decided pairs", "1,051", "47"),
        ("Human agreement", "94.7% (94.5 to 94.9)", "100.0%"), ("Fleiss' kappa", "-0.250", "-"),
        ("Krippendorff's alpha", "0.500 (0.250 to 0.750)", "-"),
    ]  # fmt: skip
    assert report.overall(both, graded=False) == rows
    assert report.overall(both, graded=True) == [*rows, ("  ordinal", "0.750", "-")]
    measures = ("Human agreement", "Fleiss' kappa", "Krippendorff's alpha")
    assert report.parts([("word swap", both)]) == [
        ("", "Pairs", *measures, "Kept", "Human agreement"),
        ("word swap", "1,051", *(row[1] for row in rows[2:]), "47", "100.0%"),
    ]
    assert report.share(Estimate(None)) == "-"
