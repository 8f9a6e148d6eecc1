"""Scores pairs by a sentence encoder of transformers: the cosine of its pooled vectors."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from common.program import install_command
from evaluation.contract import Scores
from evaluation.data import Pairs, Unusable

# How sentence-transformers names the ways of pooling, in the folder of a model.
POOLING_FILE = "1_Pooling/config.json"
MEAN, FIRST, LARGEST = "mean_tokens", "cls_token", "max_tokens"
BATCH = 64


class SentenceEncoder:
    """A scorer of pairs. Tokens are pooled by their mean, unless the folder says otherwise."""

    def __init__(self, model: Any, tokenizer: Any, pooling: str, most_tokens: int) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._pooling, self._most_tokens = pooling, most_tokens

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load a folder with safetensors and a tokeniser; downloads nothing. Raises Unusable."""
        try:
            from transformers import AutoModel, AutoTokenizer
        except ImportError:
            raise Unusable(
                f"Encoders need torch and transformers: {install_command('neural')}"
            ) from None
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model: Any = AutoModel.from_pretrained(
                folder, use_safetensors=True, local_files_only=True
            )
        except (OSError, ValueError) as error:
            raise Unusable(f"{folder} has no encoder that can be read: {error}") from error
        most_tokens = min(tokenizer.model_max_length, model.config.max_position_embeddings, 512)
        return cls(model.eval(), tokenizer, pooling_of(folder), most_tokens)

    def __call__(self, pairs: Pairs, /) -> Scores:
        texts = sorted({*pairs.first, *pairs.second})
        vectors = dict(zip(texts, self._vectors(texts), strict=True))
        return np.array([_cosine(vectors[text1], vectors[text2]) for text1, text2 in pairs.texts])

    def _vectors(self, texts: Sequence[str]) -> list[Any]:
        batches = (texts[at : at + BATCH] for at in range(0, len(texts), BATCH))
        return [vector for batch in batches for vector in self._batch(batch)]

    def _batch(self, texts: Sequence[str]) -> Any:
        import torch

        inputs = self._tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self._most_tokens,
            return_tensors="pt",
        )
        with torch.inference_mode():
            states = self._model(**inputs).last_hidden_state
        mask = inputs["attention_mask"][:, :, None].bool()
        return _pool(states, mask, self._pooling).double().numpy()


def pooling_of(folder: Path) -> str:
    """Return how a folder says that tokens are pooled: mean, first or largest. Raises Unusable."""
    path = folder / POOLING_FILE
    if not path.exists():
        return MEAN
    settings = json.loads(path.read_text(encoding="utf-8"))
    modes = [
        name for name, is_set in settings.items() if name.startswith("pooling_mode_") and is_set
    ]
    supported = [name for name in (MEAN, FIRST, LARGEST) if modes == [f"pooling_mode_{name}"]]
    if not supported:
        raise Unusable(f"{path} asks for {', '.join(modes)}; known are mean, first and largest.")
    return supported[0]


def _pool(states: Any, mask: Any, pooling: str) -> Any:
    """Return one vector for each text, from states of shape (texts, tokens, size)."""
    if pooling == FIRST:
        return states[:, 0]
    if pooling == LARGEST:
        return states.masked_fill(~mask, -np.inf).amax(1)
    return (states * mask).sum(1) / mask.sum(1)


def _cosine(one: Any, other: Any) -> float:
    size = np.sqrt((one @ one) * (other @ other))
    return float(one @ other / size) if size else np.nan
