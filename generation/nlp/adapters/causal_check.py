"""Checks that a model scores a tree of tokens as it scores each sentence alone."""

from typing import Any

import numpy as np

from generation.nlp.adapters.causal_reader import CausalReader
from generation.nlp.language_model import Floats
from generation.nlp.token_tree import Request, chain

# In half precision, rounding of attention sums depends on the order of the columns.
TOLERANCE = {"torch.float32": 1e-3, "torch.float16": 5e-2, "torch.bfloat16": 5e-1}
LENGTH = 12


def check(model: Any) -> None:
    """Raise ValueError if a tree gives other log-probabilities than plain sentences.

    Recurrent models cannot read trees, nor can models whose attention depends on the order of the
    columns instead of positions.
    """
    rows = np.random.default_rng(0).integers(model.config.vocab_size, size=(3, LENGTH)).tolist()
    rows[1][: LENGTH // 2] = rows[0][: LENGTH // 2]
    try:
        found = _in_a_tree(model, rows)
    except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"it cannot read a tree of tokens: {error}") from error
    difference = np.abs(found - _one_by_one(model, rows[:2])).max()
    if not difference <= TOLERANCE[str(model.dtype)]:
        raise ValueError(
            f"it reads a tree of tokens otherwise than plain text (by {difference:.2g} nats)"
        )


def _in_a_tree(model: Any, rows: list[list[int]]) -> Floats:
    """Return log-probabilities of all but the first tokens of two rows with a shared prefix.

    A third row is read before them and dropped halfway, so that their columns move.
    """
    reader = CausalReader(model, most=2 * LENGTH)
    (one, other), half = rows[:2], LENGTH // 2
    shared = chain(None, one[:half], [one[half], other[half]])
    _, firsts = reader.read([Request(chain(None, rows[2], [])), Request(shared)])
    branches = [chain(shared[-1], row[half:], []) for row in (one, other)]
    lasts = reader.read([Request(branch) for branch in branches])
    common, after = firsts[: half - 1], firsts[half - 1 :]
    return np.array([np.append(common, [after[row], *lasts[row]]) for row in range(2)])


def _one_by_one(model: Any, rows: list[list[int]]) -> Floats:
    import torch

    with torch.inference_mode():
        ids = torch.tensor(rows, device=model.device)
        log_probs = model(input_ids=ids, use_cache=False).logits.double().log_softmax(-1)
        chosen: Floats = log_probs[:, :-1].gather(2, ids[:, 1:, None])[:, :, 0].cpu().numpy()
    return chosen
