"""Translation as a generation method: each sentence into another language (PAWS-X 2).

Its candidates are no rewrites in the language of their sentences, so they make no pairs to judge.
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from generation.errors import BadSettings
from generation.methods import model_loaders, translators
from generation.methods.contract import GenerationMethod, Identities, Settings, own_settings, whole
from generation.methods.declared import MACHINE, Field, Preset, defaults, fields_of
from generation.nlp.settings import _
from generation.nlp.translation import SentenceTranslator, TranslationSettings

MODEL_FIELDS = (
    Field(
        name="language",
        default="de",
        label=_("Language"),
        help=_("The language of the translations, as a tag such as de or zh-Hant."),
    ),
    translators.FORWARD,
    translators.FORWARD_PREFIX,
    *MACHINE,
)
MODELS: Settings = defaults(MODEL_FIELDS)
PRESETS = (
    Preset(
        "default",
        _("Recommended"),
        _("The most likely translation of each sentence (PAWS-X 2)."),
        {},
    ),
)
_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def configure(values: Mapping[str, Any]) -> Settings:
    """Return the whole configuration; `forward` names the model that translates into `language`.

    Raises BadSettings, also if the name of an opus-mt model says that it is for another language.
    """
    settings = whole(values, models=MODELS, own=TranslationSettings)
    language, forward = settings["language"], settings["forward"]
    if not _TAG.fullmatch(language):
        raise BadSettings(f"The setting language must be a tag such as de, not {language!r}.")
    said = model_loaders.languages_of(forward)[1]
    if said and said != language.partition("-")[0].lower():
        raise BadSettings(
            f"The translator {forward} is for the language {said}, but the setting language is "
            f"{language}. Choose another translator, or set language={said}."
        )
    return settings


def identify(settings: Settings) -> Identities:
    """Return name, revision and SHA-256 of the translator. Raises MissingModel."""
    return translators.identify(settings, "forward")


def load(settings: Settings, seed: int) -> SentenceTranslator:
    """Return a translator for settings from `configure`. Raises MissingModel."""
    own = own_settings(settings, seed, models=MODELS, own=TranslationSettings)
    return SentenceTranslator(translators.load(settings, "forward"), own)


# A sentence takes a second on one core; 50 are enough to group by similar length.
METHOD = GenerationMethod(
    configure=configure,
    identify=identify,
    load=load,
    language=translators.language,
    for_others=translators.FOR_OTHERS,
    fields=fields_of(TranslationSettings),
    models=MODEL_FIELDS,
    presets=PRESETS,
    batch_size=50,
    lease=timedelta(hours=1),
)
