"""Word swap as a generation method: the same words in another order (PAWS 3.1)."""

from collections.abc import Mapping
from typing import Any

from generation.errors import BadSettings
from generation.methods import model_loaders
from generation.methods.contract import GenerationMethod, Identities, Settings, own_settings, whole
from generation.methods.declared import MACHINE, Field, Preset, Role, defaults, fields_of
from generation.model_store import EMBEDDED
from generation.nlp import acceptance, vector_likeness
from generation.nlp.adapters.model_files import file_digest, folder_digest
from generation.nlp.judging import Judging
from generation.nlp.phrases import MOVABLE, Kind
from generation.nlp.settings import WordSwapSettings, _
from generation.nlp.word_swap import WordSwapper

MOST_RESCORED = 100
# Which models to use, and how the neural ones run; no rescorer by default.
MODEL_FIELDS = (
    Field(
        name="tagger",
        default=EMBEDDED,
        label=_("Tagger"),
        help=_("Finds parts of speech and names."),
        role=Role.TAGGER,
    ),
    Field(
        name="language_model",
        default=EMBEDDED,
        label=_("Language model"),
        help=_("Scores how likely a rewrite is."),
        role=Role.LANGUAGE_MODEL,
    ),
    Field(
        name="rescorer",
        default="",
        label=_("Second language model"),
        help=_("Rescores the best rewrites; neural models only."),
        role=Role.LANGUAGE_MODEL,
        optional=True,
    ),
    Field(
        name="rescored",
        default=8,
        label=_("Rewrites to rescore"),
        help=_("For each sentence, by the second language model."),
        bounds=(1, MOST_RESCORED),
    ),
    Field(
        name="rescorer_threshold",
        default=8.0,
        label=_("Maximum loss by the second model"),
        help=_("Of likelihood, as a natural log; only if acceptance is not estimated."),
        bounds=(0.0, 1_000.0),
    ),
    *MACHINE,
)
MODELS: Settings = defaults(MODEL_FIELDS)
BOUNDS = {each.name: each.bounds for each in MODEL_FIELDS if each.bounds}
PRESETS = (
    Preset(
        "default",
        _("Recommended"),
        _("One swap that people will probably accept as it is."),
        {},
    ),
    Preset(
        "more",
        _("More candidates"),
        _("A lower minimum probability of acceptance. More odd candidates."),
        {"acceptance": 0.55},
    ),
    Preset(
        "paper",
        _("PAWS paper"),
        _("Any number of swaps, limited only by the likelihood of the sentence (PAWS 3.1)."),
        {
            "movable": [kind for kind in MOVABLE if kind is not Kind.NOUN_PHRASE],
            "max_changes": 1_000,
            "acceptance": 0.0,
            "threshold": 3.0,
            "largest_fall": 1_000.0,
            "likeness": -1.0,
            "entity_probability": 0.95,
            "rules": False,
            "fix_quotes": False,
            "fix_brackets": False,
        },
    ),
)


def configure(values: Mapping[str, Any]) -> Settings:
    """Return the whole configuration of a word swap, models included.

    `tagger` and `language_model` name models; `rescorer` names one that judges the `rescored` best
    rewrites again, by `rescorer_threshold`. Neural models run on `device` ("cpu", "cuda", "cuda:1")
    in `precision`. Raises BadSettings.
    """
    settings = whole(values, models=MODELS, own=WordSwapSettings)
    if settings["rescorer"] == EMBEDDED:
        raise BadSettings("Only neural models rescore: give another rescorer, or none.")
    for name, (lowest, highest) in BOUNDS.items():
        if not lowest <= settings[name] <= highest:
            raise BadSettings(f"The setting {name} must be between {lowest} and {highest}.")
    return settings


def identify(settings: Settings) -> Identities:
    """Return name and revision or SHA-256 of each model, by its role. Raises MissingModel."""
    identities = {
        "tagger": model_loaders.identify_tagger(settings["tagger"]),
        "language_model": model_loaders.identify_language_model(settings["language_model"]),
        "likeness": {"name": EMBEDDED, "sha256": folder_digest(vector_likeness.EMBEDDED_FOLDER)},
        "acceptance": {"name": EMBEDDED, "sha256": file_digest(acceptance.EMBEDDED_FILE)},
    }
    if rescorer := settings["rescorer"]:
        identities["rescorer"] = model_loaders.identify_language_model(rescorer)
    return identities


def load(settings: Settings, seed: int) -> WordSwapper:
    """Return a rewriter for settings from `configure`. Raises MissingModel."""
    where = {"device": settings["device"], "precision": settings["precision"]}
    return WordSwapper(
        tagger=model_loaders.load_tagger(settings["tagger"]),
        model=model_loaders.load_language_model(settings["language_model"], **where),
        settings=own_settings(settings, seed, models=MODELS, own=WordSwapSettings),
        likeness=vector_likeness.embedded(),
        acceptance=acceptance.embedded(),
        identities=identify(settings),
        judging=_judging(settings, **where),
    )


def _judging(settings: Settings, **where: str) -> Judging | None:
    if not settings["rescorer"]:
        return None
    judge = model_loaders.load_causal_model(settings["rescorer"], **where)
    most, threshold = settings["rescored"], settings["rescorer_threshold"]
    return Judging(judge, most, threshold, acceptance.embedded())


METHOD = GenerationMethod(
    configure=configure,
    identify=identify,
    load=load,
    languages=("en",),  # articles, dates and capitals follow English rules, whatever the models
    for_others=_(
        "Import finished pairs in this language instead (page Data, or the command import_pairs)."
    ),
    fields=fields_of(WordSwapSettings),
    models=MODEL_FIELDS,
    presets=PRESETS,
)
