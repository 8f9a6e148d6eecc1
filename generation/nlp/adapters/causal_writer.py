"""Continues texts by a causal language model of transformers, such as GPT-2."""

from typing import Any

import numpy as np

from generation.nlp.adapters.causal import CausalLanguageModel
from generation.nlp.continuation import TOP, Draw, drawn

# What ends a sentence or a line; tokens with one are never drawn.
ENDING = frozenset(".!?…;:\n\r\t")
# Most tokens of a word.
MOST_TOKENS = 8


class CausalWriter:
    """Draws tokens until the words are complete; a word is complete when the next begins."""

    def __init__(self, model: CausalLanguageModel) -> None:
        self._model, self._tokenizer = model.model, model.tokenizer.tokenizer
        self.identity = model.identity
        size = self._model.config.vocab_size
        texts = (self._tokenizer.decode([token]) for token in range(len(self._tokenizer)))
        ends = [bool(ENDING & set(text)) or not text.strip() for text in texts]
        ends += [True] * (size - len(ends))
        for token in self._tokenizer.all_special_ids:
            ends[token] = True
        self._masked = np.array(ends[:size])

    def continue_(self, text: str, words: int, draw: Draw) -> tuple[str, ...]:
        """Return this number of words. Raises ValueError if the model writes too few."""
        tokens = list(self._tokenizer.encode(text, add_special_tokens=False))
        read, start, cache = tokens, len(tokens), None
        for _ in range(words * MOST_TOKENS):
            log_probs, cache = self._log_probs_after(read, cache)
            best = np.argsort(-log_probs, kind="stable")[:TOP]
            read = [int(best[drawn(log_probs[best], draw())])]
            tokens += read
            written = self._tokenizer.decode(tokens)[len(self._tokenizer.decode(tokens[:start])) :]
            if len(words_written := written.split()) > words:
                return tuple(words_written[:words])
        raise ValueError(f"The language model wrote fewer than {words} words after {text!r}.")

    def _log_probs_after(self, read: list[int], cache: Any) -> tuple[Any, Any]:
        """Return the log-probabilities of what may come next; shape (tokens,)."""
        import torch

        with torch.inference_mode():
            tokens_read = torch.tensor([read], device=self._model.device)
            result = self._model(input_ids=tokens_read, past_key_values=cache, use_cache=True)
            log_probs = result.logits[0, -1].double().log_softmax(-1).cpu().numpy()
        log_probs[self._masked] = -np.inf
        return log_probs, result.past_key_values
