"""Word swap as a generation method: the same words in another order (PAWS 3.1)."""

from collections.abc import Mapping
from typing import Any

from generation.errors import BadSettings
from generation.methods import model_loaders
from generation.methods.contract import GenerationMethod, Identities, Settings, own_settings, whole
from generation.model_store import EMBEDDED
from generation.nlp import vector_likeness
from generation.nlp.adapters.model_files import folder_digest
from generation.nlp.language_model import LanguageModel, TwoStageModel
from generation.nlp.settings import WordSwapSettings
from generation.nlp.word_swap import WordSwapper

# Which models to use, and how the neural ones run; no rescorer by default.
MODELS: Settings = {
    "tagger": EMBEDDED,
    "language_model": EMBEDDED,
    "rescorer": "",
    "rescored": 25,
    "device": "cpu",
    "precision": "float32",
}
MOST_RESCORED = 10_000


def configure(values: Mapping[str, Any]) -> Settings:
    """Return the whole configuration of a word swap, models included.

    `tagger` and `language_model` name models; `rescorer` names one that scores the `rescored` best
    rewrites again. Neural models run on `device` ("cpu", "cuda", "cuda:1") in `precision`. Raises
    BadSettings.
    """
    settings = whole(values, models=MODELS, own=WordSwapSettings)
    if settings["rescorer"] == EMBEDDED:
        raise BadSettings("Only neural models rescore: give another rescorer, or none.")
    if not 1 <= settings["rescored"] <= MOST_RESCORED:
        raise BadSettings(f"The setting rescored must be between 1 and {MOST_RESCORED}.")
    return settings


def identify(settings: Settings) -> Identities:
    """Return name and revision or SHA-256 of each model, by its role. Raises MissingModel."""
    identities = {
        "tagger": model_loaders.identify_tagger(settings["tagger"]),
        "language_model": model_loaders.identify_language_model(settings["language_model"]),
        "likeness": {"name": EMBEDDED, "sha256": folder_digest(vector_likeness.EMBEDDED_FOLDER)},
    }
    if rescorer := settings["rescorer"]:
        identities["rescorer"] = model_loaders.identify_language_model(rescorer)
    return identities


def load(settings: Settings, seed: int) -> WordSwapper:
    """Return a rewriter for settings from `configure`. Raises MissingModel."""
    return WordSwapper(
        tagger=model_loaders.load_tagger(settings["tagger"]),
        model=_model(settings),
        settings=own_settings(settings, seed, models=MODELS, own=WordSwapSettings),
        likeness=vector_likeness.embedded(),
        identities=identify(settings),
    )


def _model(settings: Settings) -> LanguageModel:
    where = {"device": settings["device"], "precision": settings["precision"]}
    model = model_loaders.load_language_model(settings["language_model"], **where)
    if not settings["rescorer"]:
        return model
    rescorer = model_loaders.load_causal_model(settings["rescorer"], **where)
    return TwoStageModel(model, rescorer, settings["rescored"])


def language(_settings: Settings) -> str:
    """Return English: articles, dates and capitals follow English rules, whatever the models."""
    return "en"


METHOD = GenerationMethod(configure=configure, identify=identify, load=load, language=language)
