"""Causal models of a few thousand weights, with tokenisers trained on a few sentences."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    BloomConfig,
    BloomForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

SENTENCES = (
    "The poet Anna Kovar was born in Porto in 1881 and died in Madrid in 1949.",
    "The narrow windows of the ground floor contrast with the wide windows above.",
    "The old mill on the upper river was sold in 1902 and the new mill was built in 1911.",
    "In 2003 the small team beat Ivy Kesselring of Geneva, who had won in 1998 and in 2001.",
    "Old streets, which stood wide of the town of Geneva, and then a street again, all sang.",
    "The ground floor was met once more by the old town as the wide river met the narrow mill.",
)
SIZE = 800
# Weights wide enough that the likelihoods of tokens differ as those of a trained model do.
SPREAD = 0.3


def gpt2(folder: Path) -> Path:
    """A model as GPT-2: learned positions, bytes as tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    _train(tokenizer, pre_tokenizers.ByteLevel.alphabet())
    config = GPT2Config(
        vocab_size=SIZE,
        n_positions=128,
        n_embd=32,
        n_layer=2,
        n_head=2,
        initializer_range=SPREAD,
        bos_token_id=0,
        eos_token_id=0,
    )
    return _saved(folder, GPT2LMHeadModel, config, tokenizer, eos_token="</s>", bos_token="</s>")


def llama(folder: Path) -> Path:
    """A model as Llama: rotary positions, and a tokeniser that puts a space before every text."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Punctuation()]
    )
    _train(tokenizer, [f"<0x{byte:02X}>" for byte in range(256)], "<unk>", "<s>")
    config = LlamaConfig(
        vocab_size=SIZE + 300,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=128,
        initializer_range=SPREAD,
    )
    return _saved(folder, LlamaForCausalLM, config, tokenizer, eos_token="</s>", bos_token="<s>")


def bloom(folder: Path) -> Path:
    """A model whose attention counts columns (ALiBi), so that it cannot read a tree."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    _train(tokenizer, pre_tokenizers.ByteLevel.alphabet())
    config = BloomConfig(
        vocab_size=SIZE, hidden_size=32, n_layer=2, n_head=2, initializer_range=SPREAD
    )
    return _saved(folder, BloomForCausalLM, config, tokenizer, eos_token="</s>", bos_token="</s>")


def _train(tokenizer: Tokenizer, alphabet: Sequence[str], *special: str) -> None:
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE,
        special_tokens=["</s>", *special],
        initial_alphabet=[letter for letter in alphabet if len(letter) == 1],
        show_progress=False,
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)


def _saved(folder: Path, model: Any, config: Any, tokenizer: Tokenizer, **ends: str) -> Path:
    torch.manual_seed(0)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **ends).save_pretrained(folder)
    model(config).save_pretrained(folder)
    return folder
