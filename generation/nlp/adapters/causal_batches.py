"""Scores of whole texts by causal models, in plain batches: what suits a GPU.

A tree of tokens reads fewer of them, but a GPU would wait for the many small steps of its
attention. Texts are padded at their ends, which no token before them sees, so no mask is needed.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from generation.nlp.language_model import Floats
from generation.nlp.token_search import Tokens

# Texts that are sorted by length together, and tokens of a pass, padding included.
TEXTS, TOKENS = 2_048, 8_192
# Texts of a pass whose logits are raised to float32 at once.
ROWS = 16


def log_likelihoods(
    model: Any, groups: Iterable[Sequence[Tokens]], *, begin: int, end: int
) -> Iterator[Floats]:
    """Yield the likelihoods of the texts of each group, in order; texts are given in tokens."""
    for part in _parts(groups):
        texts = [[begin, *tokens, end] for group in part for tokens in group]
        scores = _scores(model, texts)
        yield from np.split(scores, list(accumulate(map(len, part[:-1]))))


def _parts(groups: Iterable[Sequence[Tokens]]) -> Iterator[list[Sequence[Tokens]]]:
    part: list[Sequence[Tokens]] = []
    for group in groups:
        part.append(group)
        if sum(map(len, part)) >= TEXTS:
            yield part
            part = []
    if part:
        yield part


def _scores(model: Any, texts: Sequence[Sequence[int]]) -> Floats:
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    scores = np.zeros(len(texts))
    for places in _passes(order, texts):
        scores[places] = _pass(model, [texts[place] for place in places])
    return scores


def _passes(order: Sequence[int], texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the places of the texts of each pass; the longest text of a pass is its last."""
    places: list[int] = []
    for place in order:
        if places and (len(places) + 1) * len(texts[place]) > TOKENS:
            yield places
            places = []
        places.append(place)
    if places:
        yield places


def _pass(model: Any, texts: Sequence[Sequence[int]]) -> Floats:
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
