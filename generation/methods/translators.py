"""Loads translators by name: sequence-to-sequence transformers models."""

from functools import cache
from importlib.util import find_spec

from generation.errors import MissingModel
from generation.methods import model_store
from generation.nlp.adapters.seq2seq_translator import Seq2SeqTranslator
from generation.nlp.translation import Translator

NEEDED = ("torch", "transformers", "sentencepiece")


def identify(name: str) -> dict[str, str]:
    """Return name, revision and SHA-256 of a translator without loading it. Raises MissingModel."""
    _refuse_without_packages()
    return model_store.identity_of(name)


@cache
def load(name: str, *, device: str, precision: str, prefix: str = "") -> Translator:
    """Return a translator, cached for the lifetime of the process. Raises MissingModel."""
    identity = identify(name)
    try:
        return Seq2SeqTranslator.load(
            model_store.folder_of(name),
            identity,
            device=device,
            precision=precision,
            prefix=prefix,
        )
    except (ImportError, OSError, ValueError, RuntimeError, AssertionError) as error:
        raise MissingModel(f"The translator {name} cannot be loaded: {error}") from error


def _refuse_without_packages() -> None:
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise MissingModel(
            f"Translators need {' and '.join(missing)}. "
            "Get them: pip install -r requirements-neural.txt"
        )
