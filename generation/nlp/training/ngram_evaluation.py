"""Measures how well an n-gram model predicts unseen text."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.nlp.ngram import NgramModel
from generation.nlp.training.ngram_text import WordTypes, encode
from generation.nlp.vocabulary import SPECIAL, normal_form


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
    log_probs = model.log_probs(_trigrams(words, model.bos))
    targets = words[words != model.bos]
    unknown = _is_class(model)[targets]
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


def _is_class(model: NgramModel) -> NDArray[np.bool_]:
    return np.array(
        [word == SPECIAL[2] or word.startswith("<-") for word in model.vocabulary.words]
    )


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
