"""Translation with sequence-to-sequence models of transformers such as Marian, T5 and BART."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from generation.nlp.adapters.causal_batches import batches_by_length
from generation.nlp.back_translation import Translation, Translations

if TYPE_CHECKING:
    from torch import Tensor

Prefix: TypeAlias = tuple[int, ...]

Tokens: TypeAlias = list[int]
# Maximum source tokens per pass, including padding.
PASS = {"cpu": 500, "cuda": 8_000}
# For texts and translations, unless the model has fewer positions; the limit of opus-mt models.
MAX_TOKENS = 512
# A translation has at most GROWTH * (source tokens) + MARGIN tokens.
GROWTH, MARGIN = 1.5, 10
# Width 1 is greedy search, which does not provide likelihoods.
NARROWEST = 2


class LengthLimits:
    """Ends each sentence of a batch at its individual limit, as if it were translated alone.

    Like ScoreKeeper a logits processor: `generate` calls it at each search step with the tokens of
    every beam so far and the next log-probabilities; beams of a sentence are consecutive rows.
    """

    def __init__(self, limits: Sequence[int], *, beams: int, end: int) -> None:
        self._limits = limits
        self._beams = beams
        self._end = end
        self._step = 0

    def __call__(self, tokens: "Tensor", scores: "Tensor") -> "Tensor":
        self._step += 1
        for sentence, limit in enumerate(self._limits):
            if self._step >= limit:
                rows = scores[sentence * self._beams : (sentence + 1) * self._beams]
                rows[:] = float("-inf")
                rows[:, self._end] = 0.0
        return scores


class ScoreKeeper:
    """Adds up the log-likelihoods of all beams.

    `generate` returns them only if it keeps the log-probabilities of all tokens at all steps, a
    gigabyte for a few dozen sentences; this class keeps those of one step.
    """

    def __init__(self, *, beams: int, end: int) -> None:
        self._beams = beams
        self._end = end
        self._ended: dict[Prefix, float] = {}
        self._running: dict[Prefix, tuple[int, float]] = {}
        self._scores: Tensor | None = None

    def __call__(self, tokens: "Tensor", scores: "Tensor") -> "Tensor":
        prefixes = [(row // self._beams, *beam) for row, beam in enumerate(tokens.tolist())]
        totals = self._totals(prefixes)
        ends = scores[:, self._end].tolist()
        self._running = {}
        for row, (prefix, total) in enumerate(zip(prefixes, totals, strict=True)):
            self._running[prefix] = row, total
            self._ended[*prefix, self._end] = total + ends[row]
        self._scores = scores
        return scores

    def total(self, sentence: int, beam: Sequence[int]) -> float:
        stop = beam.index(self._end, 1) + 1  # some models start with the end token
        return self._ended[sentence, *beam[:stop]]

    def _totals(self, prefixes: Sequence[Prefix]) -> list[float]:
        if self._scores is None:
            return [0.0] * len(prefixes)
        parents = [self._running[prefix[:-1]] for prefix in prefixes]
        rows, tokens = [row for row, _ in parents], [prefix[-1] for prefix in prefixes]
        gained = self._scores[rows, tokens].tolist()
        return [total + gain for (_, total), gain in zip(parents, gained, strict=True)]


def limit(tokens: int, most: int = MAX_TOKENS) -> int:
    return min(int(GROWTH * tokens) + MARGIN, most - 1)


class Seq2SeqTranslator:
    """A `Translator` with a model and its tokenizer.

    Sentences of similar length are translated together. This does not change the result: each has
    an independent search and length limit. `prefix` is put before every text: the task of a T5, or
    the language of a multilingual Marian.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        identity: dict[str, str],
        *,
        prefix: str = "",
        limit: Callable[[int, int], int] = limit,
    ) -> None:
        self._model, self._tokenizer, self.identity = model, tokenizer, identity
        self._prefix, self._limit = prefix, limit
        self._width = max(model.generation_config.num_beams or 1, NARROWEST)
        ends = model.generation_config.eos_token_id
        self._end = int(ends if isinstance(ends, int) else ends[0])

    @classmethod
    def load(
        cls,
        folder: Path,
        identity: dict[str, str],
        *,
        device: str = "cpu",
        precision: str = "float32",
        prefix: str = "",
    ) -> Self:
        """Downloads nothing and runs no code from the folder.

        Raises ImportError if torch or transformers is missing, OSError or ValueError if the folder
        has no such model, and RuntimeError if the device does not exist.
        """
        import torch
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForSeq2SeqLM.from_pretrained(
            folder, local_files_only=True, dtype=getattr(torch, precision)
        )
        return cls(model.to(device).eval(), tokenizer, identity, prefix=prefix)

    @property
    def _max_tokens(self) -> int:
        """The most tokens of a text or translation: the model may have fewer positions."""
        positions = getattr(self._model.config, "max_position_embeddings", None)
        return min(MAX_TOKENS, positions or MAX_TOKENS)

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        """Return the k best translations of each text; the beam has at least the model's width."""
        encoded = [self._encode(text) for text in texts]
        lengths = [len(tokens) for tokens in encoded]
        translations_by_place: dict[int, Translations] = {}
        for places in batches_by_length(lengths, PASS[self._model.device.type]):
            translated = self._translate_batch([encoded[place] for place in places], k)
            translations_by_place.update(zip(places, translated, strict=True))
        return [translations_by_place[place] for place in range(len(texts))]

    def _encode(self, text: str) -> Tokens:
        options = {"truncation": True, "max_length": self._max_tokens}
        tokens: Tokens = self._tokenizer(self._prefix + text, **options)["input_ids"]
        return tokens

    def _translate_batch(self, batch: Sequence[Tokens], k: int) -> Iterator[Translations]:
        limits = [self._limit(len(tokens), self._max_tokens) for tokens in batch]
        width = max(k, self._width)
        keeper = ScoreKeeper(beams=width, end=self._end)
        beams = self._generate(
            batch,
            num_beams=width,
            num_return_sequences=k,
            max_new_tokens=max(limits),
            logits_processor=[LengthLimits(limits, beams=width, end=self._end), keeper],
        )
        texts = self._tokenizer.batch_decode(beams, skip_special_tokens=True)
        for sentence in range(len(batch)):
            rows = range(sentence * k, (sentence + 1) * k)
            scored = [(keeper.total(sentence, beams[row]), texts[row]) for row in rows]
            yield _best_of_each_text(scored)

    def _generate(self, batch: Sequence[Tokens], **options: Any) -> list[Tokens]:
        """Return the beams of all sentences; those of one sentence are consecutive."""
        import torch

        padded = self._tokenizer.pad({"input_ids": batch}, return_tensors="pt")
        with torch.inference_mode():
            beams = self._model.generate(
                **padded.to(self._model.device),
                do_sample=False,
                eos_token_id=self._end,
                max_length=None,
                **options,
            )
        rows: list[Tokens] = beams.tolist()
        return rows


def _best_of_each_text(scored: Sequence[tuple[float, str]]) -> Translations:
    """Sort translations by likelihood; different beams may decode to the same text."""
    score_of_text: dict[str, float] = {}
    for score, text in sorted(scored, key=lambda pair: (-pair[0], pair[1])):
        score_of_text.setdefault(text, score)
    return tuple(Translation(text, score) for text, score in score_of_text.items())
