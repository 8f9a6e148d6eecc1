"""Identifies and loads the models that settings name: taggers, language models, translators.

`identify_*` returns the name, version or revision, and SHA-256 of a model without loading it.
`load_*` keeps models for the lifetime of the process. All raise MissingModel.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from common.program import PROGRAM, install_command
from generation import installed_endpoints
from generation.endpoints.chat import Model, UnknownModel, is_name
from generation.errors import MissingModel
from generation.model_catalogue import Known, packaged_translator
from generation.model_store import EMBEDDED, folder_of, identity_of, place_of
from generation.nlp import ngram
from generation.nlp.adapters import model_files, spacy_pipelines
from generation.nlp.adapters.bergamot import BergamotTranslator
from generation.nlp.adapters.causal import CausalLanguageModel
from generation.nlp.adapters.causal_writer import CausalWriter
from generation.nlp.adapters.seq2seq import Seq2SeqTranslator
from generation.nlp.adapters.spacy_pipelines import UnreadablePipeline
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.back_translation import Translator
from generation.nlp.continuation import NgramWriter, Writer
from generation.nlp.judging import Judge
from generation.nlp.language_model import LanguageModel
from generation.nlp.ngram import NgramModel
from generation.nlp.ngram_scorer import NgramLanguageModel
from generation.nlp.tagging import Tagger

_OPUS = re.compile(r"opus-mt-(?:tc-(?:big|base)-)?([a-z]{2,3})-([a-z]{2,3})(?![a-z])")
# Codes in names of opus-mt models that are no BCP 47 tags. Other codes of three letters may name
# a group of languages.
_NAMES = {"jap": "ja"}
UNUSABLE = (AssertionError, ImportError, OSError, RuntimeError, ValueError)


def identify_tagger(name: str) -> dict[str, str]:
    """Raises MissingModel also if the pipeline sets no tags, or needs a missing package."""
    if name == EMBEDDED:
        return SpacyTagger().identity
    source = _pipeline(name)
    try:
        files = spacy_pipelines.files_of(source)
        files.check()
        recorded = identity_of(name) if isinstance(source, Path) else {}
        return files.identity | recorded
    except UnreadablePipeline as error:
        raise MissingModel(f"The tagger {name!r} cannot be used: {error}") from error


@cache
def load_tagger(name: str) -> Tagger:
    tagger = SpacyTagger() if name == EMBEDDED else SpacyTagger(_pipeline(name))
    with _errors_as_missing_model(f"tagger {name!r}"):
        tagger.load()
    return tagger


def identify_language_model(name: str) -> dict[str, str]:
    if name == EMBEDDED:
        return load_language_model(name).identity
    _require_packages("torch", "transformers")
    return identity_of(name)


def load_language_model(
    name: str, *, device: str = "cpu", precision: str = "float32"
) -> LanguageModel:
    """Load a language model; device and precision apply to causal models only."""
    if name == EMBEDDED:
        return NgramLanguageModel(_embedded_ngrams())
    return load_causal_model(name, device=device, precision=precision)


@cache
def load_causal_model(name: str, *, device: str, precision: str) -> CausalLanguageModel:
    identity = identify_language_model(name)
    with _errors_as_missing_model(f"language model {name}"):
        return CausalLanguageModel.load(
            folder_of(name), identity, device=device, precision=precision
        )


def chat_model(name: str) -> Model:
    """Return a model behind an endpoint."""
    if not name:
        raise MissingModel(
            "No chat model is chosen. Set generator to one that the command endpoints lists."
        )
    try:
        return installed_endpoints.endpoints().model(name)
    except UnknownModel as error:
        raise MissingModel(str(error)) from error


def load_scorer(name: str) -> Judge:
    """Load a language model that scores whole texts."""
    if name == EMBEDDED:
        return NgramLanguageModel(_embedded_ngrams())
    return load_causal_model(name, device="cpu", precision="float32")


@cache
def load_writer(name: str) -> Writer:
    if name != EMBEDDED:
        return CausalWriter(load_causal_model(name, device="cpu", precision="float32"))
    return NgramWriter(_embedded_ngrams())


def languages_of(name: str) -> tuple[str, str]:
    """Return from and into which language a model translates; "" if its name hides it.

    >>> languages_of("Helsinki-NLP/opus-mt-en-de"), languages_of("opus-mt-tc-big-zle-en")
    (('en', 'de'), ('', 'en'))
    >>> languages_of("firefox-en-pt")
    ('en', 'pt')
    """
    if (packaged := packaged_translator(name)) and packaged.languages:
        return packaged.languages
    match = _OPUS.search(name)
    codes = [_NAMES.get(code, code) for code in match.groups()] if match else ["", ""]
    source, target = (code if len(code) == 2 else "" for code in codes)
    return source, target


def identify_translator(name: str) -> dict[str, str]:
    if is_name(name):
        return chat_model(name).identity
    if packaged := packaged_translator(name):
        return _identify_packaged(packaged)
    _require_packages("torch", "transformers", "sentencepiece")
    return identity_of(name)


@cache
def load_translator(name: str, *, device: str, precision: str, prefix: str = "") -> Translator:
    """Load a translator; device and precision apply to models of transformers only."""
    identity, folder = identify_translator(name), folder_of(name)
    if packaged := packaged_translator(name):
        _check_packaged(packaged, model_files.folder_digest(folder))
    with _errors_as_missing_model(f"translator {name}"):
        if packaged:
            return BergamotTranslator.load(folder, identity, prefix=prefix)
        return Seq2SeqTranslator.load(
            folder, identity, device=device, precision=precision, prefix=prefix
        )


def _identify_packaged(packaged: Known) -> dict[str, str]:
    """Return the identity with the engine and the licence, which releases repeat."""
    engine, installed = f"{packaged.package} {packaged.version}", _version(packaged.package)
    if installed != packaged.version:
        raise MissingModel(
            f"The translator {packaged.name} needs {engine}; installed is {installed or 'none'}. "
            f"Install it: {install_command('translate')}"
        )
    identity = identity_of(packaged.name)
    _check_packaged(packaged, identity["sha256"])
    return identity | {"engine": engine, "licence": packaged.licence}


def _check_packaged(packaged: Known, sha256: str) -> None:
    if sha256 != packaged.sha256:
        raise MissingModel(
            f"The files of {packaged.name} in {place_of(packaged.name)} are not those that its "
            f"makers published. Move them away and run: {PROGRAM} fetch_models {packaged.name}"
        )


def _version(package: str) -> str:
    """Return the version of an installed package; "" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _pipeline(name: str) -> Path | str:
    """Return the folder in the models folder, or else the package name. Raises MissingModel."""
    folder = place_of(name)
    if folder.is_dir():
        return folder
    if spacy_pipelines.is_installed(name):
        return name
    raise MissingModel(
        f"The spaCy pipeline {name} is not here: no package of this name is installed, and the "
        f"data folder has no {folder}. No package registry has such pipelines. "
        f"Get it: {PROGRAM} fetch_models {name}"
    )


def _require_packages(*packages: str) -> None:
    if missing := model_files.missing_packages(packages):
        raise MissingModel(
            f"Neural models need {' and '.join(missing)}. Install with: {install_command('neural')}"
        )


def _embedded_ngrams() -> NgramModel:
    with _errors_as_missing_model("embedded language model"):
        return ngram.load_embedded()


@contextmanager
def _errors_as_missing_model(what: str) -> Iterator[None]:
    """Raise MissingModel for what a library raises if it cannot load a model."""
    try:
        yield
    except UNUSABLE as error:
        raise MissingModel(f"The {what} cannot be loaded: {error}") from error
