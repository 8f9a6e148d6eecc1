"""Batches of texts of similar length, and the scores of causal models for them: what suits a GPU.

A tree of tokens reads fewer of them, but a GPU would wait for the many small steps of its
attention. Texts are padded at their ends, which no token before them sees, so no mask is needed.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from generation.nlp.token_tree import Floats, Tokens

# Texts that are sorted by length together, and tokens of a pass, padding included.
TEXTS, TOKENS = 2_048, 8_192
# Texts of a pass whose logits are raised to float32 together.
ROWS = 16


def log_likelihoods(
    model: Any, groups: Iterable[Sequence[Tokens]], *, begin: int, end: int
) -> Iterator[Floats]:
    for batch in _group_batches(groups):
        texts = [[begin, *tokens, end] for group in batch for tokens in group]
        scores = _scores(model, texts)
        yield from np.split(scores, list(accumulate(map(len, batch[:-1]))))


def _group_batches(groups: Iterable[Sequence[Tokens]]) -> Iterator[list[Sequence[Tokens]]]:
    batch: list[Sequence[Tokens]] = []
    for group in groups:
        batch.append(group)
        if sum(map(len, batch)) >= TEXTS:
            yield batch
            batch = []
    if batch:
        yield batch


def _scores(model: Any, texts: Sequence[Sequence[int]]) -> Floats:
    scores = np.zeros(len(texts))
    for places in batches_by_length([len(text) for text in texts], TOKENS):
        scores[places] = _score_batch(model, [texts[place] for place in places])
    return scores


def batches_by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Yield places of texts of similar length, the longest last; each list fits a token budget."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[place] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _score_batch(model: Any, texts: Sequence[Sequence[int]]) -> Floats:
    import torch

    longest = len(texts[-1])
    padded = [[*text, *[text[-1]] * (longest - len(text))] for text in texts]
    lengths = torch.tensor([len(text) for text in texts], device=model.device)
    ids = torch.tensor(padded, device=model.device)
    with torch.inference_mode():
        logits = model(input_ids=ids[:, :-1], use_cache=False).logits
        sums = torch.cat([part.float().logsumexp(-1) for part in logits.split(ROWS)])
        log_probs = logits.gather(2, ids[:, 1:, None])[:, :, 0].double() - sums
        is_padding = torch.arange(1, longest, device=model.device) >= lengths[:, None]
        scores: Floats = log_probs.masked_fill_(is_padding, 0.0).sum(1).cpu().numpy()
    return scores
