"""Encoders of transformers such as BERT, fine-tuned on pairs (PAWS 5, BERT)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn
from transformers import AutoModel, AutoTokenizer

from evaluation.contract import Pretrainable, Tell, silent
from evaluation.data import Pairs
from evaluation.networks.training import Encode, Examples, FittedNetwork, Settings, fit_in_turn
from generation.nlp.adapters.model_files import folder_digest

# Of both texts together, as in the paper's configuration.
MOST_TOKENS = 128
DROP = 0.1
SETTINGS = Settings(epochs=3, batch=32, rate=2e-5, clip=1.0, warm_up=0.1, decay=0.01)


@dataclass(frozen=True)
class EncoderModel(Pretrainable):
    """The encoder in a folder, which stays as it is: what is trained is a copy in memory."""

    name: str
    folder: Path
    settings: Settings = SETTINGS

    @property
    def identity(self) -> dict[str, str]:
        digest = {"name": self.name, "sha256": folder_digest(self.folder)}
        return digest | self.settings.identity

    def fit_in_turn(
        self, trains: Sequence[Pairs], dev: Pairs, *, seed: int, tell: Tell = silent
    ) -> FittedNetwork:
        """Raises ValueError also if the folder has no such model."""
        return fit_in_turn(self.load, trains, dev, self.settings, seed=seed, tell=tell)

    def load(self) -> tuple["Network", Encode]:
        """Load the folder; downloads nothing and runs no code from it. Raises ValueError."""
        try:
            tokenizer = AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
            encoder = AutoModel.from_pretrained(self.folder, local_files_only=True)
        except (OSError, ValueError) as error:
            raise ValueError(f"The encoder {self.folder} cannot be loaded: {error}") from error
        positions = getattr(encoder.config, "max_position_embeddings", MOST_TOKENS)
        tokenizer.model_max_length = min(MOST_TOKENS, positions)
        return Network(encoder), partial(examples, tokenizer=tokenizer)


class Network(nn.Module):
    """Judges a pair by the encoder's output at its first token."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.judge = nn.Sequential(nn.Dropout(DROP), nn.Linear(encoder.config.hidden_size, 1))

    def forward(self, tokens: Any) -> Any:
        return self.judge(self.encoder(**tokens).last_hidden_state[:, 0])[:, 0]


def examples(pairs: Pairs, tokenizer: Any) -> Examples:
    """Encode both texts of each pair as one sequence of tokens."""
    encoded = tokenizer(list(pairs.first), list(pairs.second), truncation=True)
    rows = [{key: encoded[key][at] for key in encoded} for at in range(len(pairs))]
    lengths = np.array([len(row["input_ids"]) for row in rows], dtype=np.int64)

    def collate(batch: Sequence[Any]) -> tuple[Any, ...]:
        return (tokenizer.pad(list(batch), return_tensors="pt"),)

    return Examples(rows, lengths, pairs.labels, collate)
