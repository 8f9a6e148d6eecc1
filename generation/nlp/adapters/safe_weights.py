"""Pickled weights of transformers, rewritten as safetensors.

Unpickling may run whatever the file says. torch's restricted reader (weights_only) admits nothing
but tensors and plain values, and is used once, when a model comes in; workers read safetensors
alone (https://docs.pytorch.org/docs/stable/generated/torch.load.html).
"""

import tempfile
from importlib.util import find_spec
from pathlib import Path

NEEDED = ("torch", "transformers", "safetensors")


def missing_packages() -> list[str]:
    """What must be installed before weights can be converted."""
    return [name for name in NEEDED if find_spec(name) is None]


def convert(folder: Path) -> None:
    """Add the weights of a folder's model as safetensors; the pickled ones stay.

    The model is loaded as workers will load it, so tied weights are stored once. Raises OSError,
    ValueError or RuntimeError where they cannot be read, KeyError where they do not fit the model,
    and pickle.UnpicklingError where they hold more than tensors.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    auto = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
    model = auto.from_pretrained(
        folder, local_files_only=True, use_safetensors=False, weights_only=True
    )
    with tempfile.TemporaryDirectory(dir=folder) as made:
        model.save_pretrained(made)
        for path in Path(made).glob("*.safetensors*"):
            path.rename(folder / path.name)
