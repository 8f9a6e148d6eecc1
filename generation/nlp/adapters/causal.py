"""Causal language models of transformers, such as GPT-2, which read many sentences as one tree.

Attention is computed block by block: scores between different sentences are left out. This reduces
the cost without changing the result, because the mask excludes them anyway.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np

from generation.nlp.adapters import causal_batches
from generation.nlp.language_model import Beam, Floats, Puzzle
from generation.nlp.token_search import TokenPuzzle, grow, score
from generation.nlp.token_tree import Node, Request, Tokens, TokenTree, chain, passes, run_together

BLOCKWISE = "pawsmith_blocks"

# The rows of a sentence's new tokens, the columns that they see, and the mask between them.
Block: TypeAlias = tuple[slice, Any, Any]

_current_blocks: ContextVar[Sequence[Block]] = ContextVar("blocks", default=())

# Rows per logsumexp call: as many as fit into the processor's cache.
ROWS = 8
# In half precision, rounding of attention sums depends on the order of the columns.
TOLERANCE = {"torch.float32": 1e-3, "torch.float16": 5e-2, "torch.bfloat16": 5e-1}
CHECKED_TOKENS = 12
CACHED = 2**16
# Tokenisers that insert a leading space insert it before this, not before the piece.
ANCHOR = "\n"
# Nodes per pass: enough to amortise its cost, but unrelated columns grow with the number.
PASS = {"cpu": 256, "cuda": 2048}


@contextmanager
def restrict_attention(blocks: Sequence[Block]) -> Iterator[None]:
    """Restrict attention to these blocks for models prepared by `attend_by_blocks`."""
    token = _current_blocks.set(blocks)
    try:
        yield
    finally:
        _current_blocks.reset(token)


def attend_by_blocks(model: Any) -> None:
    """Enable block-wise attention if the model uses SDPA and supports custom attention."""
    from transformers import AttentionInterface

    if model.config._attn_implementation == "sdpa" and model._supports_attention_backend:
        AttentionInterface.register(BLOCKWISE, _attend)
        model.set_attn_implementation(BLOCKWISE)


def block_of(follows: Any, mask: Any, rows: slice) -> Block:
    columns = follows[rows].any(0).nonzero()[:, 0]
    return rows, columns, mask[rows][:, columns][None, None]


def _attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **options: Any
) -> tuple[Any, None]:
    import torch
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    blocks = _current_blocks.get()
    if not blocks:
        output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **options)
        return output, None
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
        self._drop_unneeded_columns(requests)
        nodes = [node for request in requests for node in request.nodes]
        log_probs = np.concatenate([self._read_nodes(part) for part in passes(nodes, self._most)])
        sizes = [sum(len(node.wanted) for node in request.nodes) for request in requests]
        return np.split(log_probs, list(accumulate(sizes[:-1])))

    def _drop_unneeded_columns(self, requests: Sequence[Request]) -> None:
        import torch

        # Above a tenth: dropping copies the whole cache.
        kept_columns = self._tree.prune(requests, above=0.1)
        if kept_columns is None:
            return
        columns = torch.as_tensor(kept_columns, device=self._model.device)
        for layer in self._cache.layers:
            layer.keys = layer.keys.index_select(2, columns)
            layer.values = layer.values.index_select(2, columns)

    def _read_nodes(self, nodes: Sequence[Node]) -> Floats:
        import torch

        follows = torch.from_numpy(self._tree.add(nodes)).to(self._model.device)
        self.nodes_read += len(nodes)
        mask = _mask(follows, self._model.dtype)
        with torch.inference_mode(), restrict_attention(_blocks(follows, mask)):
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
    tokens = [token for node in nodes for token in node.wanted]
    sums = torch.cat([part.float().logsumexp(1) for part in logits.split(ROWS)])
    log_probs: Floats = (logits[rows, tokens].double() - sums[rows]).cpu().numpy()
    return log_probs


def check_reads_trees(model: Any) -> None:
    """Raise ValueError if a tree gives other log-probabilities than plain sentences.

    Recurrent models cannot read trees, nor can models whose attention depends on the order of the
    columns instead of positions.
    """
    rows = (
        np.random.default_rng(0)
        .integers(model.config.vocab_size, size=(3, CHECKED_TOKENS))
        .tolist()
    )
    rows[1][: CHECKED_TOKENS // 2] = rows[0][: CHECKED_TOKENS // 2]
    try:
        log_probs = _log_probs_in_tree(model, rows)
    except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"it cannot read a tree of tokens: {error}") from error
    difference = np.abs(log_probs - _log_probs_one_by_one(model, rows[:2])).max()
    if not difference <= TOLERANCE[str(model.dtype)]:
        raise ValueError(
            f"it reads a tree of tokens otherwise than plain text (by {difference:.2g} nats)"
        )


def _log_probs_in_tree(model: Any, rows: list[list[int]]) -> Floats:
    """Return log-probabilities of all but the first tokens of two rows with a shared prefix.

    A third row is read before them and dropped halfway, so that their columns move.
    """
    reader = CausalReader(model, most=2 * CHECKED_TOKENS)
    (row1, row2), half = rows[:2], CHECKED_TOKENS // 2
    shared = chain(None, row1[:half], [row1[half], row2[half]])
    _, first_log_probs = reader.read([Request(chain(None, rows[2], [])), Request(shared)])
    branches = [chain(shared[-1], row[half:], []) for row in (row1, row2)]
    last_log_probs = reader.read([Request(branch) for branch in branches])
    shared_log_probs, branching_log_probs = first_log_probs[: half - 1], first_log_probs[half - 1 :]
    return np.array(
        [
            np.append(shared_log_probs, [branching_log_probs[row], *last_log_probs[row]])
            for row in range(2)
        ]
    )


def _log_probs_one_by_one(model: Any, rows: list[list[int]]) -> Floats:
    import torch

    with torch.inference_mode():
        ids = torch.tensor(rows, device=model.device)
        log_probs = model(input_ids=ids, use_cache=False).logits.double().log_softmax(-1)
        log_probs_of_tokens: Floats = (
            log_probs[:, :-1].gather(2, ids[:, 1:, None])[:, :, 0].cpu().numpy()
        )
    return log_probs_of_tokens


class PieceTokenizer:
    """Tokenises the pieces of a sentence; each piece is tokenised once and cached.

    The tokens of a sentence are those of its pieces, so that a hypothesis keeps its tokens while it
    grows. Raises ValueError if the tokeniser has neither a begin nor an end token.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        special_tokens = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        ends = [token for token in special_tokens if token is not None]
        if not ends:
            raise ValueError("its tokeniser has no token for the beginning or the end of a text")
        self.begin, self.end = ends[0], ends[-1]
        self._anchor = self.whole(ANCHOR)
        self._opening = lru_cache(CACHED)(self.whole)
        self._inner = lru_cache(CACHED)(self._encode_inner)

    def puzzle(self, puzzle: Puzzle) -> TokenPuzzle:
        opening, *inner = puzzle.template.filler_texts()
        tokens = [list(map(self._opening, opening.values()))]
        tokens += (list(map(self._inner, slot.values())) for slot in inner)
        return TokenPuzzle(puzzle, tokens, self.begin, self.end)

    def whole(self, text: str) -> Tokens:
        ids: Sequence[int] = self.tokenizer.encode(
            text, add_special_tokens=False, split_special_tokens=True
        )
        return tuple(ids)

    def _encode_inner(self, text: str) -> Tokens:
        anchored, size = self.whole(ANCHOR + text), len(self._anchor)
        return anchored[size:] if anchored[:size] == self._anchor else self.whole(text)


class CausalLanguageModel:
    """A LanguageModel and Judge that reads text as written, including case and spaces.

    Several sentences are processed together: their tokens form one tree, which the model reads in
    one pass. To score texts, a GPU reads plain batches instead.
    """

    def __init__(self, model: Any, tokenizer: Any, identity: dict[str, str]) -> None:
        self.model, self.identity = model, identity
        self.tokenizer = PieceTokenizer(tokenizer)
        self.nodes = PASS[model.device.type]
        self.reads_batches = model.device.type == "cuda"

    @classmethod
    def load(
        cls, folder: Path, identity: dict[str, str], *, device: str = "cpu", precision: str
    ) -> Self:
        """Downloads nothing and runs no code from the folder.

        Raises ImportError if torch or transformers is missing, OSError or ValueError if the folder
        has no such model, or one that cannot read trees.
        """
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model: Any = AutoModelForCausalLM.from_pretrained(
            folder,
            config=_config(folder),
            dtype=getattr(torch, precision),
            use_safetensors=True,
            local_files_only=True,
        )
        attend_by_blocks(model)
        check_reads_trees(model := model.to(device).eval())
        return cls(model, tokenizer, identity)

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        """Yield the best fillings of each puzzle, in order; batching does not affect results."""
        tasks = (grow(self.tokenizer.puzzle(puzzle), width=width) for puzzle in puzzles)
        return run_together(tasks, self.reader(), nodes=self.nodes)

    def log_likelihoods(self, groups: Iterable[Sequence[str]]) -> Iterator[Floats]:
        ends = {"begin": self.tokenizer.begin, "end": self.tokenizer.end}
        texts = ([self.tokenizer.whole(text) for text in group] for group in groups)
        if self.reads_batches:
            return causal_batches.log_likelihoods(self.model, texts, **ends)
        tasks = (score(tokens, **ends) for tokens in texts)
        return run_together(tasks, self.reader(), nodes=self.nodes)

    def reader(self) -> CausalReader:
        return CausalReader(self.model, most=2 * self.nodes)


def _config(folder: Path) -> Any:
    """Return the model's configuration, with GPT-2's activation fused into one kernel."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    if getattr(config, "activation_function", None) == "gelu_new":
        config.activation_function = "gelu_pytorch_tanh"
    return config
