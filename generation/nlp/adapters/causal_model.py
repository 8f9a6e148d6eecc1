"""Causal language models of transformers: GPT-2 and whatever predicts the next token."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from generation.nlp.adapters.causal_attention import attend_by_blocks
from generation.nlp.adapters.causal_check import check
from generation.nlp.adapters.causal_reader import CausalReader
from generation.nlp.adapters.causal_tokens import PieceTokenizer
from generation.nlp.language_model import Beam, Floats, Ints, Puzzle
from generation.nlp.token_rescoring import retrace
from generation.nlp.token_search import grow
from generation.nlp.token_tasks import together

# Nodes for one pass: enough to be worth its cost; the more there are, the more strangers each sees.
PASS = {"cpu": 256, "cuda": 2048}


class CausalLanguageModel:
    """A LanguageModel and a Rescorer that reads text as it is written, capital and spaces included.

    Several sentences are worked at once: all that they want read makes one tree of tokens, which
    the model reads in one pass.
    """

    def __init__(self, model: Any, tokenizer: Any, identity: dict[str, str]) -> None:
        self.model, self.identity = model, identity
        self.tokenizer = PieceTokenizer(tokenizer)
        self.nodes = PASS[model.device.type]

    @classmethod
    def load(
        cls, folder: Path, identity: dict[str, str], *, device: str = "cpu", precision: str
    ) -> Self:
        """Read a model from its folder, which holds safetensors and the tokeniser.

        Nothing is fetched, and no code of the folder is run. Raises ImportError where torch or
        transformers is missing, OSError or ValueError where the folder holds no such model, or one
        that cannot read trees.
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
        check(model := model.to(device).eval())
        return cls(model, tokenizer, identity)

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        """The best fillings of each puzzle, in order; the same as if each were searched alone."""
        tasks = (grow(self.tokenizer.puzzle(puzzle), width=width) for puzzle in puzzles)
        return together(tasks, self.reader(), nodes=self.nodes)

    def rescore(self, shortlists: Iterable[tuple[Puzzle, Ints]]) -> Iterator[Floats]:
        """The totals of the fillings of each puzzle, in order: (n, slots) gives (n, slots + 1)."""
        tasks = (retrace(self.tokenizer.puzzle(puzzle), rows) for puzzle, rows in shortlists)
        return together(tasks, self.reader(), nodes=self.nodes)

    def reader(self) -> CausalReader:
        """A reader that has read nothing."""
        return CausalReader(self.model, most=2 * self.nodes)


def _config(folder: Path) -> Any:
    """The model's configuration; the activation of GPT-2 as one kernel instead of eight steps."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    if getattr(config, "activation_function", None) == "gelu_new":
        config.activation_function = "gelu_pytorch_tanh"
    return config
