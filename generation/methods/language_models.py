"""Loads language models by name: the embedded one, or a causal transformers model."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from generation import nlp
from generation.errors import MissingModel
from generation.methods import model_store
from generation.methods.model_store import EMBEDDED
from generation.nlp.adapters.causal_model import CausalLanguageModel
from generation.nlp.language_model import LanguageModel
from generation.nlp.ngram_scorer import NgramLanguageModel

EMBEDDED_FILE = Path(nlp.__file__).parent / "embedded" / "en_ngram.npz"
NEEDED = ("torch", "transformers")


def identify(name: str) -> dict[str, str]:
    """Return name and revision or SHA-256 of a language model without loading it.

    Raises MissingModel; for a neural model also if torch or transformers is not installed.
    """
    if name == EMBEDDED:
        return load(name).identity
    if not all(map(find_spec, NEEDED)):
        raise MissingModel(
            f"The language model {name} needs {' and '.join(NEEDED)}. "
            "Install them: pip install -r requirements-neural.txt"
        )
    return model_store.identity_of(name)


def load(name: str, *, device: str = "cpu", precision: str = "float32") -> LanguageModel:
    """Return a language model, cached for the lifetime of the process. Raises MissingModel.

    Device and precision apply to neural models only.
    """
    return _embedded() if name == EMBEDDED else neural(name, device=device, precision=precision)


@cache
def neural(name: str, *, device: str, precision: str) -> CausalLanguageModel:
    """Return a causal model, which can also rescore; cached. Raises MissingModel."""
    identity = identify(name)
    folder = model_store.folder_of(name)
    try:
        return CausalLanguageModel.load(folder, identity, device=device, precision=precision)
    except (AssertionError, ImportError, OSError, RuntimeError, ValueError) as error:
        raise MissingModel(f"The language model {name} cannot be used: {error}") from error


@cache
def _embedded() -> LanguageModel:
    try:
        return NgramLanguageModel.load(EMBEDDED_FILE)
    except (OSError, ValueError) as error:
        raise MissingModel(f"The embedded language model cannot be loaded: {error}") from error
