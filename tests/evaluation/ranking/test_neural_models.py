"""A sentence encoder and a causal model from a folder, made small here."""

import json
from random import Random

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from evaluation.data import Pairs, Unusable
from evaluation.networks.sentence_encoder import SentenceEncoder
from generation.nlp.adapters.causal import CausalLanguageModel
from generation.nlp.adapters.causal_writer import ENDING, CausalWriter
from tests.generation.nlp.adapters import tiny

TEXTS = ("The old mill was sold.", "The mill, which was old, was sold in 1902.")
PAIR = Pairs.from_rows([("1", *TEXTS, 1), ("2", TEXTS[0], TEXTS[0], 1)])


@pytest.fixture
def encoder(tmp_path):
    """A folder with an encoder of random weights."""
    folder = tmp_path / "encoder"
    tiny.gpt2(tmp_path / "words")
    tokenizer = PreTrainedTokenizerFast.from_pretrained(tmp_path / "words", pad_token="</s>")
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    BertModel(BertConfig(vocab_size=tiny.SIZE, intermediate_size=32, **sizes)).save_pretrained(
        folder
    )
    return folder


def pooled(encoder, how):
    (encoder / "1_Pooling").mkdir(exist_ok=True)
    said = {"word_embedding_dimension": 32, f"pooling_mode_{how}": True}
    (encoder / "1_Pooling" / "config.json").write_text(json.dumps(said))
    return SentenceEncoder.load(encoder)(PAIR)


def test_an_encoder_scores_by_the_cosine_of_mean_tokens_whatever_is_beside(encoder):
    scores = SentenceEncoder.load(encoder)(PAIR)
    alone = SentenceEncoder.load(encoder)(PAIR.take([0]))
    assert scores[0] == pytest.approx(alone[0], abs=1e-5)  # padding changes nothing
    assert scores[1] == pytest.approx(1.0)
    assert scores[0] < 0.999
    assert np.allclose(pooled(encoder, "mean_tokens"), scores)


def test_the_folder_says_how_tokens_are_pooled(encoder):
    scores = {how: pooled(encoder, f"{how}_tokens")[0] for how in ("mean", "max")}
    assert len({*scores.values(), pooled(encoder, "cls_token")[0]}) == 3
    with pytest.raises(Unusable, match="mean, first and largest"):
        pooled(encoder, "weightedmean_tokens")


def test_a_folder_without_an_encoder_is_refused(tmp_path):
    with pytest.raises(Unusable, match="no encoder"):
        SentenceEncoder.load(tmp_path)


def test_a_causal_model_writes_so_many_words_without_an_end(tmp_path):
    tiny.gpt2(tmp_path / "model")
    model = CausalLanguageModel.load(tmp_path / "model", {"name": "tiny"}, precision="float32")
    writer = CausalWriter(model)
    one, again, other = (
        writer.continue_("The old mill was sold, and", 12, Random(seed).random)
        for seed in (1, 1, 2)
    )
    assert one == again != other
    assert len(one) == 12
    assert not ENDING & set(" ".join(one))
    assert all(word == word.strip() and word for word in one)
