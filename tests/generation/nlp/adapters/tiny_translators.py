"""Sequence-to-sequence models of a few thousand weights, with tokenizers trained on the spot.

Their weights are random, and spread so wide that no two beams come near a tie.
"""

import json

import torch
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

from tests.generation.nlp.adapters.tiny import built_once

SENTENCES = [
    "The old poet was born in Porto and died in Madrid.",
    "In 1953 the team also toured in Australia.",
    "Cold currents meet warm water off the cape.",
    "A new hall was opened after the old hall had burned down.",
    "Yes.",
    "The ferry to the island takes forty minutes in summer and more than an hour in winter.",
    "She painted the public rooms in a severe style and the private ones in a playful style.",
]
SIZES = {"layers": 2, "attention_heads": 2, "ffn_dim": 32}
SMALL = {f"{part}_{name}": n for part in ("encoder", "decoder") for name, n in SIZES.items()}
SMALL |= {"d_model": 16, "init_std": 0.6}
ENDING = 6.0


@built_once
def marian(folder, *, seed=0, begins_with_end=False):
    """A Marian model as opus-mt has them: shared embeddings, two SentencePiece files.

    As a BART's, its translations may begin with the token that ends them.
    """
    known = ["</s>", "<unk>", *_sentencepiece(folder / "source.spm"), "<pad>"]
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    vocabulary = {piece: number for number, piece in enumerate(known)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    files = (str(folder / name) for name in ("source.spm", "target.spm", "vocab.json"))
    MarianTokenizer(*files, source_lang="en", target_lang="en").save_pretrained(folder)
    padding = len(known) - 1
    special = {"pad_token_id": padding, "eos_token_id": 0, "forced_eos_token_id": 0}
    special |= {"decoder_start_token_id": 0 if begins_with_end else padding}
    config = MarianConfig(vocab_size=len(known), max_position_embeddings=512, **SMALL, **special)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = MarianMTModel(config)
    # Some sentences end by themselves, and none says one thing over and over, which makes ties.
    model.final_logits_bias[0, 0] = ENDING
    model.generation_config.no_repeat_ngram_size = 2
    model.save_pretrained(folder)


def _sentencepiece(file):
    with file.open("wb") as model:
        size = {"vocab_size": 160, "hard_vocab_limit": False, "minloglevel": 2}
        texts = iter(SENTENCES)
        SentencePieceTrainer.Train(sentence_iterator=texts, model_writer=model, **size)
    trained = SentencePieceProcessor(model_file=str(file))
    pieces = [trained.id_to_piece(number) for number in range(trained.get_piece_size())]
    return [piece for piece in pieces if not trained.is_control(trained.piece_to_id(piece))][1:]
