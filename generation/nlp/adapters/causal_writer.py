"""Continues texts by a causal language model of transformers, such as GPT-2."""

from typing import Any

import numpy as np

from generation.nlp.adapters.causal import CausalLanguageModel
from generation.nlp.continuation import TOP, Draw, draw_index

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
        ends_text = [bool(ENDING & set(text)) or not text.strip() for text in texts]
        ends_text += [True] * (size - len(ends_text))
        for token in self._tokenizer.all_special_ids:
            ends_text[token] = True
        self._masked = np.array(ends_text[:size])

    def continue_(self, text: str, words: int, draw: Draw) -> tuple[str, ...]:
        """Return this number of words. Raises ValueError if the model writes too few."""
        tokens = list(self._tokenizer.encode(text, add_special_tokens=False))
        next_tokens, start, cache = tokens, len(tokens), None
        for _ in range(words * MOST_TOKENS):
            log_probs, cache = self._log_probs_after(next_tokens, cache)
            best = np.argsort(-log_probs, kind="stable")[:TOP]
            next_tokens = [int(best[draw_index(log_probs[best], draw())])]
            tokens += next_tokens
            continuation = self._tokenizer.decode(tokens)[
                len(self._tokenizer.decode(tokens[:start])) :
            ]
            if len(new_words := continuation.split()) > words:
                return tuple(new_words[:words])
        raise ValueError(f"The language model wrote fewer than {words} words after {text!r}.")

    def _log_probs_after(self, next_tokens: list[int], cache: Any) -> tuple[Any, Any]:
        """Return the log-probabilities of what may come next; shape (tokens,)."""
        import torch

        with torch.inference_mode():
            inputs = torch.tensor([next_tokens], device=self._model.device)
            result = self._model(input_ids=inputs, past_key_values=cache, use_cache=True)
            log_probs = result.logits[0, -1].double().log_softmax(-1).cpu().numpy()
        log_probs[self._masked] = -np.inf
        return log_probs, result.past_key_values
