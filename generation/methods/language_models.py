"""Language models by name: the embedded one."""

from functools import cache
from pathlib import Path

from generation import nlp
from generation.errors import MissingModel
from generation.methods.model_store import EMBEDDED
from generation.nlp.language_model import LanguageModel
from generation.nlp.ngram_scorer import NgramLanguageModel

EMBEDDED_FILE = Path(nlp.__file__).parent / "embedded" / "en_ngram.npz"


def identify(name: str) -> dict[str, str]:
    """Name and revision or SHA-256 of a language model. Raises MissingModel."""
    return load(name).identity


@cache
def load(name: str) -> LanguageModel:
    """A language model, which stays loaded for the life of the process. Raises MissingModel."""
    if name != EMBEDDED:
        raise MissingModel(f"There is no language model {name!r}; use {EMBEDDED}.")
    try:
        return NgramLanguageModel.load(EMBEDDED_FILE)
    except (OSError, ValueError) as error:
        raise MissingModel(f"The embedded language model cannot be loaded: {error}") from error
