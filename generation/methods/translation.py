"""Translation as a generation method: each sentence into another language (PAWS-X 2).

Its candidates are no rewrites in the language of their sentences, so they make no pairs to judge.
"""

from datetime import timedelta

from generation.endpoints.chat import Ledger
from generation.errors import BadSettings
from generation.methods import model_loaders, translators
from generation.methods.contract import MACHINE, GenerationMethod, Preset, Settings
from generation.nlp.settings import Field, _
from generation.nlp.translation import SentenceTranslator, TranslationSettings

MODELS = (
    Field(
        "language",
        "de",
        _("Language"),
        _("The language of the translations, as a tag such as de or zh-Hant."),
        pattern=("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", "a tag such as de"),
    ),
    translators.FORWARD,
    translators.FORWARD_PREFIX,
    *MACHINE,
)
PRESETS = (
    Preset(
        "default",
        _("Recommended"),
        _("The most likely translation of each sentence (PAWS-X 2)."),
        {},
    ),
)


def check(models: Settings) -> None:
    """Refuse an opus-mt model whose name says that it is for another language."""
    language, forward = models["language"], models["forward"]
    target_language = model_loaders.languages_of(forward)[1]
    if target_language and target_language != language.partition("-")[0].lower():
        raise BadSettings(
            f"The translator {forward} is for the language {target_language}, but the setting "
            f"language is {language}. Choose another translator, or set language={target_language}."
        )


def rewriter(settings: Settings, own: TranslationSettings, _ledger: Ledger) -> SentenceTranslator:
    return SentenceTranslator(translators.load(settings, "forward"), own)


# A sentence takes a second on one core; 50 are enough to group by similar length.
METHOD = GenerationMethod(
    own=TranslationSettings,
    identify=lambda settings: translators.identify(settings, "forward"),
    rewriter=rewriter,
    models=MODELS,
    check=check,
    language=translators.language,
    for_others=translators.FOR_OTHERS,
    presets=PRESETS,
    text=_("Each sentence in another language. Nobody judges these translations."),
    batch_size=50,
    lease=timedelta(hours=1),
)
