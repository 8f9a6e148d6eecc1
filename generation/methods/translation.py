"""Translation as a generation method: each sentence into another language (PAWS-X 2).

Its candidates are no rewrites in the language of their sentences, so they make no pairs to judge.
"""

from datetime import timedelta

from generation.endpoints.chat import Ledger, Request
from generation.errors import BadSettings
from generation.methods import model_loaders, translators
from generation.methods.contract import MACHINE, GenerationMethod, Settings
from generation.nlp.settings import Field, Preset, _
from generation.nlp.translation import SentenceTranslator, TranslationSettings

MODELS = (
    Field(
        "language",
        "de",
        _("Language"),
        _("The language of the translations, as a tag such as de or zh-Hant."),
        pattern=translators.TAG,
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


def languages_of(settings: Settings, own: TranslationSettings) -> tuple[str, str]:
    return own.corpus_language, settings["language"]


def rewriter(settings: Settings, own: TranslationSettings, ledger: Ledger) -> SentenceTranslator:
    languages = languages_of(settings, own)
    return SentenceTranslator(translators.load(settings, "forward", ledger, languages), own)


def requests(settings: Settings, own: TranslationSettings, text: str) -> list[Request]:
    return translators.requests_about(text, settings, "forward", languages_of(settings, own), 1)


# A sentence takes a second on one core; 50 are enough to group by similar length.
METHOD = GenerationMethod(
    own=TranslationSettings,
    identify=lambda settings: translators.identify(settings, "forward"),
    rewriter=rewriter,
    requests=requests,
    for_corpus=translators.for_corpus,
    models=MODELS,
    check=check,
    language=translators.language,
    for_others=translators.FOR_OTHERS,
    presets=PRESETS,
    text=_("Each sentence in another language. Nobody judges these translations."),
    batch_size=50,
    lease=timedelta(hours=1),
)
