"""Translation by length compared with one sentence at a time, with a Marian of opus-mt's size.

The weights are random and the pieces are trained on the file at hand; a translation gets as many
tokens as its source, since random weights do not know when to end. One thread; CPU seconds.
"""

import json
import random
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.generation.parts import Options, texts_of
from benchmarks.table import Figure, at_least

SENTENCES = 48
SENTENCES_FOR_PIECES = 20_000
PIECES, VOCABULARY = 16_000, 58_101
BEST = 5
GOAL = 2.5

OPUS_MT: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "d_model": 512,
    "encoder_layers": 6,
    "decoder_layers": 6,
    "encoder_attention_heads": 8,
    "decoder_attention_heads": 8,
    "encoder_ffn_dim": 2048,
    "decoder_ffn_dim": 2048,
    "max_position_embeddings": 512,
    "activation_function": "swish",
    "scale_embedding": True,
    "eos_token_id": 0,
    "forced_eos_token_id": 0,
    "pad_token_id": VOCABULARY - 1,
    "decoder_start_token_id": VOCABULARY - 1,
}


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    import torch

    torch.set_num_threads(1)
    texts = _texts(options.file)
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        tokenizer = _train_tokenizer(Path(folder), texts)
    model = _random_model(options.seed)
    chosen = random.Random(options.seed).sample(texts, min(SENTENCES, len(texts)))
    return _speed_figures(model, tokenizer, chosen)


def _texts(file: Path) -> list[str]:
    return [*islice(texts_of(file), SENTENCES_FOR_PIECES)]


def _train_tokenizer(folder: Path, texts: Sequence[str]) -> Any:
    """A tokenizer of Marian with its pieces, and names without use up to the size of opus-mt's."""
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
    from transformers import MarianTokenizer

    pieces, vocabulary = folder / "pieces.spm", folder / "vocab.json"
    with pieces.open("wb") as file:
        SentencePieceTrainer.Train(
            sentence_iterator=iter(texts),
            model_writer=file,
            vocab_size=PIECES,
            hard_vocab_limit=False,
            num_threads=1,
            minloglevel=2,
        )
    processor = SentencePieceProcessor(model_file=str(pieces))
    pieces_used = [processor.id_to_piece(number) for number in range(3, processor.get_piece_size())]
    unused = [f"\u2581unused{number}" for number in range(VOCABULARY - 3 - len(pieces_used))]
    names = ["</s>", "<unk>", *pieces_used, *unused, "<pad>"]
    vocabulary.write_text(json.dumps({name: number for number, name in enumerate(names)}))
    files = (str(pieces), str(pieces), str(vocabulary))
    return MarianTokenizer(*files, source_lang="en", target_lang="de")


def _random_model(seed: int) -> Any:
    import torch
    from transformers import MarianConfig, MarianMTModel

    torch.manual_seed(seed)
    model: Any = MarianMTModel(MarianConfig(**OPUS_MT))
    return model.eval()


def _speed_figures(model: Any, tokenizer: Any, texts: Sequence[str]) -> list[Figure]:
    from generation.nlp.adapters.seq2seq import Seq2SeqTranslator

    translator = Seq2SeqTranslator(model, tokenizer, {}, limit=lambda tokens, _most: tokens)
    translator.translate(texts[:1], BEST)  # what is done once is done
    began = time.process_time()
    alone = [_translate_alone(model, tokenizer, text) for text in texts]
    alone_ended = time.process_time()
    together = translator.translate(texts, BEST)
    ended = time.process_time()
    same = sum(
        {translation.text for translation in translations} == expected
        for translations, expected in zip(together, alone, strict=True)
    )
    return [
        Figure(
            f"Marian, {BEST} best, by length",
            len(texts) / (ended - alone_ended),
            "sentences/core-second",
            reference=len(texts) / (alone_ended - began),
            goal=at_least(GOAL, of_ratio=True),
        ),
        Figure("the same translations as alone", same / len(texts), goal=at_least(1.0)),
    ]


def _translate_alone(model: Any, tokenizer: Any, text: str) -> set[str]:
    """The translations that `generate` gives of a sentence by itself."""
    import torch

    encoded = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        tokens = model.generate(
            **encoded,
            num_beams=BEST,
            num_return_sequences=BEST,
            max_new_tokens=encoded["input_ids"].shape[1],
            max_length=None,
            do_sample=False,
        )
    return set(tokenizer.batch_decode(tokens, skip_special_tokens=True))
