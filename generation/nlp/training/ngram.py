"""Train the embedded n-gram model: python -m generation.nlp.training.ngram DATA_DIR OUT_FILE.

DATA_DIR holds wikipedia-train.txt.xz and wikipedia-heldout.txt.xz, one sentence per line. The same
text gives the same model, byte for byte. Takes a few minutes and about 5 GB of memory.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.nlp import ngram
from generation.nlp.ngram import UNKNOWN, NgramModel, normal_form
from generation.nlp.training import ngram_estimate, ngram_text
from generation.nlp.training.ngram_estimate import rounded_together
from generation.nlp.training.ngram_text import WordTypes, encode

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
    print(perplexity(model, held_out, text))


def train(text: WordTypes, out_file: Path, options: argparse.Namespace) -> None:
    vocabulary = ngram_text.choose_vocabulary(
        text, size=options.vocabulary, ending_count=options.ending_count
    )
    words = ngram_text.encode(text, vocabulary)
    trigrams, bigrams = ngram_estimate.trigrams_and_bigrams(
        words, bos=vocabulary.bos, eos=vocabulary.eos
    )
    arrays = ngram_estimate.estimate(
        trigrams,
        bigrams,
        words=len(vocabulary),
        bos=vocabulary.bos,
        least_count=options.trigram_count,
    )
    ngram.save_arrays(out_file, vocabulary.words, rounded_together(arrays))
    kept = f"{len(arrays.bigram_gain):,} bigrams, {len(arrays.trigram_gain):,} trigrams"
    print(f"{len(vocabulary):,} words, {kept}, {out_file.stat().st_size:,} bytes", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("out_file", type=Path)
    parser.add_argument("--vocabulary", type=int, default=65_500, help="words and word classes")
    parser.add_argument("--ending-count", type=int, default=3_000, help="see choose_vocabulary")
    parser.add_argument("--trigram-count", type=int, default=2, help="occurrences that keep one")
    parser.add_argument("--processes", type=int, default=2, help="that tokenise")
    return parser.parse_args()


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Perplexities per token; punctuation and the end of each sentence count as tokens."""

    tokens: int
    unknown: float  # share of tokens that are not in the vocabulary
    overall: float  # all tokens, unknown ones as their class
    known: float  # tokens in the vocabulary only
    spelt_out: float  # as overall, with the probability of each number word given its shape

    def __str__(self) -> str:
        return (
            f"{self.tokens:,} tokens, {self.unknown:.2%} unknown; perplexity {self.overall:.1f}, "
            f"known words alone {self.known:.1f}, numbers spelt out {self.spelt_out:.1f}"
        )


def perplexity(model: NgramModel, text: WordTypes, training: WordTypes) -> Perplexity:
    """Measure a model on a text; `training` gives the frequency of number words and shapes."""
    words = encode(text, model.vocabulary).astype(np.int64)
    log_probs = model.log_probs(_trigrams(words, model.vocabulary.bos))
    targets = words[words != model.vocabulary.bos]
    is_class = [word == UNKNOWN or word.startswith("<-") for word in model.vocabulary.words]
    unknown = np.array(is_class)[targets]
    spelling = _spelling(text, training)[text.stream]
    return Perplexity(
        tokens=len(targets),
        unknown=float(unknown.mean()),
        overall=_perplexity(log_probs),
        known=_perplexity(log_probs[~unknown]),
        spelt_out=_perplexity(log_probs + np.where(unknown, 0, spelling)),
    )


def _trigrams(words: NDArray[Any], bos: int) -> NDArray[Any]:
    """Return each word except BOS with the two before it; two BOS before a sentence."""
    before = np.concatenate(([bos], words[:-1]))
    at_start = before == bos
    two_before = np.where(at_start, bos, np.concatenate(([bos, bos], words[:-2])))
    return np.asarray(np.stack([two_before, before, words], axis=1)[words != bos])


def _spelling(text: WordTypes, training: WordTypes) -> NDArray[np.float64]:
    """Return log p(number word | its shape), with add-one smoothing; 0 for other words."""
    seen = training.counts()
    shapes: Counter[str] = Counter()
    for form, count in seen.items():
        shapes[normal_form(form)] += count
    result = np.zeros(len(text.forms))
    for place, form in enumerate(text.forms):
        digits = sum(character in "0123456789" for character in form)
        if digits:
            share = (seen[form] + 1) / (shapes[normal_form(form)] + 10.0**digits)
            result[place] = np.log(share)
    return result


def _perplexity(log_probs: NDArray[np.float64]) -> float:
    return float(np.exp(-log_probs.mean()))


if __name__ == "__main__":
    main()
