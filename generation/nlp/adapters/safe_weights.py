"""Converts pickled weights of transformers to safetensors.

Unpickling may run arbitrary code. torch's restricted reader (weights_only) accepts only tensors and
plain values, and is used once, when a model is fetched; workers read only safetensors
(https://docs.pytorch.org/docs/stable/generated/torch.load.html).
"""

import tempfile
from importlib.util import find_spec
from pathlib import Path

NEEDED = ("torch", "transformers", "safetensors")


def missing_packages() -> list[str]:
    """Return the packages that must be installed to convert weights."""
    return [name for name in NEEDED if find_spec(name) is None]


def convert(folder: Path) -> None:
    """Add the weights of a folder's model as safetensors; keep the pickled files.

    The model is loaded as workers will load it, so tied weights are stored once. Raises OSError,
    ValueError or RuntimeError if the weights cannot be read, KeyError if they do not fit the model,
    and pickle.UnpicklingError if they contain more than tensors.
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
