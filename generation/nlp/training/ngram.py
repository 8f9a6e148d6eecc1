"""Train the embedded n-gram model: python -m generation.nlp.training.ngram DATA_DIR OUT_FILE.

DATA_DIR holds wikipedia-train.txt.xz and wikipedia-heldout.txt.xz, one sentence per line. The same
text gives the same model, byte for byte. Takes a few minutes and about 5 GB of memory.
"""

import argparse
from pathlib import Path

from generation.nlp import ngram_file
from generation.nlp.ngram import NgramModel
from generation.nlp.training import ngram_counts, ngram_estimate, ngram_evaluation, ngram_text
from generation.nlp.training.ngram_estimate import Thresholds
from generation.nlp.training.ngram_rounding import rounded_together
from generation.nlp.training.ngram_text import WordTypes

TRAIN, HELD_OUT = "wikipedia-train.txt.xz", "wikipedia-heldout.txt.xz"


def main() -> None:
    options = _options()
    text = ngram_text.read(
        ngram_text.tokenised(options.data_dir / TRAIN, processes=options.processes)
    )
    print(f"{len(text.stream):,} tokens, {len(text.forms):,} forms", flush=True)
    train(text, options.out_file, options)
    model = NgramModel.load(options.out_file)
    held_out = ngram_text.read(ngram_text.tokenised(options.data_dir / HELD_OUT))
    print(ngram_evaluation.perplexity(model, held_out, text))


def train(text: WordTypes, out_file: Path, options: argparse.Namespace) -> None:
    """Estimate a model of a text and write it."""
    vocabulary = ngram_text.choose_vocabulary(
        text, size=options.vocabulary, ending_count=options.ending_count
    )
    words = ngram_text.encode(text, vocabulary)
    trigrams, bigrams = ngram_counts.trigrams_and_bigrams(
        words, bos=vocabulary.bos, eos=vocabulary.eos
    )
    arrays = ngram_estimate.estimate(
        trigrams,
        bigrams,
        words=len(vocabulary),
        bos=vocabulary.bos,
        least=Thresholds(trigram_count=options.trigram_count, worth=options.worth),
    )
    ngram_file.save(out_file, vocabulary.words, rounded_together(arrays))
    kept = f"{len(arrays.bigram_gain):,} bigrams, {len(arrays.trigram_gain):,} trigrams"
    print(f"{len(vocabulary):,} words, {kept}, {out_file.stat().st_size:,} bytes", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("out_file", type=Path)
    parser.add_argument("--vocabulary", type=int, default=65_500, help="words and word classes")
    parser.add_argument("--ending-count", type=int, default=3_000, help="see choose_vocabulary")
    parser.add_argument("--trigram-count", type=int, default=2, help="occurrences that keep one")
    parser.add_argument("--worth", type=float, default=0, help="nats that keep an n-gram")
    parser.add_argument("--processes", type=int, default=2, help="that tokenise")
    return parser.parse_args()


if __name__ == "__main__":
    main()
