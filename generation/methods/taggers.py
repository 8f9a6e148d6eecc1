"""Loads taggers by name: embedded, a spaCy pipeline in the models folder, or installed."""

from functools import cache
from pathlib import Path

from generation.errors import MissingModel
from generation.methods.model_store import EMBEDDED, identity_of, place_of
from generation.nlp.adapters import spacy_pipelines
from generation.nlp.adapters.spacy_pipelines import UnreadablePipeline
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.tagging import Tagger


def identify(name: str) -> dict[str, str]:
    """Return name, version, revision or SHA-256, and the source of entity probabilities.

    Loads no pipeline. Raises MissingModel if it is missing, sets no tags, or needs a package that
    is not installed.
    """
    if name == EMBEDDED:
        return SpacyTagger().identity
    source = _source(name)
    try:
        files = spacy_pipelines.files_of(source)
        files.check()
        recorded = identity_of(name) if isinstance(source, Path) else {}
        return files.identity | recorded
    except UnreadablePipeline as error:
        raise MissingModel(f"The tagger {name!r} cannot be used: {error}") from error


@cache
def load(name: str) -> Tagger:
    """Return a tagger, cached for the lifetime of the process. Raises MissingModel."""
    tagger = SpacyTagger() if name == EMBEDDED else SpacyTagger(_source(name))
    try:
        tagger.load()
    except (OSError, ValueError, ImportError) as error:
        raise MissingModel(f"The tagger {name!r} cannot be loaded: {error}") from error
    return tagger


def _source(name: str) -> Path | str:
    """Return the folder in the models folder, or else the package name. Raises MissingModel."""
    folder = place_of(name)
    if folder.is_dir():
        return folder
    if spacy_pipelines.is_installed(name):
        return name
    raise MissingModel(
        f"The spaCy pipeline {name} is not here: no package of this name is installed, and there "
        f"is no folder {folder}. No package registry has such pipelines. "
        f"Get it: manage.py fetch_models {name}"
    )
