"""Taggers by name: the embedded one, or an installed spaCy pipeline."""

from functools import cache

from generation.errors import MissingModel
from generation.methods.model_store import EMBEDDED
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.tagging import Tagger


def identify(name: str) -> dict[str, str]:
    """Name and version or SHA-256 of a tagger. Raises MissingModel."""
    return load(name).identity


@cache
def load(name: str) -> Tagger:
    """A tagger, which stays loaded for the life of the process. Raises MissingModel."""
    tagger = SpacyTagger() if name == EMBEDDED else SpacyTagger(name)
    try:
        tagger.identity  # noqa: B018 -- what is missing is missed here
    except (OSError, ValueError) as error:
        raise MissingModel(f"The tagger {name!r} cannot be loaded: {error}") from error
    return tagger
