"""Models of a few thousand random weights, with tokenisers trained on a few sentences."""

import json
import shutil
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import transformers as hf
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

torch.set_num_threads(1)  # faster where there is so little to compute
SENTENCES = (
    "The poet Anna Kovar was born in Porto in 1881 and died in Madrid in 1949.",
    "The narrow windows of the ground floor contrast with the wide windows above.",
    "The old mill on the upper river was sold in 1902 and the new mill was built in 1911.",
    "In 2003 the small team beat Ivy Kesselring of Geneva, who had won in 1998 and in 2001.",
    "Old streets, which stood wide of the town of Geneva, and then a street again, all sang.",
    "The ground floor was met once more by the old town as the wide river met the narrow mill.",
)
TRANSLATED = [
    "The old poet was born in Porto and died in Madrid.",
    "In 1953 the team also toured in Australia.",
    "Cold currents meet warm water off the cape.",
    "A new hall was opened after the old hall had burned down.",
    "Yes.",
    "The ferry to the island takes forty minutes in summer and more than an hour in winter.",
    "She painted the public rooms in a severe style and the private ones in a playful style.",
]
SIZE = 800
# Weights wide enough that the likelihoods of tokens differ as those of a trained model do.
SPREAD = 0.3
LAYERS = {"n_layer": 2, "n_head": 2, "initializer_range": SPREAD}
SIZES = {"layers": 2, "attention_heads": 2, "ffn_dim": 32}
SMALL = {f"{part}_{name}": n for part in ("encoder", "decoder") for name, n in SIZES.items()}


def built_once(build):
    built = {}

    @wraps(build)
    def copied_to(folder, **options):
        key = tuple(options.items())
        if key not in built:
            built[key] = TemporaryDirectory()
            build(Path(built[key].name), **options)
        return shutil.copytree(built[key].name, folder, dirs_exist_ok=True)

    return copied_to


@built_once
def gpt2(folder):
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    config = hf.GPT2Config(vocab_size=SIZE, n_positions=128, n_embd=32, **LAYERS, **ends)
    _save(folder, _random(hf.GPT2LMHeadModel, config), _byte_tokenizer(), bos_token="</s>")


@built_once
def chat_gpt2(folder):
    """A model as GPT-2 that takes long prompts, one message in each line."""
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    config = hf.GPT2Config(vocab_size=SIZE, n_positions=4096, n_embd=32, **LAYERS, **ends)
    _save(folder, _random(hf.GPT2LMHeadModel, config), _byte_tokenizer(), bos_token="</s>")


@built_once
def llama(folder):
    """A model as Llama: rotary positions, and a tokeniser that puts a space before every text."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Punctuation()]
    )
    _train(tokenizer, [f"<0x{byte:02X}>" for byte in range(256)], "<unk>", "<s>")
    sizes = {"vocab_size": SIZE + 300, "hidden_size": 32, "intermediate_size": 48}
    sizes |= {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    config = hf.LlamaConfig(**sizes, max_position_embeddings=128, initializer_range=SPREAD)
    _save(folder, _random(hf.LlamaForCausalLM, config), tokenizer, bos_token="<s>")


@built_once
def bloom(folder):
    """A model whose attention counts columns (ALiBi), so that it cannot read a tree."""
    config = hf.BloomConfig(vocab_size=SIZE, hidden_size=32, **LAYERS)
    _save(folder, _random(hf.BloomForCausalLM, config), _byte_tokenizer(), bos_token="</s>")


def _byte_tokenizer():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return _train(tokenizer, pre_tokenizers.ByteLevel.alphabet())


def _train(tokenizer, alphabet, *special):
    letters = [letter for letter in alphabet if len(letter) == 1]
    known = {"special_tokens": ["</s>", *special], "initial_alphabet": letters}
    trainer = trainers.BpeTrainer(vocab_size=SIZE, show_progress=False, **known)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


def _random(model, config):
    """Return a model with the same random weights at every call."""
    torch.manual_seed(0)
    return model(config)


def _save(folder, model, tokenizer, *, bos_token):
    ends = {"bos_token": bos_token, "eos_token": "</s>"}
    hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **ends).save_pretrained(folder)
    model.save_pretrained(folder)


@built_once
def marian(folder, *, seed=0, begins_with_end=False):
    """As opus-mt has them: two SentencePiece files; or as BART, that begins with its end."""
    known = ["</s>", "<unk>", *_sentencepiece(folder / "source.spm"), "<pad>"]
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    vocabulary = {piece: number for number, piece in enumerate(known)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    files = (str(folder / name) for name in ("source.spm", "target.spm", "vocab.json"))
    hf.MarianTokenizer(*files, source_lang="en", target_lang="en").save_pretrained(folder)
    padding = len(known) - 1
    special = {"pad_token_id": padding, "eos_token_id": 0, "forced_eos_token_id": 0}
    special |= {"decoder_start_token_id": 0 if begins_with_end else padding}
    special |= {"d_model": 16, "init_std": 0.6, "max_position_embeddings": 512}
    torch.manual_seed(seed)
    model = hf.MarianMTModel(hf.MarianConfig(vocab_size=len(known), **SMALL, **special))
    # Some sentences end by themselves, and none says one thing over and over, which makes ties.
    model.final_logits_bias[0, 0] = 6.0
    model.generation_config.no_repeat_ngram_size = 2
    model.save_pretrained(folder)


def _sentencepiece(file):
    with file.open("wb") as model:
        size = {"vocab_size": 160, "hard_vocab_limit": False, "minloglevel": 2}
        texts = iter(TRANSLATED)
        SentencePieceTrainer.Train(sentence_iterator=texts, model_writer=model, **size)
    trained = SentencePieceProcessor(model_file=str(file))
    pieces = [trained.id_to_piece(number) for number in range(trained.get_piece_size())]
    return [piece for piece in pieces if not trained.is_control(trained.piece_to_id(piece))][1:]
