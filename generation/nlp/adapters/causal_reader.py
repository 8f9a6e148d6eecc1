"""Reads trees of tokens with a causal model of transformers."""

from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any

import numpy as np

from generation.nlp.adapters.causal_attention import Block, block_of, within
from generation.nlp.language_model import Floats
from generation.nlp.token_tree import Node, Request, TokenTree, passes

# Rows per logsumexp call: as many as fit into the processor's cache.
ROWS = 8


class CausalReader:
    """Reads nodes in passes of at most `most`, and caches their keys and values for later nodes.

    The model receives the tree as one sequence. A full mask limits each token to the tokens that it
    follows; positions count within its sentence.
    """

    def __init__(self, model: Any, *, most: int) -> None:
        from transformers import DynamicCache

        self._model, self._most = model, most
        self._tree = TokenTree()
        self._cache: Any = DynamicCache()
        self.nodes_read = 0

    def read(self, requests: Sequence[Request]) -> list[Floats]:
        """Return, for each request, the wanted log-probabilities of its nodes as a flat array."""
        self._forget(requests)
        nodes = [node for request in requests for node in request.nodes]
        log_probs = np.concatenate([self._pass(part) for part in passes(nodes, self._most)])
        sizes = [sum(len(node.wanted) for node in request.nodes) for request in requests]
        return np.split(log_probs, list(accumulate(sizes[:-1])))

    def _forget(self, requests: Sequence[Request]) -> None:
        import torch

        kept = self._tree.prune(requests, above=0.1)
        if kept is None:
            return
        columns = torch.as_tensor(kept, device=self._model.device)
        for layer in self._cache.layers:
            layer.keys = layer.keys.index_select(2, columns)
            layer.values = layer.values.index_select(2, columns)

    def _pass(self, nodes: Sequence[Node]) -> Floats:
        import torch

        follows = torch.from_numpy(self._tree.add(nodes)).to(self._model.device)
        self.nodes_read += len(nodes)
        mask = _mask(follows, self._model.dtype)
        with torch.inference_mode(), within(_blocks(follows, mask)):
            logits = self._model(
                input_ids=torch.tensor([[node.token for node in nodes]], device=follows.device),
                position_ids=follows.sum(1)[None] - 1,
                attention_mask=mask[None, None],
                past_key_values=self._cache,
                use_cache=True,
            ).logits[0]
            return _log_probs(logits, nodes)


def _blocks(follows: Any, mask: Any) -> list[Block]:
    """Return one block per group of adjacent rows with the same first column (one sentence)."""
    beginnings = follows.byte().argmax(1).tolist()
    runs = [len(list(run)) for _, run in groupby(beginnings)]
    bounds = pairwise(accumulate(runs, initial=0))
    return [block_of(follows, mask, slice(start, end)) for start, end in bounds]


def _mask(follows: Any, dtype: Any) -> Any:
    """Return the additive attention mask: 0 where a token follows the other, else the minimum."""
    import torch

    mask = torch.zeros(follows.shape, dtype=dtype, device=follows.device)
    return mask.masked_fill_(~follows, torch.finfo(dtype).min)


def _log_probs(logits: Any, nodes: Sequence[Node]) -> Floats:
    """Return natural-log probabilities of the wanted tokens, from logits (nodes, tokens)."""
    import torch

    rows = [row for row, node in enumerate(nodes) for _ in node.wanted]
    wanted = [token for node in nodes for token in node.wanted]
    sums = torch.cat([part.float().logsumexp(1) for part in logits.split(ROWS)])
    log_probs: Floats = (logits[rows, wanted].double() - sums[rows]).cpu().numpy()
    return log_probs
