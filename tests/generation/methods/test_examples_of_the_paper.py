"""The example pairs of the PAWS paper with the preset `paper` and the embedded models."""

from pathlib import Path

from benchmarks.generation import paper

DOCUMENT = Path(__file__).parents[3] / "docs" / "researcher" / "word_swap.md"


def test_every_partner_that_only_has_another_order_is_found_and_the_document_says_so():
    examples = list(paper.tried())
    assert {each.place: each.rank for each in examples if each.rank} == {
        "abstract": 2,
        "introduction": 1,
        "Table 1 (1)": 1,
        "Table 1 (2)": 1,
        "Table 2 (2)": 1,
    }
    assert all(each.other_words for each in examples if not each.rank)
    assert paper.table(examples) in DOCUMENT.read_text(encoding="utf-8")
