"""Back translation as a generation method: into another language and back (PAWS 3.2)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from generation.methods import translators
from generation.methods.contract import GenerationMethod, Identities, Settings, own_settings, whole
from generation.methods.declared import MACHINE, Field, Preset, Role, defaults, fields_of
from generation.nlp.back_translation import BackTranslationSettings, BackTranslator
from generation.nlp.settings import _

MODEL_FIELDS = (
    translators.FORWARD,
    Field(
        name="backward",
        default="Helsinki-NLP/opus-mt-de-en",
        label=_("Back translator"),
        help=_("Translates back into the language of the corpus."),
        role=Role.TRANSLATOR,
    ),
    translators.FORWARD_PREFIX,
    Field(
        name="backward_prefix",
        default="",
        label=_("Back translator prompt"),
        help=_("Placed before each translation, for models that expect a task prompt."),
    ),
    *MACHINE,
)
MODELS: Settings = defaults(MODEL_FIELDS)
PRESETS = (
    Preset(
        "default",
        _("Recommended"),
        _("Up to 25 rewrites of each sentence, half of them reordered (PAWS 3.2)."),
        {},
    ),
    Preset(
        "more",
        _("More candidates"),
        _("Up to 100 rewrites of each sentence, in any order and less similar. Slower."),
        {"k": 10, "max_rewrites": 100, "min_similarity": 0.8, "reordered_share": 0.0},
    ),
)
PARTS = ("forward", "backward")


def configure(values: Mapping[str, Any]) -> Settings:
    """Return the whole configuration; `forward` and `backward` name the models.

    `forward_prefix` and `backward_prefix` precede each text, for models that expect a task prompt;
    `device` is "cpu", "cuda" or "cuda:N", `precision` one of PRECISIONS. Raises BadSettings.
    """
    return whole(values, models=MODELS, own=BackTranslationSettings)


def identify(settings: Settings) -> Identities:
    """Return name, revision and SHA-256 of both translators. Raises MissingModel."""
    return translators.identify(settings, *PARTS)


def load(settings: Settings, seed: int) -> BackTranslator:
    """Return a rewriter for settings from `configure`. Raises MissingModel."""
    forward, backward = (translators.load(settings, part) for part in PARTS)
    own = own_settings(settings, seed, models=MODELS, own=BackTranslationSettings)
    return BackTranslator(forward, backward, own)


# A sentence takes seconds on one core; 50 are enough to group by similar length.
METHOD = GenerationMethod(
    configure=configure,
    identify=identify,
    load=load,
    language=translators.language,
    for_others=translators.FOR_OTHERS,
    fields=fields_of(BackTranslationSettings),
    models=MODEL_FIELDS,
    presets=PRESETS,
    of_pairs=True,
    batch_size=50,
    lease=timedelta(hours=1),
)
