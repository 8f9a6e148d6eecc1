"""A tiny Llama in a GGUF file, as an installed package brings it."""

import json

import gguf
import transformers as hf
from gguf import GGMLQuantizationType, GGUFWriter

from tests.generation.nlp.adapters import tiny

HEADS, KEY_HEADS, LAYERS, WIDTH, INNER = 4, 2, 2, 64, 96
# As llama.cpp names the weights of transformers.
NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v"}
NAMES |= {"self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up"}
NAMES |= {"mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm"}
NAMES |= {"post_attention_layernorm": "ffn_norm"}
HEADS_OF = {"attn_q": HEADS, "attn_k": KEY_HEADS}


def install(site, *, name, version, file):
    """Write a package that has the model into a folder of packages; return the model in memory."""
    about = site / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (site / file).parent.mkdir(exist_ok=True)
    return write(site / file)


def write(path):
    """Write a model of random weights, packed to 8 bits; return it unpacked, with its tokeniser."""
    tokenizer = tiny._byte_tokenizer()
    config = hf.LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=WIDTH,
        intermediate_size=INNER,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS,
        max_position_embeddings=128,
        initializer_range=tiny.SPREAD,
        tie_word_embeddings=True,
    )
    model = tiny._random(hf.LlamaForCausalLM, config).eval()
    writer = GGUFWriter(path, "llama")
    _describe(writer, config)
    _add_tokenizer(writer, json.loads(tokenizer.to_str())["model"])
    for name, weights in model.state_dict().items():
        if name != "lm_head.weight":
            _add_weights(writer, _name(name), weights.numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return model, hf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="</s>", eos_token="</s>"
    )


def _describe(writer, config):
    writer.add_block_count(LAYERS)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(config.vocab_size)


def _add_tokenizer(writer, model):
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.CONTROL, *[gguf.TokenType.NORMAL] * (len(tokens) - 1)])
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)


def _name(name):
    name = name.removeprefix("model.").removesuffix(".weight")
    if name.startswith("layers."):
        _, layer, part = name.split(".", 2)
        return f"blk.{layer}.{NAMES[part]}.weight"
    return {"embed_tokens": "token_embd.weight", "norm": "output_norm.weight"}[name]


def _add_weights(writer, name, weights):
    if heads := HEADS_OF.get(name.split(".")[-2]):
        # llama.cpp keeps the two halves of a rotation side by side.
        halves = weights.reshape(heads, 2, -1, weights.shape[1])
        weights = halves.swapaxes(1, 2).reshape(weights.shape)
    if weights.ndim == 1:
        writer.add_tensor(name, weights)
        return
    packed = GGMLQuantizationType.Q8_0
    writer.add_tensor(name, gguf.quantize(weights, packed), raw_dtype=packed)
