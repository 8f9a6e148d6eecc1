"""Block-wise attention for many sentences that are read as one sequence.

Scores between different sentences are not computed. This reduces the cost without changing the
result, because the mask excludes them anyway.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

NAME = "pawsmith_blocks"

# The rows of a sentence's new tokens, the columns that they see, and the mask between them.
Block: TypeAlias = tuple[slice, Any, Any]

_blocks: ContextVar[Sequence[Block]] = ContextVar("blocks", default=())


@contextmanager
def within(blocks: Sequence[Block]) -> Iterator[None]:
    """Restrict attention to these blocks for models prepared by `attend_by_blocks`."""
    token = _blocks.set(blocks)
    try:
        yield
    finally:
        _blocks.reset(token)


def attend_by_blocks(model: Any) -> None:
    """Enable block-wise attention if the model uses SDPA and supports custom attention."""
    from transformers import AttentionInterface

    if model.config._attn_implementation == "sdpa" and model._supports_attention_backend:
        AttentionInterface.register(NAME, _attend)
        model.set_attn_implementation(NAME)


def block_of(follows: Any, mask: Any, rows: slice) -> Block:
    """Return the block of these rows; `follows` and `mask` have shape (rows, columns)."""
    columns = follows[rows].any(0).nonzero()[:, 0]
    return rows, columns, mask[rows][:, columns][None, None]


def _attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **options: Any
) -> tuple[Any, None]:
    import torch
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    blocks = _blocks.get()
    if not blocks:
        whole, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **options)
        return whole, None
    parts = [
        sdpa_attention_forward(
            module,
            query[:, :, rows],
            key.index_select(2, columns),
            value.index_select(2, columns),
            mask,
            **options,
        )[0]
        for rows, columns, mask in blocks
    ]
    return torch.cat(parts, dim=1), None
