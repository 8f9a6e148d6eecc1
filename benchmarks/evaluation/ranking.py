"""Groups of partial paraphrases: `python -m benchmarks.evaluation.ranking`.

Makes a ranking of as many paraphrases as the test set of PAWS-Wiki has, on one thread.
"""

import os
import time

# Read when numpy is loaded: a ranking has one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from benchmarks.table import Figure, at_most, render
from evaluation.ranking.making import RankingSettings, make_ranking
from evaluation.ranking.sources import Source
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from support.model_pairs import word_swaps

PAIRS = 3500


def main() -> None:
    source = Source(word_swaps(2 * PAIRS, seed=0), {"name": "word swaps"})
    tagger = SpacyTagger()
    tagger.load()
    began = time.process_time()
    ranking = make_ranking(source, RankingSettings(), tagger=tagger)
    seconds = time.process_time() - began
    print(f"{len(ranking.groups):,} groups of {len(source.positives):,} paraphrases")
    print(render([Figure("a ranking of 3,500 paraphrases", seconds, "CPU-s", goal=at_most(60))]))


if __name__ == "__main__":
    main()
