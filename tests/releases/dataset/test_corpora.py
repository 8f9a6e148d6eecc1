"""Counts of a release by corpus, and the tables that have a column or a row for each."""

from releases.dataset import paper_tables
from releases.dataset.corpora import CorpusCounts
from releases.dataset.rows import ReleasedPair, SentenceRow
from releases.dataset.settings import ReleaseSettings

RUNS = [
    {"corpus": "news", "method": "word_swap", "candidates": 5},
    {"corpus": "news", "method": "word_swap", "candidates": 1},
    {"corpus": "rivers", "method": "word_swap", "candidates": 2},
]
TAKEN_OUT = {"news": {"word_swap": {"reject": 3, "excluded": 1}}}
SWAP = ReleasedPair("", "", "", method="word_swap", subset="labeled_final", split="train")
PAIRS = [
    SWAP._replace(domain="news", votes=(5, 0), label=0),
    SWAP._replace(domain="news", votes=(4, 1), label=0, split="dev"),
    SWAP._replace(domain="rivers", votes=(0, 5), label=1),
    SWAP._replace(domain="rivers", origin="recombined", method="recombined", label=1),
]
SENTENCES = [
    SentenceRow("", "", "", "", "word_swap", "accept", corpus="news"),
    SentenceRow("", "", "", "", "word_swap", "fix", corpus="news"),
    SentenceRow("", "", "", "", "word_swap", "accept", corpus="rivers"),
]
SIZE = {"pairs": 2, "paraphrases": 1}


def counted(pairs):
    counts = CorpusCounts()
    for pair in pairs:
        counts.add_pair(pair, pair.votes)
    for row in SENTENCES:
        counts.add_sentence(row)
    return counts.by_method(RUNS, TAKEN_OUT)


def test_each_corpus_has_the_counts_of_its_methods():
    assert counted(PAIRS) == {
        "news": {
            "word_swap": {
                "raw": 6, "accept": 1, "fix": 1, "reject": 3, "excluded": 1,
                "votes": [[4, 1, 1], [5, 0, 1]],
            }
        },
        "rivers": {
            "word_swap": {
                "raw": 2, "accept": 1, "fix": 0, "reject": 0, "excluded": 0, "votes": [[0, 5, 1]],
            }
        },
    }  # fmt: skip


def test_rows_without_a_corpus_have_no_counts_by_corpus():
    assert counted([pair._replace(domain=None) for pair in PAIRS]) == {}


def test_the_tables_of_a_release_have_its_corpora():
    splits = {"labeled_final": {"train": SIZE, "dev": SIZE, "test": SIZE}}
    counts = {
        "corpora": counted(PAIRS), "subsets": splits,
        "subsets_by_corpus": {"rivers": splits, "news": splits},
    }  # fmt: skip
    [(method, rows)] = paper_tables.method_tables(ReleaseSettings(), counts, heading="`{}`")
    assert (method, rows[:2]) == (
        "word_swap", [("`word_swap`", "news", "rivers", "All"), ("# Raw pairs", "6", "2", "8")]
    )  # fmt: skip
    assert paper_tables.sizes(counts)[1:] == [
        ("labeled_final", "2", "2", "2", "50.0%"), ("  news", "2", "2", "2", "50.0%"),
        ("  rivers", "2", "2", "2", "50.0%"),
    ]  # fmt: skip
