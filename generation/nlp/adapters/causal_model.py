"""Causal language models of transformers, such as GPT-2."""

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

# Nodes per pass: enough to amortise its cost, but unrelated columns grow with the number.
PASS = {"cpu": 256, "cuda": 2048}


class CausalLanguageModel:
    """A LanguageModel and Rescorer that reads text as written, including case and spaces.

    Several sentences are processed together: their tokens form one tree, which the model reads in
    one pass.
    """

    def __init__(self, model: Any, tokenizer: Any, identity: dict[str, str]) -> None:
        self.model, self.identity = model, identity
        self.tokenizer = PieceTokenizer(tokenizer)
        self.nodes = PASS[model.device.type]

    @classmethod
    def load(
        cls, folder: Path, identity: dict[str, str], *, device: str = "cpu", precision: str
    ) -> Self:
        """Load a model from a folder with safetensors and the tokeniser.

        Downloads nothing and runs no code from the folder. Raises ImportError if torch or
        transformers is missing, OSError or ValueError if the folder has no such model, or one that
        cannot read trees.
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
        """Yield the best fillings of each puzzle, in order; batching does not affect results."""
        tasks = (grow(self.tokenizer.puzzle(puzzle), width=width) for puzzle in puzzles)
        return together(tasks, self.reader(), nodes=self.nodes)

    def rescore(self, shortlists: Iterable[tuple[Puzzle, Ints]]) -> Iterator[Floats]:
        """Yield the totals for each puzzle, in order: (n, slots) gives (n, slots + 1)."""
        tasks = (retrace(self.tokenizer.puzzle(puzzle), rows) for puzzle, rows in shortlists)
        return together(tasks, self.reader(), nodes=self.nodes)

    def reader(self) -> CausalReader:
        """Return a new, empty reader."""
        return CausalReader(self.model, most=2 * self.nodes)


def _config(folder: Path) -> Any:
    """Return the model's configuration, with GPT-2's activation fused into one kernel."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    if getattr(config, "activation_function", None) == "gelu_new":
        config.activation_function = "gelu_pytorch_tanh"
    return config
